import { describe, expect, it } from 'vitest';
import type { SpinReward } from '../../api/types';
import type { RootStore } from '../../app/RootStore';
import { aPrize } from '../../testing/FakeWheel';
import { pass, playGame, requestsTo, server, setUpGame } from '../../testing/playGame';
import { adMultiplier, canDouble } from './prize';

setUpGame({ path: '/roulette' });

const paths = () => server.requests.map(({ path }) => path).filter((path) => /claim|double|chest/.test(path));

const coins = aPrize({ type: 'coins_3', segment: 4, coins: 3, canDoubleWithAd: false });
const points = aPrize({ type: 'points_200', segment: 3, points: 200 });
const bonus = aPrize({
  type: 'bonus_spin',
  segment: 6,
  bonus_spin: true,
  additional_reward: { coins: 0, points: 10 },
  canDoubleWithAd: false,
});
const chestOf = (type: 'coin_2_points_75' | 'spins_2' | 'coin_3_spin_1') => {
  const is = {
    coin_2_points_75: { spins: 0, coins: 2, points: 75, canDoubleWithAd: true },
    spins_2: { spins: 2, coins: 0, points: 0, canDoubleWithAd: false },
    coin_3_spin_1: { spins: 1, coins: 3, points: 0, canDoubleWithAd: true },
  }[type];
  return aPrize({ type: 'chest', segment: 0, chest: { type, ...is }, canDoubleWithAd: is.canDoubleWithAd });
};
const golden = (reward: SpinReward, change: Partial<SpinReward>): SpinReward => ({
  ...reward,
  is_golden: true,
  multiplier: 5,
  canDoubleWithAd: true,
  ...change,
});

/** The wheel has stopped on this prize. */
async function won(reward: SpinReward) {
  server.wheel.prizes = [reward];
  Object.assign(server.player(7), { golden: reward.is_golden });
  const { root, host } = await playGame();
  await pass(100);
  void root.wheel.spin(reward.is_golden);
  await pass(7001);
  expect(root.modals.shown?.is).toBe('win');
  return { root, host, wheel: root.wheel, prize: root.wheel.prize };
}

const figures = (root: RootStore) => {
  const { game_mcbk, game_points, daily_spins } = root.user.user?.balance ?? expect.fail('nobody');
  return { coins: game_mcbk, points: game_points, spins: daily_spins };
};

describe('a claim', () => {
  it('of coins alone only closes: the spin has paid them', async () => {
    const { root, prize } = await won(coins);
    expect(await prize.claim()).toBe(true);
    expect(root.modals.shown).toBeNull();
    expect(paths()).toEqual([]);
    expect(figures(root)).toEqual({ coins: 3, points: 0, spins: 9 });
  });

  it.each([
    ['points', points, '/api/roulette/claim-reward', { coins: 0, points: 200, spins: 9 }],
    ['a bonus spin', bonus, '/api/roulette/claim-reward', { coins: 0, points: 10, spins: 10 }],
    [
      'a chest',
      chestOf('coin_2_points_75'),
      '/api/roulette/claim-chest-reward',
      { coins: 2, points: 75, spins: 9 },
    ],
    [
      'a chest of spins',
      chestOf('spins_2'),
      '/api/roulette/claim-chest-reward',
      { coins: 0, points: 0, spins: 11 },
    ],
  ])('of %s is paid by its call, which tells the status', async (_, reward, path, after) => {
    const { root, prize, wheel } = await won(reward);
    const asked = () => requestsTo('roulette/status').length;
    const before = asked();
    expect(await prize.claim()).toBe(true);
    await pass(0);
    expect(paths()).toEqual([path]);
    expect(figures(root)).toEqual(after);
    expect([root.modals.shown, prize.spin, wheel.status?.daily_spins]).toEqual([null, null, after.spins]);
    expect(asked()).toBe(before);
  });

  it('names the spin, and of a chest that no ad was seen', async () => {
    const { prize } = await won(chestOf('coin_2_points_75'));
    await prize.claim();
    const claim = server.requests.find(({ path }) => path.endsWith('claim-chest-reward'));
    expect(claim?.body).toEqual({ spin_id: 101, watch_ad: false });
  });

  it('is made once, however often it is pressed', async () => {
    const { prize } = await won(points);
    server.delay = 300;
    const first = prize.claim();
    expect(prize.claiming).toBe(true);
    expect(await prize.claim()).toBe(false);
    expect(await prize.double()).toBe('closed');
    await pass(300);
    expect(await first).toBe(true);
    expect(paths()).toHaveLength(1);
  });

  it('without a network is said, and can be made again', async () => {
    const { root, prize } = await won(points);
    server.weather = ['cut'];
    expect(await prize.claim()).toBe(false);
    expect(root.toasts.shown?.text).toBe('errors.offline');
    expect([root.modals.shown?.is, prize.claiming]).toEqual(['win', false]);
    expect(await prize.claim()).toBe(true);
    expect(figures(root).points).toBe(200);
  });

  it('while the wheel is switched off says so, closes the wheel, and keeps the prize', async () => {
    const { root, prize, wheel } = await won(points);
    server.weatherOf['/api/roulette/claim-reward'] = [
      { status: 503, code: 'maintenance', params: { feature: 'wheel' } },
    ];
    expect(await prize.claim()).toBe(false);
    expect([root.toasts.shown?.text, root.modals.shown?.is, prize.claiming]).toEqual([
      'errors.maintenance',
      'win',
      false,
    ]);
    expect([wheel.closed, wheel.canSpin]).toEqual([true, false]);
    expect(await prize.claim()).toBe(true);
    expect(figures(root).points).toBe(200);
    expect([wheel.closed, wheel.canSpin]).toEqual([false, true]);
  });

  it('that fails once its window is closed says that the prize comes by itself', async () => {
    const { root } = await won(points);
    server.weatherOf['/api/roulette/claim-reward'] = ['cut'];
    root.modals.close('win');
    await pass(10);
    expect(root.toasts.shown).toMatchObject({ kind: 'info', text: 'toast.prize_comes' });
  });

  it.each([
    ['points', points],
    ['a chest', chestOf('coin_2_points_75')],
  ])('after the season is none, and the prize comes by itself: %s', async (_, reward) => {
    const { root, prize } = await won(reward);
    const path = reward.chest ? '/api/roulette/claim-chest-reward' : '/api/roulette/claim-reward';
    server.weatherOf[path] = [{ status: 409, code: 'season_over' }];
    expect(await prize.claim()).toBe(false);
    expect([root.modals.shown, prize.spin, root.toasts.shown?.text]).toEqual([
      null,
      null,
      'toast.prize_comes',
    ]);
    const { root: again } = await playGame();
    await pass(500);
    expect(again.modals.has('win')).toBe(false);
  });

  it('whose answer was lost closes when it is made again', async () => {
    const { root, prize } = await won(points);
    server.weather = ['lost answer'];
    await prize.claim();
    root.toasts.dismiss(root.toasts.shown?.id ?? 0);
    expect(await prize.claim()).toBe(false);
    await pass(0);
    expect([root.modals.shown, root.toasts.shown]).toEqual([null, null]);
    expect(figures(root).points).toBe(200);
  });

  it('is what closing in any other way means', async () => {
    const { root, wheel } = await won(points);
    root.back();
    await pass(0);
    expect(root.modals.shown).toBeNull();
    expect(paths()).toEqual(['/api/roulette/claim-reward']);
    expect(figures(root).points).toBe(200);
    expect(wheel.canSpin).toBe(true);
  });

  it('that failed behind a closed modal is made up for when the game is opened again', async () => {
    const { root, wheel } = await won(points);
    server.weatherOf['/api/roulette/claim-reward'] = ['cut'];
    root.back();
    await pass(0);
    expect([root.modals.shown, wheel.canSpin]).toEqual([null, true]);
    const { root: again } = await playGame();
    await pass(100);
    expect(again.modals.shown?.is).toBe('win');
  });
});

describe('a double', () => {
  it.each([
    ['points', aPrize({ type: 'points_50', segment: 7, points: 50 }), true, 2],
    ['200 points', points, true, 3],
    ['a chest of coins and points', chestOf('coin_2_points_75'), true, 3],
    ['a chest with a spin', chestOf('coin_3_spin_1'), true, 2],
    ['golden points', golden(points, { points: 1000 }), true, 2],
    ['golden coins', golden(coins, { coins: 15 }), true, 2],
    ['coins', coins, false, 2],
    ['a chest of spins', chestOf('spins_2'), false, 2],
    ['a bonus spin', bonus, false, 2],
    ['a golden bonus spin', golden(bonus, {}), false, 10],
  ])('of %s: offered %s', (_, reward, offered, times) => {
    expect(canDouble(reward)).toBe(offered);
    if (offered) expect(adMultiplier(reward)).toBe(times);
  });

  it.each([
    ['points', points, '/api/roulette/double-reward', { coins: 0, points: 600, spins: 9 }, 'toast.points'],
    [
      'a chest',
      chestOf('coin_2_points_75'),
      '/api/roulette/claim-chest-reward',
      { coins: 6, points: 225, spins: 9 },
      'toast.won_both',
    ],
    [
      'golden coins',
      golden(coins, { coins: 15 }),
      '/api/roulette/double-reward',
      { coins: 30, points: 0, spins: 9 },
      'toast.won_coins',
    ],
  ])(
    'of %s comes after an ad for this spin, and says what it was in all',
    async (_, reward, path, after, text) => {
      const { root, host, prize } = await won(reward);
      const outcome = prize.double();
      await pass(0);
      expect(server.requests.at(-1)?.body).toEqual({ purpose: 'roulette', target_id: 101 });
      expect(root.modals.shown?.is).toBe('ad');
      server.confirmAd();
      host.ads?.[0]?.end({ done: true });
      expect(await outcome).toBe('confirmed');
      expect(paths()).toEqual([path]);
      if (reward.chest)
        expect(server.requests.find((one) => one.path === path)?.body).toMatchObject({ watch_ad: true });
      expect(figures(root)).toEqual(after);
      expect(root.modals.shown).toBeNull();
      expect(root.toasts.shown?.text).toBe(text);
    },
  );

  it('not seen to its end leaves the prize to be claimed', async () => {
    const { root, host, prize } = await won(points);
    const outcome = prize.double();
    await pass(0);
    host.ads?.[0]?.refuse({ done: false, error: false });
    expect(await outcome).toBe('closed');
    expect(root.modals.shown?.is).toBe('win');
    expect(await prize.claim()).toBe(true);
    expect(figures(root).points).toBe(200);
  });

  it('that is late closes without a claim, stops nobody, and comes by itself', async () => {
    const { root, host, prize, wheel } = await won(points);
    const outcome = prize.double();
    await pass(0);
    host.ads?.[0]?.end({ done: true });
    await pass(30_000);
    expect(await outcome).toBe('late');
    root.modals.close('ad');
    await pass(0);
    expect(root.modals.shown).toBeNull();
    expect(paths().filter((path) => path.includes('claim'))).toEqual([]);
    expect(wheel.canSpin).toBe(true);
    server.confirmAd();
    await pass(15_000);
    expect(figures(root).points).toBe(600);
    expect(root.toasts.shown?.text).toBe('toast.points');
  });

  it('that comes late says so beside the button', async () => {
    const { root, host, prize } = await won(points);
    void prize.double();
    await pass(0);
    host.ads?.[0]?.end({ done: true });
    await pass(1000);
    expect(prize.awaited).toBe(true);
    expect(root.modals.shown?.is).toBe('ad');
  });
});

it('goes before what comes by itself, and after the ad for it', async () => {
  const { root } = await won(points);
  root.modals.enqueue({ is: 'daily' });
  root.modals.enqueue({ is: 'discount' });
  expect(root.modals.shown?.is).toBe('win');
  root.modals.enqueue({ is: 'ad' });
  expect(root.modals.shown?.is).toBe('ad');
});
