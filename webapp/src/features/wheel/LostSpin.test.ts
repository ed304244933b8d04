import { describe, expect, it, vi } from 'vitest';
import { aPrize } from '../../testing/FakeWheel';
import { pass, playGame, server, setUpGame } from '../../testing/playGame';
import { balance, keys, spun, visit } from '../../testing/wheelGame';

setUpGame({ path: '/roulette' });

const coins = aPrize({ type: 'coins_2', segment: 2, coins: 2, canDoubleWithAd: false });

describe('a spin whose answer is lost', () => {
  it.each([
    'lost answer',
    'cut',
    { status: 500, code: 'internal' },
    { status: 503, code: 'try_again' },
  ] as const)('(%o) is asked for again with its key, and is one spin', async (weather) => {
    server.wheel.prizes = [coins];
    const { wheel, root } = await visit();
    server.weatherOf['/api/roulette/spin'] = [weather];
    void wheel.spin(false);
    await pass(0);
    expect(wheel.turn.is).toBe('asking');
    await pass(1000);
    expect(wheel.turn.is).toBe('turning');
    expect(new Set(keys()).size).toBe(1);
    expect(balance().daily_spins).toBe(9);
    // A repeated answer may bring old figures; they are read anew.
    expect(root.user.user).toEqual(server.player(7).user);
  });

  it('for longer is said to be kept, and the next press asks for the same spin', async () => {
    const { wheel, root } = await visit();
    server.weatherOf['/api/roulette/spin'] = ['lost answer', 'cut', 'cut', 'cut', 'cut'];
    void wheel.spin(false);
    await pass(7000);
    expect(wheel.turn.is).toBe('resting');
    expect(root.toasts.shown).toMatchObject({ kind: 'info', text: 'toast.spin_kept' });
    server.weatherOf['/api/roulette/spin'] = [];
    void wheel.spin(false);
    await pass(0);
    expect(wheel.turn.is).toBe('turning');
    expect(new Set(keys()).size).toBe(1);
    expect(balance().daily_spins).toBe(9);
  });

  it.each([
    { status: 429, code: 'rate_limited' },
    { status: 401, code: 'init_data_expired' },
  ])('is not given up because the server then says $code', async (refusal) => {
    const { wheel } = await visit();
    server.weatherOf['/api/roulette/spin'] = ['lost answer', refusal];
    void wheel.spin(false);
    await pass(1000);
    expect(wheel.turn.is).toBe('resting');
    void wheel.spin(false);
    await pass(0);
    expect(new Set(keys()).size).toBe(1);
    expect(wheel.turn.is).toBe('turning');
  });

  it('comes by itself when the network is back', async () => {
    server.wheel.prizes = [coins];
    const { wheel } = await visit();
    server.weatherOf['/api/roulette/spin'] = ['lost answer', 'cut', 'cut', 'cut'];
    void wheel.spin(false);
    await pass(7000);
    window.dispatchEvent(new Event('online'));
    await pass(0);
    expect(wheel.turn).toMatchObject({ is: 'turning', spin: { spin_id: 101 } });
  });
});

describe('a spin cut off by closing the app', () => {
  it('shows its result when the app is opened again, wherever', async () => {
    server.wheel.prizes = [aPrize({ type: 'points_200', segment: 3, points: 200 })];
    await spun();
    const { root, wheel } = await visit({ path: '/' });
    expect(root.modals.shown?.is).toBe('win');
    expect(wheel.prize.spin).toMatchObject({ spin_id: 101, status: 'pending', reward: { points: 200 } });
    await wheel.prize.claim();
    expect(root.user.user?.balance.game_points).toBe(200);
    const third = await visit({ path: '/' });
    expect(third.root.modals.shown).toBeNull();
  });

  it('before its answer came is asked for again with its key', async () => {
    server.wheel.prizes = [coins];
    const first = await visit();
    server.weatherOf['/api/roulette/spin'] = ['lost answer'];
    void first.wheel.spin(false);
    await pass(0);
    const { root, wheel } = await visit({ path: '/' });
    expect(wheel.prize.spin?.spin_id).toBe(101);
    expect(root.modals.shown?.is).toBe('win');
    expect(new Set(keys()).size).toBe(1);
    expect(balance().daily_spins).toBe(9);
    expect(root.user.user?.balance.game_mcbk).toBe(2);
  });

  it('and claimed meanwhile just closes', async () => {
    await spun();
    const { root, wheel } = await visit();
    server.wheel.claim(101, server.player(7));
    expect(await wheel.prize.claim()).toBe(false);
    expect([root.modals.shown, root.toasts.shown]).toEqual([null, null]);
    await pass(0);
    expect(root.user.user?.balance.game_points).toBe(10);
    expect((await visit()).root.modals.shown).toBeNull();
  });

  it('is only shown to its player', async () => {
    await spun();
    const { root: other } = await playGame({ launch: { initData: '8' } });
    await pass(100);
    expect(other.modals.shown).toBeNull();
    expect((await visit()).root.modals.shown?.is).toBe('win');
  });

  it('is said by nobody while there is still no network, and not asked for after a day', async () => {
    const first = await visit();
    server.weatherOf['/api/roulette/spin'] = ['cut'];
    void first.wheel.spin(false);
    await pass(0);
    const before = keys().length;
    server.weatherOf['/api/roulette/spin'] = ['cut', 'cut', 'cut', 'cut'];
    const second = await visit({ path: '/' });
    await pass(7000);
    expect(second.root.toasts.shown).toBeNull();
    expect(keys().length).toBeGreaterThan(before);
    vi.setSystemTime('2026-03-02T12:00:01Z');
    const count = keys().length;
    await visit();
    expect(keys()).toHaveLength(count);
  });

  it.each(['', '{', '[]', '{"7":7}', '{"7":{"spin":{"spin_id":1,"reward":{"segment":99}}}}'])(
    'and kept badly (%s) shows nothing',
    async (text) => {
      localStorage.setItem('unshown_spin', text);
      const { root, wheel } = await visit();
      expect(root.modals.shown).toBeNull();
      void wheel.spin(false);
      await pass(5001);
      expect(root.modals.shown?.is).toBe('win');
    },
  );
});
