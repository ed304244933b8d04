import { beforeEach, describe, expect, it, vi } from 'vitest';
import { aReward } from '../../testing/FakeServer';
import { pass, playGame, requestsTo, server, setUpGame } from '../../testing/playGame';

setUpGame();

beforeEach(() => {
  server.player(7).due = aReward();
});

describe('the reward', () => {
  it('is shown on Home, when nothing covers it', async () => {
    const { root } = await playGame({ path: '/wallet' });
    expect(root.daily.isUnshown).toBe(true);
    expect(root.modals.shown).toBeNull();
    root.route.go('/');
    expect(root.modals.shown?.is).toBe('daily');
    expect(root.daily.isUnshown).toBe(false);
  });

  it('is shown once: whoever opens the game again finds the way to its double on Home', async () => {
    const first = await playGame();
    expect(first.root.modals.shown?.is).toBe('daily');
    const { root } = await playGame();
    expect(root.modals.shown).toBeNull();
    expect(root.daily.doublable).toEqual(aReward());
    root.daily.open();
    expect(root.modals.shown?.is).toBe('daily');
    expect(root.daily.shown).toEqual(aReward());
  });

  it('is only closed by Claim', async () => {
    const { root } = await playGame();
    const before = server.requests.length;
    root.daily.claim();
    expect(root.modals.shown).toBeNull();
    expect(server.requests).toHaveLength(before);
    expect(root.daily.doublable).not.toBeNull();
  });

  it('counts on Home once its coins have arrived there', async () => {
    const { root } = await playGame();
    const coins = root.daily.unclaimed;
    expect(coins).toBeGreaterThan(0);
    let breakOff = () => {};
    void root.daily.holdUntil(
      new Promise((_, reject) => {
        breakOff = () => reject(new Error('broken off'));
      }),
    );
    root.daily.claim();
    await pass(1000);
    expect(root.daily.unclaimed).toBe(coins);
    breakOff();
    await pass(0);
    expect(root.daily.unclaimed).toBe(0);
  });

  it('cannot be doubled where the server does not offer it', async () => {
    server.player(7).due = aReward({ canDoubleWithAd: false });
    const { root } = await playGame();
    expect(root.daily.doublable).toBeNull();
    expect(root.daily.shown).toEqual(aReward({ canDoubleWithAd: false }));
  });

  it('is doubled by an ad seen to its end, and says by how much', async () => {
    const { root, host } = await playGame();
    const outcome = root.daily.double();
    await pass(0);
    expect(root.modals.shown?.is).toBe('ad');
    server.confirmAd();
    host.ads?.[0]?.end({ done: true });
    expect(await outcome).toBe('confirmed');
    expect(root.modals.shown).toBeNull();
    expect(root.daily.doublable).toBeNull();
    expect(root.user.user?.balance).toMatchObject({ game_mcbk: 2, game_points: 60 });
    expect(root.toasts.shown).toMatchObject({
      kind: 'success',
      text: 'toast.doubled',
      values: { coins: '1.00', points: '30' },
    });
  });

  it('doubled by an ad whose answer was lost is asked for again with its key', async () => {
    const { root, host } = await playGame();
    server.weatherOf['/api/user/double-reward'] = ['lost answer'];
    const outcome = root.daily.double();
    await pass(0);
    server.confirmAd();
    host.ads?.[0]?.end({ done: true });
    await pass(500);
    await pass(1500);
    expect(await outcome).toBe('confirmed');
    const keys = requestsTo('user/double-reward').map(({ headers }) => headers.get('Idempotency-Key'));
    expect([keys.length, new Set(keys).size]).toEqual([2, 1]);
    expect(root.user.user).toEqual(server.player(7).user);
  });

  it('is doubled by another ad while one is late, and told once', async () => {
    const { root, host } = await playGame();
    void root.daily.double();
    await pass(0);
    host.ads?.[0]?.end({ done: true });
    await pass(30_000);
    root.modals.close('ad');
    root.daily.open();
    expect(root.daily.isDoubleAwaited).toBe(false);
    const second = root.daily.double();
    await pass(0);
    host.ads?.[1]?.end({ done: true });
    server.confirmAd();
    server.confirmAd();
    await pass(1000);
    expect(await second).toBe('confirmed');
    root.toasts.dismiss(root.toasts.shown?.id ?? 0);
    await pass(2_000_000);
    expect(root.toasts.shown).toBeNull();
    expect(root.user.user?.balance).toMatchObject({ game_mcbk: 2, game_points: 60 });
  });

  /** An ad seen 40 s before midnight is late, and the player has come to the next day's reward. */
  async function lateAtMidnight() {
    const all = await playGame();
    await pass(Date.parse('2026-03-01T23:59:20Z') - Date.now());
    void all.root.daily.double();
    await pass(0);
    all.host.ads?.[0]?.end({ done: true });
    await pass(30_000);
    all.root.modals.close('ad');
    server.player(7).due = aReward({ streak: 4, totalDaysInGame: 10 });
    server.serverTime = '2026-03-02T00:00:01Z';
    await pass(12_000);
    return all;
  }

  it('of today is neither kept from its double nor closed by yesterday’s late ad', async () => {
    const { root, host } = await lateAtMidnight();
    expect([root.modals.shown?.is, root.daily.shown?.streak, root.daily.isDoubleAwaited]).toEqual([
      'daily',
      4,
      false,
    ]);
    server.confirmAd();
    await pass(15_000);
    expect(root.user.user?.balance).toMatchObject({ game_mcbk: 3, game_points: 90 });
    expect([root.modals.shown?.is, root.daily.doublable?.streak]).toEqual(['daily', 4]);
    void root.daily.double();
    await pass(0);
    server.confirmAd();
    host.ads?.[1]?.end({ done: true });
    await pass(0);
    expect([root.modals.shown, root.daily.doublable]).toEqual([null, null]);
    expect(root.user.user?.balance).toMatchObject({ game_mcbk: 4, game_points: 120 });
  });

  it('of today is not kept from its double by an ad seen just before midnight', async () => {
    const { root, host } = await playGame();
    await pass(Date.parse('2026-03-01T23:59:55Z') - Date.now());
    void root.daily.double();
    await pass(0);
    host.ads?.[0]?.end({ done: true });
    await pass(1000);
    expect(root.daily.isDoubleAwaited).toBe(true);
    server.player(7).due = aReward({ streak: 4, totalDaysInGame: 10 });
    server.serverTime = '2026-03-02T00:00:01Z';
    await pass(12_000);
    expect([root.daily.doublable?.streak, root.daily.isDoubleAwaited]).toEqual([4, false]);
    await pass(20_000);
    root.modals.close('ad'); // it is late, which closes nothing of today's
    expect(root.modals.shown?.is).toBe('daily');
  });

  it('of today was doubled before yesterday’s late ad, which then says nothing of it again', async () => {
    const { root, host } = await lateAtMidnight();
    await pass(4000);
    const loaded = vi.spyOn(root.toasts, 'show');
    void root.daily.double();
    await pass(0);
    Object.assign(server.ads.tickets.get('ticket-2') ?? {}, { confirmed: true });
    host.ads?.[1]?.end({ done: true });
    await pass(2_000_000);
    expect(loaded).toHaveBeenCalledTimes(1);
  });

  it('is still there when the ad was not seen to its end', async () => {
    const { root, host } = await playGame();
    const outcome = root.daily.double();
    await pass(0);
    host.ads?.[0]?.refuse({ done: false, error: false });
    expect(await outcome).toBe('closed');
    expect(root.modals.shown?.is).toBe('daily');
    expect(root.daily.doublable).not.toBeNull();
  });
});
