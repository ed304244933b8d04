import { describe, expect, it } from 'vitest';
import type { RootStore } from '../../app/RootStore';
import { aPrice } from '../../testing/FakeMarket';
import { five, inMarket, ordered } from '../../testing/marketGame';
import { changeUser, createGame, pass, requestsTo, server, setUpGame } from '../../testing/playGame';
import { oneTon } from './amount';

setUpGame({ user: { wallet_address: '0:aa' } });

function modalOver({ modals }: RootStore) {
  modals.openSheet('profile');
}

describe('buying', () => {
  it('without a wallet shows that one is being connected, then one message, and calls nobody', async () => {
    changeUser({ wallet_address: null });
    const { root, host, orders } = await inMarket();
    expect(await orders.buy(five)).toBe(false);
    expect(root.toasts.shown).toMatchObject({ kind: 'wait', text: 'toast.connecting_wallet' });
    await pass(310);
    expect([root.toasts.shown?.text, root.toasts.queue.length]).toEqual(['errors.wallet_needed', 1]);
    expect([host.wallet.isOpen, requestsTo('token/purchase').length]).toEqual([true, 0]);
  });

  it('names the wallet app as the list of wallets does', async () => {
    server.walletApp = 'telegram-wallet';
    const { root, host } = createGame();
    host.walletNames['telegram-wallet'] = 'Wallet in Telegram';
    const { market } = await root.loadTrade();
    await market.loadConfig();
    expect(market.walletApp).toBe('Wallet in Telegram');
    delete host.walletNames['telegram-wallet'];
    const { market: unnamed } = await createGame().root.loadTrade();
    await unnamed.loadConfig();
    expect(unnamed.walletApp).toBe('Telegram-wallet');
  });

  it.each([
    [null, 'errors.invalid_amount'],
    [99_999_999n, 'errors.amount_too_small'],
    [1000n * oneTon + 1n, 'errors.amount_too_large'],
  ] as const)('%s nanotons is refused before it is asked for', async (amount, text) => {
    const { root, orders } = await inMarket();
    expect(await orders.buy(amount)).toBe(false);
    expect([root.toasts.shown?.text, requestsTo('token/purchase').length]).toEqual([text, 0]);
  });

  it('says that the link is being made, then opens the wallet app and the drawer', async () => {
    server.delay = 100;
    const { root, host, orders } = await inMarket();
    await pass(1000);
    void orders.buy(1_234_567_890n);
    void orders.buy(1_234_567_890n);
    await pass(0);
    expect(root.toasts.shown).toMatchObject({ kind: 'wait', text: 'toast.creating_link' });
    await pass(110);
    expect(requestsTo('token/purchase').map(({ body }) => body)).toEqual([{ ton_amount: 1.23456789 }]);
    expect(root.toasts.shown).toMatchObject({
      kind: 'success',
      text: 'toast.link_created',
      values: { wallet: 'Tonkeeper' },
    });
    expect(host.opened).toEqual([orders.open?.paymentLink]);
    expect(root.modals.sheet).toBe('order');
    orders.pay();
    expect(host.opened.length).toBe(2);
  });

  it('by a finger that taps again before the drawer covers the button is one order', async () => {
    const { orders, host } = await ordered();
    expect(await orders.buy(five)).toBe(false);
    expect([requestsTo('token/purchase').length, host.opened.length]).toEqual([1, 1]);
  });

  it('asks again by the same key when the answer was lost, and has one order', async () => {
    const { root, orders } = await inMarket();
    server.weatherOf['/api/token/purchase'] = ['lost answer'];
    void orders.buy(five);
    await pass(10);
    expect(root.toasts.shown?.text).toBe('errors.payment_link_failed');
    void orders.buy(five);
    await pass(10);
    const keys = requestsTo('token/purchase').map(({ headers }) => headers.get('Idempotency-Key'));
    expect(keys[0]).toBe(keys[1]);
    expect(server.market.orders.length).toBe(1);
    root.modals.closeSheet();
    void orders.buy(five);
    await pass(10);
    expect(requestsTo('token/purchase')[2]?.headers.get('Idempotency-Key')).not.toBe(keys[0]);
  });

  it.each([
    ['cancelled', { status: 'cancelled' }],
    ['paid', { status: 'paid' }],
    ['at its end, though nobody has said so', { expires_at: '2026-03-01T12:00:01Z' }],
  ] as const)('anew makes another order where the one whose answer was lost is %s', async (_, change) => {
    const { host, orders } = await inMarket();
    server.weatherOf['/api/token/purchase'] = ['lost answer'];
    void orders.buy(five);
    await pass(10);
    server.market.becomes(1, change);
    void orders.buy(five);
    await pass(10);
    const keys = requestsTo('token/purchase').map(({ headers }) => headers.get('Idempotency-Key'));
    expect([keys[1] === keys[0], keys[2] === keys[0], keys.length]).toEqual([true, false, 3]);
    expect([orders.open?.id, server.market.orders.length]).toEqual([2, 2]);
    expect(host.opened).toEqual([orders.open?.paymentLink]);
  });

  it('by who was too quick keeps its key', async () => {
    const { orders } = await inMarket();
    server.weatherOf['/api/token/purchase'] = ['lost answer', { status: 429, code: 'rate_limited' }];
    for (let press = 0; press < 3; press += 1) {
      void orders.buy(five);
      await pass(10);
    }
    const keys = requestsTo('token/purchase').map(({ headers }) => headers.get('Idempotency-Key'));
    expect([new Set(keys).size, keys.length, server.market.orders.length]).toEqual([1, 3, 1]);
  });

  it.each([
    ['nobody', 'cut'],
    ['a server that has no time', { status: 429, code: 'rate_limited' }],
  ] as const)('anew keeps its key where %s tells what became of its order', async (_, weather) => {
    const { host, orders } = await inMarket();
    server.weatherOf['/api/token/purchase'] = ['lost answer'];
    void orders.buy(five);
    await pass(10);
    server.weatherOf['/api/orders/1'] = [weather];
    void orders.buy(five);
    await pass(10);
    expect([orders.buying, host.opened]).toEqual([false, []]);
    void orders.buy(five);
    await pass(10);
    const keys = requestsTo('token/purchase').map(({ headers }) => headers.get('Idempotency-Key'));
    expect([new Set(keys).size, keys.length, server.market.orders.length]).toEqual([1, 3, 1]);
    expect(host.opened).toEqual([orders.open?.paymentLink]);
  });

  it('takes another key for another amount', async () => {
    const { orders } = await inMarket();
    server.weatherOf['/api/token/purchase'] = ['cut'];
    for (const amount of [five, 2n * oneTon]) {
      void orders.buy(amount);
      await pass(10);
    }
    const keys = requestsTo('token/purchase').map(({ headers }) => headers.get('Idempotency-Key'));
    expect(new Set(keys).size).toBe(2);
  });

  it('on a stale price is refused, and says so', async () => {
    server.market.ton = aPrice({ stale: true });
    const { root, orders } = await inMarket();
    void orders.buy(five);
    await pass(10);
    expect([root.toasts.shown?.text, orders.order]).toEqual(['errors.price_unavailable', null]);
  });

  it.each([
    ['payment_link_failed', 502, 'errors.payment_link_failed'],
    ['overloaded', 503, 'errors.overloaded'],
    ['request_in_progress', 409, 'errors.request_in_progress'],
    ['too_many_open_orders', 409, 'errors.too_many_open_orders'],
    ['wallet_not_connected', 409, 'errors.wallet_not_connected'],
    ['something_new', 409, 'errors.internal', true],
  ])('that was refused with %s says why', async (code, status, text, newer = false) => {
    const { root, orders } = await inMarket();
    server.weatherOf['/api/token/purchase'] = [{ status, code, newer }];
    void orders.buy(five);
    await pass(10);
    expect([root.toasts.shown?.text, orders.buying]).toEqual([text, false]);
  });

  it.each([
    ['no answer', 'cut'],
    ['an error without a word', { status: 500, code: 'internal' }],
    ['a proxy’s page', { status: 502, code: '', html: true }],
  ] as const)('that met %s says that the link was not made', async (_, weather) => {
    const { root, orders } = await inMarket();
    server.weatherOf['/api/token/purchase'] = [weather];
    void orders.buy(five);
    await pass(10);
    expect([root.toasts.shown?.text, orders.buying]).toEqual(['errors.payment_link_failed', false]);
  });

  it('that met what nobody foresaw gives the message as it came', async () => {
    const { root, orders } = await inMarket();
    server.weatherOf['/api/token/purchase'] = [
      { status: 500, code: 'internal', message: 'The treasury sank' },
    ];
    void orders.buy(five);
    await pass(10);
    expect(root.toasts.shown).toMatchObject({
      text: 'toast.failed',
      values: { message: 'The treasury sank' },
    });
  });

  it('that met what the server has no words for says so in the player’s language', async () => {
    const { root, orders } = await inMarket();
    server.weatherOf['/api/token/purchase'] = [
      { status: 500, code: 'internal', message: 'An unknown error occurred' },
    ];
    void orders.buy(five);
    await pass(10);
    expect(root.toasts.shown?.text).toBe('errors.internal');
  });

  it('refused asks whether sales are still open', async () => {
    const { orders, market } = await inMarket();
    await pass(5000); // who would offer the discount asks, too
    server.market.open = false;
    server.weatherOf['/api/token/purchase'] = [
      { status: 503, code: 'maintenance', params: { feature: 'purchases' } },
    ];
    void orders.buy(five);
    await pass(10);
    expect(market.closed).toBe(true);
    server.market.open = true;
    await pass(59_000);
    expect(market.closed).toBe(true);
    await pass(1000);
    expect(market.closed).toBe(false);
    const before = requestsTo('config').length;
    await pass(120_000);
    expect(requestsTo('config').length).toBe(before);
  });

  it.each([
    ['leads to a new one', () => {}, true],
    ['with something over the screen only shows that there is none', modalOver, false],
    ['does not follow the player elsewhere', ({ route }: RootStore) => route.go('/'), false],
  ])('for a wallet that was let go on another device %s', async (_, meanwhile, leads) => {
    const { root, orders, host } = await inMarket();
    changeUser({ wallet_address: null });
    server.weatherOf['/api/token/purchase'] = [{ status: 409, code: 'wallet_not_connected' }];
    void orders.buy(five);
    meanwhile(root);
    await pass(10);
    expect(root.user.user?.wallet_address).toBeNull();
    await pass(310);
    expect(host.wallet.isOpen).toBe(leads);
  });

  it('asks whether sales are open again when the player comes back', async () => {
    server.market.open = false;
    const { market } = await inMarket();
    server.market.open = true;
    document.dispatchEvent(new Event('visibilitychange'));
    await pass(10);
    expect(market.closed).toBe(false);
  });
});
