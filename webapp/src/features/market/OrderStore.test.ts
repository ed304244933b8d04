import { describe, expect, it } from 'vitest';
import type { RootStore } from '../../app/RootStore';
import { anOrder, aPrice } from '../../testing/FakeMarket';
import {
  changeUser,
  createGame,
  pass,
  playGame,
  requestsTo,
  server,
  setUpGame,
  setVisibility,
} from '../../testing/playGame';
import { oneTon } from './amount';

setUpGame({ user: { wallet_address: '0:aa' } });

const polls = () => requestsTo('orders/1').length;

/** A player who stands in the market, and hears every toast. */
async function inMarket() {
  const { root, host } = await playGame();
  const { orders, market } = await root.loadTrade();
  root.route.go('/market');
  await pass(10);
  return { root, host, orders, market };
}

const five = 5n * oneTon;

async function ordered() {
  const all = await inMarket();
  void all.orders.buy(five);
  await pass(10);
  expect(all.orders.open?.id).toBe(1);
  return all;
}

describe('buying', () => {
  it('without a wallet shows that one is being connected, then one message, and calls nobody', async () => {
    changeUser({ wallet_address: null });
    const { root, host, orders } = await inMarket();
    expect(await orders.buy(five)).toBe(false);
    expect(root.toasts.shown).toMatchObject({ kind: 'wait', text: 'toast.connecting_wallet' });
    await pass(310);
    expect([root.toasts.shown?.text, root.toasts.waiting]).toEqual(['errors.wallet_needed', 0]);
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

function modalOver({ modals }: RootStore) {
  modals.openSheet('profile');
}

describe('an order', () => {
  it('is asked for every 3 s while its drawer is open, every 15 s while it is not', async () => {
    const { root } = await ordered();
    const first = polls();
    await pass(9000);
    expect(polls() - first).toBe(3);
    root.modals.closeSheet();
    await pass(14_000);
    expect(polls() - first).toBe(3);
    await pass(2000);
    expect(polls() - first).toBe(4);
    root.modals.openSheet('order');
    await pass(10);
    expect(polls() - first).toBe(5);
  });

  it('is not asked for in the background, and at once when the player is back from the wallet', async () => {
    await ordered();
    const before = polls();
    setVisibility('hidden');
    await pass(60_000);
    expect(polls()).toBe(before);
    setVisibility('visible');
    await pass(10);
    expect(polls()).toBe(before + 1);
  });

  it('that was paid brings the balance, a word and a feeling, once', async () => {
    const { root, host, orders } = await ordered();
    await pass(6000); // the words about the link are over
    changeUser({ balance: { purchased_mcbk: 2500 } });
    server.market.becomes(1, { status: 'paid' });
    await pass(3010);
    expect(root.user.user?.balance.purchased_mcbk).toBe(2500);
    expect([orders.order?.status, host.rewards, root.toasts.shown?.text]).toEqual([
      'paid',
      1,
      'toast.credited',
    ]);
    await pass(60_000);
    expect(host.rewards).toBe(1);
    server.market.becomes(1, { paid_ton: 10 });
    await pass(3010);
    expect(host.rewards).toBe(2);
    root.modals.closeSheet();
    await pass(10);
    const before = polls();
    await pass(60_000);
    expect([orders.order, polls(), host.rewards]).toEqual([null, before, 2]);
  });

  it('that was paid while its drawer was closed is told too', async () => {
    const { root, host, orders } = await ordered();
    root.modals.closeSheet();
    await pass(5000);
    server.market.becomes(1, { status: 'paid' });
    await pass(10_500);
    expect([root.toasts.shown?.text, host.rewards, orders.order]).toEqual(['toast.credited', 1, null]);
  });

  it.each([
    ['waits at their wallet', 1],
    ['reads it, and may have scrolled on', 0],
  ])('that is paid, for who %s, has the list asked for %d times', async (_, times) => {
    const { root } = await ordered();
    root.modals.closeSheet();
    root.route.go('/wallet');
    await pass(100);
    if (times === 0) root.modals.openSheet('history');
    const asked = () => requestsTo('user/transactions').length;
    const before = asked();
    server.market.becomes(1, { status: 'paid' });
    await pass(15_500);
    expect(asked()).toBe(before + times);
    root.modals.closeSheet();
    await pass(100);
    expect(asked()).toBe(before + 1);
  });

  it.each(['expired', 'held'] as const)(
    'that is %s is still asked for while it is looked at',
    async (status) => {
      const { root, orders } = await ordered();
      server.market.becomes(1, { status });
      await pass(3010);
      expect([orders.order?.status, orders.open]).toEqual([status, null]);
      const before = polls();
      await pass(3010);
      expect(polls()).toBe(before + 1);
      root.modals.closeSheet();
      await pass(60_000);
      expect([orders.order?.status, polls()]).toEqual([status === 'held' ? status : undefined, before + 1]);
    },
  );

  it('survives a poll without an answer', async () => {
    const { orders } = await ordered();
    server.weatherOf['/api/orders/1'] = ['cut', { status: 503, code: 'overloaded' }];
    await pass(6010);
    expect(orders.open?.id).toBe(1);
    server.market.becomes(1, { status: 'paid' });
    await pass(3000);
    expect(orders.order?.status).toBe('paid');
  });

  it('can be cancelled', async () => {
    const { orders } = await ordered();
    void orders.cancel();
    await pass(10);
    expect([orders.order?.status, server.market.orders[0]?.status]).toEqual(['cancelled', 'cancelled']);
  });

  it('that was paid before it could be cancelled is paid', async () => {
    const { root, orders } = await ordered();
    server.market.becomes(1, { status: 'paid' });
    void orders.cancel();
    await pass(10);
    expect(orders.order?.status).toBe('paid');
    expect(root.toasts.shown?.kind).toBe('success');
  });

  it('is not brought back by an answer from before it was cancelled', async () => {
    const { orders } = await ordered();
    server.silence = 500;
    await pass(3010); // asked, and answered as pending
    server.silence = 0;
    void orders.cancel();
    await pass(1000);
    expect(orders.order?.status).toBe('cancelled');
  });

  it('made while another was being cancelled keeps its place', async () => {
    const { root, orders } = await ordered();
    server.silence = 500;
    void orders.cancel();
    await pass(10);
    server.silence = 0;
    root.modals.closeSheet();
    void orders.buy(2n * oneTon);
    await pass(600);
    expect(orders.order).toMatchObject({ id: 2, status: 'pending' });
    expect(orders.cancelling).toBe(false);
  });
});

describe('an order that ends without a payment', () => {
  it('says that nothing was taken', async () => {
    const { root, orders } = await ordered();
    root.modals.closeSheet();
    await pass(5000);
    server.market.becomes(1, { status: 'expired' });
    await pass(10_500);
    expect([root.toasts.shown?.text, orders.order]).toEqual(['toast.no_payment', null]);
  });

  it('is reported once after a restart, if its payment had left the wallet', async () => {
    const sent = { sent: true, until: Date.now() + 1_000_000 };
    localStorage.setItem('asked_payments', JSON.stringify({ 1: sent }));
    server.market.orders = [2, 1].map((id) => anOrder({ id, status: 'expired' }));
    const { root } = await inMarket();
    expect([root.toasts.shown?.text, root.toasts.waiting]).toEqual(['toast.no_payment', 0]);
    expect(localStorage.getItem('asked_payments')).toBeNull();
  });

  it('says nothing of the kind where money came', async () => {
    const { root } = await ordered();
    root.modals.closeSheet();
    await pass(5000);
    server.market.becomes(1, { status: 'expired', held_ton: 0.05 });
    await pass(10_500);
    expect(root.toasts.shown).toBeNull();
  });
});

describe('after a restart', () => {
  it('the newest order that waits is found, of coins or a mine', async () => {
    server.market.orders = [
      anOrder({ id: 5, kind: 'mine', mcbk_amount: 0, level: 1 }),
      anOrder({ id: 4, status: 'expired' }),
      anOrder({ id: 3 }),
      anOrder({ id: 2 }),
    ];
    const { orders, root } = await inMarket();
    expect(orders.open?.id).toBe(5);
    expect(root.modals.sheet).toBe('none');
    orders.show();
    expect(root.modals.sheet).toBe('order');
  });

  it('money that waits for an admin is found where nothing else waits, and is told once it is credited', async () => {
    server.market.orders = [anOrder({ id: 2, status: 'held', held_ton: 0.05 }), anOrder({ id: 1 })];
    const { orders, root } = await inMarket();
    expect(orders.open?.id).toBe(1);
    void orders.cancel();
    await pass(10);
    expect([orders.unsettled?.id, orders.open]).toEqual([2, null]);
    server.market.becomes(2, { status: 'paid' });
    orders.show();
    await pass(10);
    expect([orders.order?.status, root.toasts.shown?.text]).toEqual(['paid', 'toast.credited']);
    root.modals.closeSheet();
    await pass(10);
    expect(orders.order).toBeNull();
  });

  it('the next one that waits takes the place of one that is over', async () => {
    server.market.orders = [anOrder({ id: 3 }), anOrder({ id: 2 })];
    const { orders, root } = await inMarket();
    orders.show();
    await pass(10);
    void orders.cancel();
    await pass(10);
    expect(orders.order).toMatchObject({ id: 3, status: 'cancelled' });
    root.modals.closeSheet();
    await pass(10);
    expect(orders.open?.id).toBe(2);
  });

  it('nobody who has no order is asked for one again and again', async () => {
    const { orders } = await inMarket();
    await pass(60_000);
    expect([orders.order, requestsTo('orders').length]).toEqual([null, 1]);
  });
});
