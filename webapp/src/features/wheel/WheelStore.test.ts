import { beforeEach, describe, expect, it } from 'vitest';
import { aPrize } from '../../testing/FakeWheel';
import { pass, requestsTo, server, setUpGame } from '../../testing/playGame';
import { segmentAt } from '../../testing/pointer';
import { calls, hold, keys, spun, visit } from '../../testing/wheelGame';

setUpGame({ path: '/roulette' });

const coins = aPrize({ type: 'coins_2', segment: 2, coins: 2, canDoubleWithAd: false });
const goldenCoins = aPrize({
  type: 'coins_2',
  segment: 2,
  coins: 10,
  is_golden: true,
  multiplier: 5,
});

describe('the buttons', () => {
  it('wait for the status, and offer it again when it does not come', async () => {
    server.weatherOf['/api/roulette/status'] = ['cut'];
    const { wheel } = await visit();
    expect(wheel.resource.state.is).toBe('failed');
    expect([wheel.canSpin, wheel.canTakeAdSpin]).toEqual([false, false]);
    await wheel.load();
    expect([wheel.canSpin, wheel.canTakeAdSpin]).toEqual([true, true]);
  });

  it.each([
    [{ daily_spins: 1, ad_spins: 1 }, true, true],
    [{ daily_spins: 0, ad_spins: 1 }, false, true],
    [{ daily_spins: 3, ad_spins: 0 }, true, false],
    [{ daily_spins: 19, ad_spins: 1 }, true, true],
    [{ daily_spins: 20, ad_spins: 1 }, true, false],
  ])('with %o: Free Spin %s, Ad Spin %s', async (spins, free, ad) => {
    hold(spins);
    const { wheel } = await visit();
    expect([wheel.canSpin, wheel.canTakeAdSpin, wheel.canSpinGolden]).toEqual([free, ad, false]);
  });

  it.each([
    [true, 1, true],
    [true, 0, false],
    [false, 1, false],
  ])('golden available %s, with %i spins: Golden %s', async (golden, daily_spins, can) => {
    server.player(7).golden = golden;
    hold({ daily_spins });
    const { wheel } = await visit();
    expect(wheel.canSpinGolden).toBe(can);
  });

  it('are off for a minute, or until the page is looked at, once the server says that the wheel is switched off', async () => {
    server.player(7).golden = true;
    const { wheel, root } = await visit();
    const open = () => [wheel.closed, wheel.canSpin, wheel.canSpinGolden, wheel.canTakeAdSpin];
    const refuse = async () => {
      server.weatherOf['/api/roulette/spin'] = [
        { status: 503, code: 'maintenance', params: { feature: 'wheel' } },
      ];
      await Promise.all([wheel.spin(false), pass(0)]);
    };
    await refuse();
    expect([root.shell.shell.is, root.toasts.shown?.text]).toEqual(['ready', 'errors.maintenance']);
    expect(open()).toEqual([true, false, false, false]);
    await pass(59_000);
    expect(open()).toEqual([true, false, false, false]);
    await pass(1000);
    expect(open()).toEqual([false, true, true, true]);
    await refuse();
    expect(wheel.closed).toBe(true);
    document.dispatchEvent(new Event('visibilitychange'));
    expect(open()).toEqual([false, true, true, true]);
  });

  it('are all off from the press until the wheel has stopped', async () => {
    server.player(7).golden = true;
    server.delay = 300;
    const { wheel } = await visit();
    await pass(600);
    void wheel.spin(false);
    for (const [time, is] of [
      [0, 'asking'],
      [300, 'turning'],
      [4999, 'turning'],
    ] as const) {
      await pass(time);
      expect(wheel.turn.is).toBe(is);
      expect([wheel.spinning, wheel.canSpin, wheel.canSpinGolden, wheel.canTakeAdSpin]).toEqual([
        true,
        false,
        false,
        false,
      ]);
      void wheel.spin(false);
      void wheel.takeAdSpin();
    }
    await pass(1);
    expect(wheel.spinning).toBe(false);
    expect(calls('spin')).toHaveLength(1);
    expect(server.ads.tickets.size).toBe(0);
  });

  it('know what the server says of today when the UTC day changes', async () => {
    hold({ daily_spins: 0, ad_spins: 0 });
    const { wheel } = await visit();
    hold({ daily_spins: 10, ad_spins: 10 });
    server.player(7).streak = 1;
    await pass(12 * 3_600_000);
    expect(wheel.status).toMatchObject({ daily_spins: 10, ad_spins: 10, spin_streak: 1 });
  });
});

describe('a spin', () => {
  it('turns the wheel to the prize of the answer, for 5 s, and then shows it', async () => {
    server.wheel.prizes = [coins];
    const { root, wheel } = await spun();
    expect(calls('spin')[0]?.body).toEqual({ is_golden_spin_requested: false });
    if (wheel.turn.is !== 'turning') return expect.fail('it does not turn');
    expect(segmentAt(wheel.turn.path.to)).toBe(2);
    // The dice of this world always say 0: the least turns, and the first place of the segment.
    expect(wheel.turn.path).toEqual({ from: 0, to: 5 * 360 + 360 - 72 - 14, duration: 5000 });
    await pass(4999);
    expect(root.modals.shown).toBeNull();
    await pass(2);
    expect(root.modals.shown).toEqual({ is: 'win' });
    expect(wheel.prize.spin).toEqual({ spin_id: 101, status: 'credited', reward: coins });
    expect(wheel.angle).toBe(360 - 72 - 14);
  });

  it('begins where the last one stopped', async () => {
    server.wheel.prizes = [coins];
    const { wheel } = await spun();
    await pass(5000);
    await wheel.prize.claim();
    void wheel.spin(false);
    await pass(0);
    expect(wheel.turn).toMatchObject({ is: 'turning', path: { from: 360 - 72 - 14 } });
  });

  it('fades to its result in 300 ms for who wants less motion', async () => {
    const { root, wheel } = await visit({ calm: true });
    void wheel.spin(false);
    await pass(299);
    expect(root.modals.shown).toBeNull();
    await pass(2);
    expect(root.modals.shown?.is).toBe('win');
  });

  it('tells the header nothing before the wheel has stopped, whoever else brings figures', async () => {
    server.wheel.prizes = [coins];
    const { root, wheel } = await spun();
    expect(root.user.user?.balance.game_mcbk).toBe(2);
    await root.user.refresh();
    expect(root.user.user?.stats.won_mcbk).toBe(2);
    expect([wheel.won, wheel.points]).toEqual([0, 0]);
    await pass(5000);
    expect(wheel.won).toBe(2);
    // The spin it cost is no secret.
    expect(wheel.status?.daily_spins).toBe(9);
  });

  it('shows the level that a spin has reached, once its prize is taken', async () => {
    const { root, wheel } = await visit();
    await root.energy.load();
    server.energyLevel = 2;
    void wheel.spin(false);
    await pass(5001);
    expect(root.modals.shown?.is).toBe('win');
    await wheel.prize.claim();
    expect(root.modals.shown).toBeNull();
    await pass(500);
    expect(root.modals.shown).toEqual({ is: 'level', level: 2 });
    root.modals.close('level');
    await root.energy.load();
    await pass(1000);
    expect(root.modals.shown).toBeNull();
  });

  it('tells of the wheel and levels by its answer, and of tasks when the screen that shows them comes', async () => {
    const { root, wheel } = await visit();
    server.player(7).energy = 700;
    const before = server.requests.length;
    void wheel.spin(false);
    await pass(5001);
    expect([root.energy.value?.current_energy, wheel.status]).toEqual([
      700,
      server.wheel.status(server.player(7)),
    ]);
    const paths = server.requests.slice(before).map(({ path }) => path);
    for (const path of ['/api/tap/energy-status', '/api/roulette/status', '/api/tasks']) {
      expect(paths).not.toContain(path);
    }
    const asked = () => requestsTo('tasks').length;
    const now = asked();
    root.route.go('/');
    await pass(10);
    expect(asked()).toBe(now + 1);
    root.route.go('/roulette');
    root.route.go('/');
    await pass(10);
    expect(asked()).toBe(now + 1);
  });

  it.each([
    [{ status: 409, code: 'no_spins_left' }, 'errors.no_spins_left'],
    [{ status: 429, code: 'rate_limited' }, 'errors.rate_limited'],
    [{ status: 503, code: 'maintenance', params: { feature: 'wheel' } }, 'errors.maintenance'],
  ])('refused with %o is said and forgotten: the next one is another', async (weather, words) => {
    const { root, wheel } = await visit();
    server.weatherOf['/api/roulette/spin'] = [weather];
    void wheel.spin(false);
    await pass(0);
    expect(root.toasts.shown?.text).toBe(words);
    expect([wheel.turn.is, root.shell.shell.is]).toEqual(['resting', 'ready']);
    wheel.onForeground();
    void wheel.spin(false);
    await pass(0);
    expect(wheel.turn.is).toBe('turning');
    expect(new Set(keys()).size).toBe(2);
  });

  it('shown while the player has gone elsewhere comes there when the wheel would have stopped', async () => {
    const { root } = await spun();
    await pass(1000);
    root.route.go('/');
    await pass(3999);
    expect(root.modals.shown).toBeNull();
    await pass(2);
    expect(root.modals.shown?.is).toBe('win');
  });

  it('does not come between a finger and the bag', async () => {
    const { root } = await spun();
    root.route.go('/tap');
    await pass(6000);
    expect(root.modals.shown).toBeNull();
    root.route.go('/');
    await pass(1);
    expect(root.modals.shown?.is).toBe('win');
  });
});

describe('the golden spin', () => {
  beforeEach(() => {
    Object.assign(server.player(7), { golden: true, streak: 7 });
    server.wheel.prizes = [goldenCoins];
  });

  it('turns for 7 s and 7 to 10 times, and costs the streak', async () => {
    const { wheel } = await spun(true);
    expect(calls('spin')[0]?.body).toEqual({ is_golden_spin_requested: true });
    expect(wheel.turn).toMatchObject({ path: { to: 7 * 360 + 360 - 72 - 14, duration: 7000 } });
    expect([wheel.streak, wheel.golden]).toEqual([7, true]);
    await pass(7000);
    expect(wheel.status).toMatchObject({ spin_streak: 0, is_golden_spin_available: false });
  });

  it('has a golden ground from when it can be had until 1.5 s after it cannot', async () => {
    const { wheel } = await visit();
    expect(wheel.isGolden).toBe(true);
    void wheel.spin(true);
    await pass(7000);
    expect([wheel.spinning, wheel.golden, wheel.isGolden]).toEqual([false, false, true]);
    await pass(1499);
    expect(wheel.isGolden).toBe(true);
    await pass(1);
    expect(wheel.isGolden).toBe(false);
  });

  it('keeps its ground when it was refused for want of a network', async () => {
    const { wheel } = await visit();
    server.weatherOf['/api/roulette/spin'] = [{ status: 409, code: 'season_over' }];
    void wheel.spin(true);
    await pass(10_000);
    expect(wheel.isGolden).toBe(true);
  });

  it('is no ordinary spin in disguise: without it nothing is asked', async () => {
    server.player(7).golden = false;
    const { wheel } = await visit();
    await wheel.spin(true);
    expect(calls('spin')).toHaveLength(0);
  });
});
