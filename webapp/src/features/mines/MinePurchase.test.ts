import { describe, expect, it, vi } from 'vitest';
import { digs, inMines, setUpMines } from '../../testing/digging';
import { changeUser, pass, requestsTo, server } from '../../testing/playGame';

setUpMines();

describe('a mine', () => {
  /** The player has pressed Buy, and the server is slow to say which mines they have. */
  async function pressed() {
    server.delay = 200;
    const all = await inMines();
    await pass(1000);
    all.mines.purchase.offer();
    void all.mines.purchase.buy(1);
    await pass(50);
    return all;
  }

  it('is not sold while the market is closed', async () => {
    server.market.open = false;
    const { mines } = await inMines();
    await pass(50);
    expect([mines.tournament.running, mines.purchase.sold]).toEqual([true, false]);
    server.market.open = true;
    document.dispatchEvent(new Event('visibilitychange')); // who waited for that has looked elsewhere meanwhile
    await pass(50);
    expect(mines.purchase.sold).toBe(true);
  });

  it('that is opened while a batch is on its way is shown', async () => {
    server.mines.own(1);
    const { mines } = await inMines();
    server.delay = 500;
    await digs(mines, 1);
    void mines.digging.batches.send();
    await pass(100);
    server.mines.own(2);
    void mines.tournament.load(); // as for an order that was paid, and answered after the batch
    await pass(2000);
    expect(mines.tournament.top).toMatchObject({ level: 2 });
  });

  it('is offered to who has none, for a dig or a look at the upgrades', async () => {
    const { root, mines } = await inMines();
    expect(mines.dig()).toEqual({ is: 'locked' });
    expect(root.modals.shown).toEqual({ is: 'mine', level: 1 });
    mines.purchase.closeOffer();
    mines.purchase.openUpgrades();
    expect(root.modals.shown).toEqual({ is: 'mine', level: 1 });
    expect(root.modals.sheet).toBe('none');
  });

  it('is ordered in Stars without a wallet, and Telegram’s payment opens', async () => {
    server.market.payWith = ['TON', 'XTR'];
    localStorage.setItem('pay_with', 'XTR');
    changeUser({ wallet_address: null });
    const { root, mines, host } = await inMines();
    await pass(50);
    const { purchase } = mines;
    expect([purchase.needsWallet, purchase.starsFor({ cost: 1 })]).toEqual([false, 193]);
    purchase.offer();
    void purchase.buy(1);
    await pass(50);
    expect(requestsTo('mines/create-payment').map(({ body }) => body)).toEqual([
      { level: 1, currency: 'XTR' },
    ]);
    expect([purchase.order?.stars, root.modals.sheet]).toEqual([193, 'order']);
    expect(host.invoices.map(({ link }) => link)).toEqual([purchase.order?.paymentLink]);
    host.invoices[0]?.close('paid');
    await pass(50);
    expect(mines.tournament.owns(1)).toBe(false);
    server.mines.paid();
    await pass(3000);
    expect(mines.tournament.owns(1)).toBe(true);
  });

  it('needs a wallet first, which is connected where the player stands', async () => {
    changeUser({ wallet_address: null });
    const { root, mines, host } = await inMines();
    mines.purchase.offer();
    void mines.purchase.buy(1);
    await pass(0);
    expect([root.modals.shown, root.toasts.shown?.text]).toEqual([null, 'toast.connecting_wallet']);
    await pass(300);
    expect([host.wallet.windows, root.toasts.shown?.text]).toEqual([1, 'errors.wallet_needed']);
    expect(root.route.path).toBe('/mines');
    expect(server.market.orders).toEqual([]);
    await host.wallet.accept();
    await pass(50);
    mines.purchase.offer();
    void mines.purchase.buy(1);
    await pass(50);
    expect(mines.purchase.order).toMatchObject({ kind: 'mine', level: 1 });
  });

  it('is paid by a link, hinted at after the wallet, and open once the chain says so', async () => {
    const { root, mines, host } = await inMines();
    mines.purchase.offer();
    void mines.purchase.buy(1);
    await pass(50);
    expect(root.modals.sheet).toBe('order');
    expect(root.modals.shown).toBeNull();
    expect(host.opened).toEqual([server.market.orders[0]?.paymentLink]);
    expect(mines.purchase.order).toMatchObject({ kind: 'mine', level: 1 });
    document.dispatchEvent(new Event('visibilitychange'));
    await pass(50);
    expect(server.requests.find(({ path }) => path === '/api/mines/unlock')?.body).toEqual({
      level: 1,
      transaction_hash: server.market.orders[0]?.comment,
    });
    expect(mines.tournament.top).toBeNull();
    server.mines.paid();
    await pass(3100);
    expect(mines.tournament.top).toMatchObject({ level: 1 });
    expect(host.rewards).toBe(1);
    expect(root.modals.sheet).toBe('order'); // which celebrates it
  });

  it('is not ordered once the offer is closed again', async () => {
    const { root, mines } = await pressed();
    mines.purchase.closeOffer();
    await pass(1000);
    expect([server.market.orders, root.modals.sheet, mines.purchase.buying]).toEqual([[], 'none', false]);
  });

  it('is not ordered by a press on an offer that was closed and opened again since', async () => {
    const { root, mines } = await pressed();
    mines.purchase.closeOffer();
    mines.purchase.offer();
    await pass(1000);
    expect([server.market.orders, root.modals.shown]).toEqual([[], { is: 'mine', level: 1 }]);
    void mines.purchase.buy(1);
    await pass(1000);
    expect(server.market.orders).toHaveLength(1);
  });

  it('whose offer is closed while it is being ordered waits, and nobody is led to pay it', async () => {
    const { root, mines, host } = await pressed();
    await pass(250);
    expect(server.requests.at(-1)?.path).toBe('/api/mines/create-payment');
    mines.purchase.closeOffer();
    mines.purchase.offer();
    await pass(1000);
    expect([root.modals.sheet, root.modals.shown?.is, host.opened]).toEqual(['none', 'mine', []]);
    expect(mines.purchase.order).toMatchObject({ kind: 'mine', level: 1, status: 'pending' });
  });

  it('is not ordered, nor a wallet connected, where the offer is closed before the trade’s code has come', async () => {
    changeUser({ wallet_address: null });
    const { root, mines, host } = await inMines();
    const trade = await root.loadTrade();
    mines.purchase.trade = null;
    let come = () => {};
    const code = new Promise<typeof trade>((give) => {
      come = () => give(trade);
    });
    vi.spyOn(root, 'loadTrade').mockReturnValue(code);
    mines.purchase.offer();
    void mines.purchase.buy(1);
    await pass(50);
    mines.purchase.closeOffer();
    come();
    await pass(1000);
    expect([host.wallet.windows, trade.connection.step, root.toasts.shown]).toEqual([0, 'idle', null]);
  });

  it('leaves nothing unsent of the one before it', async () => {
    server.mines.own(1);
    const { mines } = await inMines();
    await digs(mines, 2);
    mines.purchase.offer();
    void mines.purchase.buy(2);
    await pass(50);
    server.mines.paid();
    await pass(3100);
    expect([mines.tournament.top?.level, mines.digging.confirmed]).toEqual([2, 500_000]);
  });

  it('that is ordered by two taps asks for the mines before it and after it', async () => {
    server.delay = 200;
    const { mines } = await inMines();
    await pass(1000);
    const asked = () => requestsTo('mines/status').length;
    const before = asked();
    mines.purchase.offer();
    void mines.purchase.buy(1);
    await pass(50);
    void mines.purchase.buy(1); // the first is being made
    await pass(200);
    mines.purchase.offer();
    void mines.purchase.buy(1); // its order is shown
    await pass(500);
    expect([server.market.orders.length, asked() - before]).toEqual([1, 2]);
  });

  it('that was refused has the mines asked for, too', async () => {
    const { mines } = await inMines();
    await pass(100);
    const asked = () => requestsTo('mines/status').length;
    const before = asked();
    server.weatherOf['/api/mines/create-payment'] = [{ status: 409, code: 'tournament_not_active' }];
    mines.purchase.offer();
    void mines.purchase.buy(1);
    await pass(50);
    expect(asked() - before).toBe(2);
  });

  it('is ordered once, however often its answer is lost', async () => {
    const { mines } = await inMines();
    server.weatherOf['/api/mines/create-payment'] = ['lost answer'];
    mines.purchase.offer();
    void mines.purchase.buy(1);
    await pass(50);
    mines.purchase.offer();
    void mines.purchase.buy(1);
    await pass(50);
    expect(server.market.orders).toHaveLength(1);
    const keys = requestsTo('mines/create-payment').map(({ headers }) => headers.get('Idempotency-Key'));
    expect(keys).toHaveLength(2);
    expect(keys[0]).toBe(keys[1]);
  });
});
