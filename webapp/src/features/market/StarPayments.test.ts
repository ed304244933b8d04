import { beforeEach, describe, expect, it } from 'vitest';
import { priceInfo } from '../../testing/FakeMarket';
import { inMarket } from '../../testing/marketGame';
import { pass, requestsTo, server, setUpGame } from '../../testing/playGame';

setUpGame();

beforeEach(() => {
  server.market.payWith = ['TON', 'XTR'];
  localStorage.setItem('pay_with', 'XTR');
});

const sold = () => requestsTo('token/stars');

/** A player without a wallet has ordered coins for 500 Stars; Telegram's payment lies over the game. */
async function ordered() {
  const all = await inMarket();
  all.market.chooseStars(500);
  void all.market.buy();
  await pass(10);
  const { stars } = await all.root.loadTrade();
  return { ...all, stars };
}

describe('what coins are paid with', () => {
  it.each([
    [['TON', 'XTR'], null, 'TON'],
    [['TON', 'XTR'], 'XTR', 'XTR'],
    [['TON'], 'XTR', 'TON'],
    [['XTR'], 'TON', 'XTR'],
    [['XTR', 'TON'], 'DOGE', 'XTR'],
  ] as const)('of %o, last %s, is %s', async (payWith, last, currency) => {
    server.market.payWith = payWith;
    if (last === null) localStorage.removeItem('pay_with');
    else localStorage.setItem('pay_with', last);
    const { market } = await inMarket();
    expect([market.currency, market.needsWallet]).toEqual([currency, currency === 'TON']);
  });

  it('is kept on the device', async () => {
    const { market } = await inMarket();
    market.payWith('TON');
    expect(localStorage.getItem('pay_with')).toBe('TON');
    expect((await inMarket()).market.currency).toBe('TON');
  });
});

describe('an order in Stars', () => {
  it('needs no wallet, and opens Telegram’s payment and the drawer', async () => {
    const { root, host, orders } = await ordered();
    expect(sold().map(({ body }) => body)).toEqual([{ stars: 500 }]);
    expect(orders.open).toMatchObject({ currency: 'XTR', stars: 500, mcbk_amount: 1300 });
    expect(host.invoices.map(({ link }) => link)).toEqual([orders.open?.paymentLink]);
    expect([root.modals.sheet, host.opened, root.toasts.shown]).toEqual(['order', [], null]);
  });

  it('asks again by the same key when the answer was lost, and has one order', async () => {
    const { market, host } = await inMarket();
    server.weatherOf['/api/token/stars'] = ['lost answer'];
    for (let press = 0; press < 2; press += 1) {
      void market.buy();
      await pass(10);
    }
    const keys = sold().map(({ headers }) => headers.get('Idempotency-Key'));
    expect([keys.length, new Set(keys).size, server.market.orders.length]).toEqual([2, 1, 1]);
    expect(host.invoices.length).toBe(1);
  });

  it.each([
    ['payment_link_failed', 502, 'errors.payment_link_failed'],
    ['price_unavailable', 503, 'errors.price_unavailable'],
    ['too_many_open_orders', 409, 'errors.too_many_open_orders'],
    ['rate_limited', 429, 'errors.rate_limited'],
  ])('refused with %s says why, and opens nothing', async (code, status, text) => {
    const { root, market, host } = await inMarket();
    server.weatherOf['/api/token/stars'] = [{ status, code }];
    void market.buy();
    await pass(10);
    expect([root.toasts.shown?.text, host.invoices, root.modals.sheet]).toEqual([text, [], 'none']);
  });

  it.each([
    [100, { min: 200, max: 10_000 }, 200],
    [2500, { min: 1, max: 1000 }, 1000],
  ])(
    'of %d Stars is told the bounds an admin has set meanwhile, and keeps to them',
    async (stars, set, now) => {
      const { root, market } = await inMarket();
      market.chooseStars(stars);
      server.market.info = priceInfo({ stars: { usd: 0.013, ...set } });
      void market.buy();
      await pass(10);
      const { min, max } = set;
      expect(root.toasts.shown).toMatchObject({
        text: 'toast.star_bounds',
        values: { min: String(min), max: String(max) },
      });
      expect([market.stars, market.starPresets.includes(now)]).toEqual([now, true]);
    },
  );
});

describe('what Telegram says of the payment', () => {
  it.each(['paid', 'pending'] as const)(
    '%s is no proof: the server is asked until it says so',
    async (status) => {
      const { host, orders, stars, payments } = await ordered();
      const asked = requestsTo('orders/1').length;
      host.invoices[0]?.close(status);
      await pass(10);
      expect(requestsTo('orders/1').length).toBe(asked + 1);
      expect([orders.order?.status, host.rewards, payments.sent]).toEqual(['pending', 0, [1]]);
      expect(orders.order && stars.statusOf(orders.order)).toBe(status);
      await pass(9000);
      expect([requestsTo('orders/1').length, orders.order?.status]).toEqual([asked + 4, 'pending']);
      server.market.becomes(1, { status: 'paid', paid_mcbk: 1300 });
      await pass(3000);
      expect([orders.order?.status, host.rewards]).toEqual(['paid', 1]);
    },
  );

  it('paid is remembered: the order found again is not paid twice', async () => {
    const { host } = await ordered();
    host.invoices[0]?.close('paid');
    await pass(10);
    const again = await inMarket();
    const { stars } = await again.root.loadTrade();
    if (again.orders.open) void stars.pay(again.orders.open);
    await pass(10);
    expect([again.orders.open?.id, again.payments.sent, again.host.invoices]).toEqual([1, [1], []]);
  });

  it.each(['cancelled', 'failed'] as const)(
    '%s leaves the order to be paid by the same link',
    async (status) => {
      const { host, orders, stars, payments } = await ordered();
      host.invoices[0]?.close(status);
      await pass(10);
      const { open } = orders;
      expect([open && stars.statusOf(open), payments.sent]).toEqual([status, []]);
      if (open) void stars.pay(open);
      await pass(10);
      expect(host.invoices.map(({ link }) => link)).toEqual([open?.paymentLink, open?.paymentLink]);
      expect(sold().length).toBe(1);
      void orders.cancel();
      await pass(10);
      expect(orders.order?.status).toBe('cancelled');
    },
  );

  it('nothing leaves the order to the server, and to another press', async () => {
    const { host, orders, stars } = await ordered();
    const { open } = orders;
    if (!open) throw new Error('no order');
    void stars.pay(open);
    expect(host.invoices.length).toBe(1); // a finger that taps twice
    await pass(3000);
    void stars.pay(open);
    expect(host.invoices.length).toBe(2);
    host.invoices[1]?.close(null);
    await pass(10);
    expect(stars.statusOf(open)).toBeNull();
    server.market.becomes(1, { status: 'paid', paid_mcbk: 1300 });
    await pass(3000);
    expect(orders.order?.status).toBe('paid');
  });

  it('is of no matter where the server knew of the payment before', async () => {
    const { host, orders } = await ordered();
    server.market.becomes(1, { status: 'paid', paid_mcbk: 1300 });
    await pass(3010);
    host.invoices[0]?.close('cancelled');
    await pass(10);
    expect([orders.order?.status, host.rewards]).toEqual(['paid', 1]);
  });
});

it('an open order in Stars is found after a reload, and can be paid', async () => {
  await ordered();
  const { host, orders, root } = await inMarket();
  const { stars } = await root.loadTrade();
  expect(orders.open).toMatchObject({ id: 1, currency: 'XTR' });
  if (orders.open) void stars.pay(orders.open);
  expect(host.invoices.map(({ link }) => link)).toEqual([orders.open?.paymentLink]);
});
