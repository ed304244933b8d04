import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { freshScene, open, scene, settle, taps } from '../../testing/tapping';

beforeEach(freshScene);

afterEach(() => {
  vi.useRealTimers();
});

describe('an answer that comes when the next day has begun', () => {
  it.each([
    ['is old: its figures are not taken, and asked for again', 86_400_000, 1, 1000],
    ['only then', 4000, 0, 999],
  ])('%s', async (_, left, times, energy) => {
    scene.untilNextDay = () => 5000;
    const { tap } = await open();
    await taps(tap, 1);
    scene.server.delay = 100;
    void tap.batches.send();
    scene.untilNextDay = () => left;
    scene.server.weatherOf['/api/tap/energy-status'] = ['cut'];
    const before = asked();
    await vi.advanceTimersByTimeAsync(1000);
    expect([tap.count, asked(), tap.energyLeft]).toEqual([0, before + times, energy]);
  });
});

describe('an answer to a repeated batch', () => {
  it('is old: the figures are asked for again', async () => {
    const { tap, user } = await open();
    await taps(tap, 5);
    scene.server.weather = ['lost answer'];
    await settle(tap.batches.send());
    // Meanwhile something else changed the player.
    const player = scene.server.player(7);
    player.user = { ...player.user, balance: { ...player.user.balance, game_points: 500 } };
    await vi.advanceTimersByTimeAsync(1000);
    expect(user.user?.balance.game_points).toBe(500);
    expect(scene.server.player(7).taps).toBe(5);
  });

  /** A batch was counted with its repeat, and the newer figures, of which some are from elsewhere, do not come. */
  async function owing(failures: number) {
    const all = await open();
    await taps(all.tap, 5);
    scene.server.weather = ['lost answer'];
    await settle(all.tap.batches.send());
    const player = scene.server.player(7);
    player.user = { ...player.user, balance: { ...player.user.balance, game_points: 500 } };
    scene.server.weatherOf['/api/user/me'] = Array(failures).fill('cut');
    await vi.advanceTimersByTimeAsync(1500);
    expect([all.tap.count, all.user.user?.balance.game_points]).toEqual([0, 0]);
    return all;
  }

  it('has them asked for until they come', async () => {
    const { user } = await owing(1);
    await vi.advanceTimersByTimeAsync(30_000);
    expect(user.user?.balance.game_points).toBe(500);
    const before = asked();
    await vi.advanceTimersByTimeAsync(600_000);
    expect(asked()).toBe(before);
  });

  it('has them asked for ever more rarely', async () => {
    await owing(99); // two seconds after the start
    const at: number[] = [];
    for (let second = 3; second <= 1000; second += 1) {
      const before = asked();
      await vi.advanceTimersByTimeAsync(1000);
      if (asked() > before) at.push(second);
    }
    expect(at).toEqual([30, 60, 120, 240, 480, 960]);
  });

  it('has them asked for no more once a fresh answer has brought them', async () => {
    const { tap, user } = await owing(1);
    await taps(tap, 1);
    await settle(tap.batches.send());
    expect(user.user?.balance.game_points).toBe(500);
    const before = asked();
    await vi.advanceTimersByTimeAsync(600_000);
    expect(asked()).toBe(before);
  });

  it('has nothing asked for while nobody looks, and once when somebody does again', async () => {
    const { tap, user } = await owing(1);
    const seen = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden');
    const before = asked();
    await vi.advanceTimersByTimeAsync(600_000);
    expect(asked()).toBe(before);
    seen.mockRestore();
    tap.batches.onForeground();
    await vi.advanceTimersByTimeAsync(0);
    expect([asked(), user.user?.balance.game_points]).toEqual([before + 1, 500]);
  });

  it('has them asked for though those that were asked for before come', async () => {
    const { tap } = await open();
    const settled = async () => {
      await taps(tap, 1);
      localStorage.clear(); // another window has sent it
      tap.batches.onForeground();
      await vi.advanceTimersByTimeAsync(0);
    };
    scene.server.delay = 1000;
    await settled();
    scene.server.weatherOf['/api/user/me'] = ['cut'];
    await settled();
    scene.server.delay = 0;
    await vi.advanceTimersByTimeAsync(5000);
    const before = asked();
    await vi.advanceTimersByTimeAsync(600_000);
    expect(asked()).toBe(before + 1);
  });

  it.each([
    ['they are owed', 1],
    ['none are owed', 0],
  ])('has them asked for once where another window has sent what was here, while %s', async (_, failures) => {
    const { tap } = failures > 0 ? await owing(failures) : await open();
    await taps(tap, 1);
    localStorage.clear();
    const before = asked();
    tap.batches.onForeground();
    await vi.advanceTimersByTimeAsync(0);
    expect([tap.count, asked()]).toEqual([0, before + 1]);
  });
});

describe('a batch that was dropped', () => {
  it('has the figures asked for until they come', async () => {
    const { tap, user } = await open();
    await taps(tap, 5);
    scene.server.weather = [{ status: 409, code: 'tournament_not_active' }];
    scene.server.weatherOf['/api/user/me'] = ['cut'];
    const player = scene.server.player(7);
    player.user = { ...player.user, balance: { ...player.user.balance, game_points: 500 } };
    await settle(tap.batches.send());
    await vi.advanceTimersByTimeAsync(1000);
    expect([tap.count, user.user?.balance.game_points]).toEqual([0, 0]);
    await vi.advanceTimersByTimeAsync(30_000);
    expect(user.user?.balance.game_points).toBe(500);
  });

  it('of a player the server does not know asks for nothing of theirs', async () => {
    const { tap, said } = await open();
    await taps(tap, 5);
    scene.server.weather = [{ status: 404, code: 'not_found' }];
    const before = asked();
    await settle(tap.batches.send());
    await vi.advanceTimersByTimeAsync(60_000);
    expect([said.includes('forgotten'), asked()]).toEqual([true, before]);
  });
});

function asked(): number {
  return scene.server.requests.filter(({ path }) => path === '/api/user/me').length;
}
