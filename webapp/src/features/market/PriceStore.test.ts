import { describe, expect, it } from 'vitest';
import { aPrice, priceInfo } from '../../testing/FakeMarket';
import { noon, pass, playGame, requestsTo, server, setUpGame, setVisibility } from '../../testing/playGame';

setUpGame();

const asked = (path: string) => requestsTo(`token/${path}`).length;

/** A player who stands in the market. */
async function inMarket() {
  const { root } = await playGame();
  const trade = await root.loadTrade();
  root.route.go('/market');
  await pass(10);
  return { root, prices: trade.prices };
}

describe('the TON price', () => {
  it('is asked for every 120 s while the market is open, and no more when it is left', async () => {
    const { root } = await inMarket();
    expect(asked('ton-price')).toBe(1);
    await pass(120_000);
    expect(asked('ton-price')).toBe(2);
    await pass(240_000);
    expect(asked('ton-price')).toBe(4);
    root.route.go('/referral');
    await pass(600_000);
    expect(asked('ton-price')).toBe(4);
  });

  it('is not asked for while nobody looks, but at once when somebody does', async () => {
    await inMarket();
    setVisibility('hidden');
    await pass(600_000);
    expect([asked('ton-price'), asked('price-info')]).toEqual([1, 1]);
    setVisibility('visible');
    await pass(10);
    expect([asked('ton-price'), asked('price-info')]).toEqual([2, 2]);
    await pass(30_000); // what was told last is too old to be sold at
    expect(asked('ton-price')).toBe(3);
  });

  it('is 2.5 and approximate where none could be loaded, and right again after the next try', async () => {
    server.weatherOf['/api/token/ton-price'] = ['cut'];
    const { prices } = await inMarket();
    expect(prices.rate).toEqual({ usd: 2_500_000, approximate: true, fallback: true });
    server.market.ton = aPrice({ data: { ton_price_usd: 3.123456, mcbk_price_usd: 0.005 } });
    await pass(120_000);
    expect(prices.rate).toEqual({ usd: 3_123_456, approximate: false });
    server.weatherOf['/api/token/ton-price'] = ['cut'];
    await pass(120_000);
    expect(prices.rate).toEqual({ usd: 3_123_456, approximate: false });
  });

  it('is approximate once it is ten minutes old, whether or not anybody says so', async () => {
    const { prices } = await inMarket();
    server.weatherOf['/api/token/ton-price'] = Array(9).fill('cut');
    await pass(590_000);
    expect(prices.rate).toEqual({ usd: 2_500_000, approximate: false });
    await pass(15_000);
    expect(prices.rate).toEqual({ usd: 2_500_000, approximate: true });
  });

  it('is approximate when the server says that it is stale', async () => {
    server.market.ton = aPrice({ stale: true });
    const { prices } = await inMarket();
    expect(prices.rate).toEqual({ usd: 2_500_000, approximate: true });
  });
});

describe('the price info', () => {
  it('is not known before it has been told', async () => {
    server.delay = 5000;
    const { prices } = await inMarket();
    expect([prices.rate, prices.price]).toEqual([null, null]);
  });

  it('is asked for once by two who want it at the same time, and both are told', async () => {
    const { root } = await playGame();
    const { prices } = await root.loadTrade();
    const loaded = Promise.all([prices.loadInfoIfStale(), prices.loadInfoIfStale()]);
    await pass(10);
    expect((await loaded).map((info) => info?.price)).toEqual([0.005, 0.005]);
    expect(asked('price-info')).toBe(1);
  });

  it('is kept for 60 s: who comes back sooner is not asked for', async () => {
    const { root } = await inMarket();
    const first = asked('price-info');
    for (const path of ['/referral', '/market'] as const) root.route.go(path);
    await pass(10);
    expect(asked('price-info')).toBe(first);
    root.route.go('/referral');
    await pass(60_000);
    root.route.go('/market');
    await pass(10);
    expect(asked('price-info')).toBe(first + 1);
  });

  it('is asked for again after 5 minutes', async () => {
    await inMarket();
    const first = asked('price-info');
    await pass(290_000);
    expect(asked('price-info')).toBe(first);
    await pass(10_000);
    expect(asked('price-info')).toBe(first + 1);
  });

  it('is asked for when its countdown has reached 0, and then shows the next price', async () => {
    const changes = noon + 70_000;
    server.market.info = priceInfo({ next_change_at: new Date(changes).toISOString() });
    const { prices } = await inMarket();
    const first = asked('price-info');
    expect(prices.price).toEqual({ usd: 5000, next: 5300, changesAt: changes, approximate: false });
    server.market.info = priceInfo({ price: 0.0053, next_price: null, next_change_at: null });
    await pass(changes - Date.now() - 10);
    expect(asked('price-info')).toBe(first);
    await pass(20);
    expect(asked('price-info')).toBe(first + 1);
    expect(prices.price).toEqual({ usd: 5300, next: null, changesAt: null, approximate: false });
  });

  it('is not asked for without end by a clock that is ahead of the server', async () => {
    server.market.info = priceInfo({ next_change_at: new Date(noon).toISOString() });
    await inMarket();
    const first = asked('price-info');
    await pass(60_000);
    expect(asked('price-info') - first).toBeLessThanOrEqual(12);
  });

  it('falls back to 0.001 and 0.0013, approximate, until Retry finds an answer', async () => {
    server.weatherOf['/api/token/price-info'] = Array(3).fill({ status: 500, code: 'internal' });
    const { prices } = await inMarket();
    expect(prices.info.is).toBe('failed');
    expect(prices.price).toEqual({ usd: 1000, next: 1300, changesAt: null, approximate: true });
    server.weatherOf['/api/token/price-info'] = [];
    void prices.loadInfo();
    await pass(10);
    expect(prices.price).toMatchObject({ usd: 5000, approximate: false });
    // What is known stays when the next try fails.
    server.weatherOf['/api/token/price-info'] = ['cut'];
    void prices.loadInfo();
    await pass(10);
    expect(prices.price).toMatchObject({ usd: 5000, approximate: false });
  });
});

describe('the MCBK price of the wallet screen', () => {
  const silent = Array(9).fill('cut');

  it('is that of the price info', async () => {
    server.market.ton = aPrice({ data: { ton_price_usd: 2.5, mcbk_price_usd: 0.0047 } });
    const { prices } = await inMarket();
    expect(prices.walletPrice).toEqual({ usd: 5000, approximate: false });
  });

  it('is the one that comes with TON’s where the price info does not, approximate once that fails too', async () => {
    server.weatherOf['/api/token/price-info'] = [...silent];
    const { prices } = await inMarket();
    expect(prices.walletPrice).toEqual({ usd: 5000, approximate: false });
    server.weatherOf['/api/token/ton-price'] = ['cut'];
    await pass(120_000);
    expect(prices.walletPrice).toEqual({ usd: 5000, approximate: true });
  });

  it('falls back to 0.01 where neither comes, while the market’s falls back to 0.001', async () => {
    server.weatherOf['/api/token/price-info'] = [...silent];
    server.weatherOf['/api/token/ton-price'] = [...silent];
    const { prices } = await inMarket();
    expect(prices.walletPrice).toEqual({ usd: 10_000, approximate: true, fallback: true });
    expect(prices.price?.usd).toBe(1000);
  });

  it('is not known before anything has been told', async () => {
    server.delay = 5000;
    const { prices } = await inMarket();
    expect(prices.walletPrice).toBeNull();
  });
});
