import { beforeEach, describe, expect, it, vi } from 'vitest';
import { anOrder, launchPrices, priceInfo } from '../../testing/FakeMarket';
import { aReward } from '../../testing/FakeServer';
import { changeUser, pass, playGame, requestsTo, server, setUpGame } from '../../testing/playGame';

setUpGame();

beforeEach(async () => {
  await import('../market/Trade'); // in the app a moment's fetch
  server.market.info = launchPrices();
  change({ wallet_address: '0:aa' });
});

function change(user: object) {
  changeUser({ ...user });
}

async function started(path = '/') {
  const { root, host } = await playGame({ path });
  expect(root.tap.tap()).toEqual({ is: 'counted' });
  return { root, host };
}

describe('the offer', () => {
  it('does not come to who has not tapped in this visit', async () => {
    const { root } = await playGame();
    await pass(10_000);
    expect(root.modals.has('discount')).toBe(false);
    root.tap.tap();
    await pass(1600);
    expect(root.modals.shown?.is).toBe('discount');
  });

  it('comes 1.5 s after the first tap, and not sooner', async () => {
    const { root } = await started();
    await pass(1400);
    expect(root.modals.shown).toBeNull();
    await pass(200);
    expect(root.modals.shown?.is).toBe('discount');
  });

  it('goes when a press on it hears that nothing is sold', async () => {
    const { root } = await started();
    await pass(1600);
    const { discount } = await root.loadTrade();
    server.market.open = false;
    server.weatherOf['/api/token/purchase'] = [
      { status: 503, code: 'maintenance', params: { feature: 'sales' } },
    ];
    void discount.buy();
    await pass(10);
    expect([root.modals.has('discount'), root.toasts.shown?.text]).toEqual([false, 'errors.maintenance']);
  });

  it('waits behind the daily reward', async () => {
    server.player(7).due = aReward();
    const { root } = await started();
    await pass(2000);
    expect([root.modals.shown?.is, root.modals.has('discount')]).toEqual(['daily', false]);
    root.daily.claim();
    await pass(400);
    expect(root.modals.shown).toBeNull();
    await pass(2000);
    expect(root.modals.shown?.is).toBe('discount');
  });

  it('is nobody’s who has not accepted the rules; with them it comes', async () => {
    change({ age_consent_accepted: false });
    const { root } = await playGame();
    root.tap.tap();
    await pass(5000);
    expect(root.modals.has('discount')).toBe(false);
    void root.user.change({ age_consent_accepted: true });
    await pass(1600);
    expect(root.modals.shown?.is).toBe('discount');
  });

  it('does not slip under a tapping finger', async () => {
    const { root } = await started('/tap');
    await pass(5000);
    expect(root.modals.shown).toBeNull();
    root.route.go('/wallet');
    await pass(4000);
    expect(root.modals.shown?.is).toBe('discount');
  });

  it('does not come to who began to tap while it was being asked about', async () => {
    const { root } = await started();
    server.delay = 1000;
    await pass(1600);
    root.route.go('/tap');
    await pass(9000);
    expect(root.modals.shown).toBeNull();
    root.route.go('/wallet');
    await pass(3000);
    expect(root.modals.shown?.is).toBe('discount');
  });

  it.each([
    ['the launch price is over', () => (server.market.info = priceInfo())],
    ['it ended a moment ago', () => (server.market.info = launchPrices('2026-03-01T12:00:01Z'))],
    ['sales are closed', () => (server.market.open = false)],
    ['nobody knows the price', () => (server.weatherOf['/api/token/price-info'] = ['cut'])],
    ['nobody knows whether anything is sold', () => (server.weatherOf['/api/config'] = ['cut', 'cut'])],
  ])('does not come when %s', async (_, prepare) => {
    prepare();
    const { root } = await started();
    await pass(5000);
    expect([root.modals.shown, root.toasts.shown]).toEqual([null, null]);
  });

  it('does not come to the market while an order waits there to be paid; without one it does', async () => {
    server.market.orders = [anOrder()];
    const { root } = await started('/market');
    await pass(3000);
    expect(root.modals.has('discount')).toBe(false);
    server.market.orders = [];
    const other = await started('/market');
    await pass(3000);
    expect(other.root.modals.shown?.is).toBe('discount');
  });

  it('goes at the very second the launch price ends', async () => {
    server.market.info = launchPrices('2026-03-01T12:10:00Z');
    const { root } = await started();
    await pass(600_000 - 2500 - 100);
    expect(root.modals.shown?.is).toBe('discount');
    await pass(200);
    expect(root.modals.shown).toBeNull();
  });

  it('stays when the launch price ends later than a timer can wait for', async () => {
    server.market.info = launchPrices('2026-04-10T00:00:00Z');
    const { root } = await started();
    await pass(5000);
    expect(root.modals.shown?.is).toBe('discount');
  });

  it('goes when the price turns out to have risen already', async () => {
    const { root } = await started();
    await pass(2000);
    server.market.info = priceInfo();
    await pass(300_000);
    expect(root.modals.shown).toBeNull();
  });
});

describe('Skip', () => {
  it('keeps it away for 24 h, and only from this player', async () => {
    const { root } = await started();
    await pass(2000);
    (await root.loadTrade()).discount.dismissForDay();
    expect(root.modals.shown).toBeNull();
    const begun = Date.now();
    vi.setSystemTime(begun + 86_000_000);
    server.serverTime = new Date(Date.now()).toISOString();
    const again = await started();
    await pass(2000);
    expect(again.root.modals.has('discount')).toBe(false);
    vi.setSystemTime(begun + 86_500_000);
    server.serverTime = new Date(Date.now()).toISOString();
    const later = await started();
    await pass(2000);
    expect(later.root.modals.has('discount')).toBe(true);
    expect(Object.keys(localStorage)).toContain('discount_skipped:7');
  });

  it('is not what Close does: the next visit is asked again, this one is not', async () => {
    const { root } = await started();
    await pass(2000);
    (await root.loadTrade()).discount.close();
    root.route.go('/tap');
    await pass(100);
    root.route.go('/');
    await pass(10_000);
    expect(root.modals.has('discount')).toBe(false);
    const again = await started();
    await pass(2000);
    expect(again.root.modals.shown?.is).toBe('discount');
  });
});

describe('buying', () => {
  it('is of 1 TON, by the same way as in the market, and closes the modal', async () => {
    const { root, host } = await started();
    await pass(2000);
    const { discount } = await root.loadTrade();
    void discount.buy();
    await pass(10);
    expect(requestsTo('token/purchase').map(({ body }) => body)).toEqual([{ ton_amount: 1 }]);
    expect([root.modals.shown, root.modals.sheet, host.opened.length]).toEqual([null, 'order', 1]);
  });

  it('that was refused keeps the offer, and says why', async () => {
    const { root } = await started();
    await pass(2000);
    server.weatherOf['/api/token/purchase'] = [{ status: 503, code: 'price_unavailable' }];
    void (await root.loadTrade()).discount.buy();
    await pass(10);
    expect([root.modals.shown?.is, root.toasts.shown?.text]).toEqual([
      'discount',
      'errors.price_unavailable',
    ]);
  });

  it('without a wallet has one connected, and orders nothing', async () => {
    change({ wallet_address: null });
    const { root, host } = await started();
    await pass(2000);
    const { discount } = await root.loadTrade();
    expect(discount.needsWallet).toBe(true);
    void discount.buy();
    await pass(10);
    expect([root.modals.shown, root.toasts.shown?.text]).toEqual([null, 'toast.connecting_wallet']);
    await pass(300);
    expect([host.wallet.windows, root.toasts.shown?.text]).toEqual([1, 'errors.wallet_needed']);
    expect([root.route.path, requestsTo('token/purchase').length]).toEqual(['/', 0]);
    await host.wallet.accept();
    await pass(1000);
    expect(root.modals.shown?.is).toBe('discount'); // now it can be bought
  });

  it('is not offered again to who went elsewhere before they had a wallet', async () => {
    change({ wallet_address: null });
    const { root, host } = await started();
    await pass(2000);
    void (await root.loadTrade()).discount.buy();
    await pass(300);
    root.route.go('/wallet');
    await host.wallet.accept();
    await pass(1000);
    root.route.go('/');
    await pass(5000);
    expect([root.user.user?.wallet_address, root.modals.shown]).toEqual([expect.any(String), null]);
  });
});
