import { describe, expect, it, vi } from 'vitest';
import { changeUser, pass, requestsTo, server } from '../../testing/playGame';
import { open, setTimeBeforeMidnight, settle, setUpTapping, taps } from '../../testing/tapping';

setUpTapping();

describe('an answer after midnight', () => {
  it.each([
    ['of a batch sent before is stale: its figures are refetched', 50, 1, 1000],
    ['of a batch sent after is taken', 86_400_000, 0, 999],
  ])('%s', async (_, left, times, energy) => {
    const { tap } = await open();
    await taps(tap, 1);
    server.delay = 100;
    setTimeBeforeMidnight(left);
    void tap.batches.send();
    server.weatherOf['/api/tap/energy-status'] = ['cut'];
    const before = requests();
    await pass(1000);
    expect([tap.batches.count, requests(), tap.counter.energyLeft]).toEqual([0, before + times, energy]);
  });
});

describe('figures that are stale', () => {
  /** A batch of yesterday was counted, and the figures of today, of which some are from elsewhere, do not come. */
  async function withStale(failures: number) {
    const all = await open();
    await taps(all.tap, 5);
    server.delay = 1;
    setTimeBeforeMidnight(1);
    void all.tap.batches.send();
    changeUser({ balance: { game_points: 500 } });
    server.weatherOf['/api/user/me'] = Array(failures).fill('cut');
    await pass(1500);
    server.delay = 0;
    expect([all.tap.batches.count, all.user.user?.balance.game_points]).toEqual([0, 0]);
    return all;
  }

  it('are refetched until they load', async () => {
    const { user } = await withStale(1);
    await pass(30_000);
    expect(user.user?.balance.game_points).toBe(500);
    const before = requests();
    await pass(600_000);
    expect(requests()).toBe(before);
  });

  it('are refetched with backoff', async () => {
    await withStale(99); // two seconds after the start
    const at: number[] = [];
    for (let second = 3; second <= 1000; second += 1) {
      const before = requests();
      await pass(1000);
      if (requests() > before) at.push(second);
    }
    expect(at).toEqual([30, 60, 120, 240, 480, 960]);
  });

  it('are not refetched after a fresh answer', async () => {
    const { tap, user } = await withStale(1);
    await taps(tap, 1);
    await settle(tap.batches.send());
    expect(user.user?.balance.game_points).toBe(500);
    const before = requests();
    await pass(600_000);
    expect(requests()).toBe(before);
  });

  it('are refetched not in the background, and once in the foreground', async () => {
    const { tap, user } = await withStale(1);
    const seen = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden');
    const before = requests();
    await pass(600_000);
    expect(requests()).toBe(before);
    seen.mockRestore();
    tap.batches.onForeground();
    await pass(0);
    expect([requests(), user.user?.balance.game_points]).toEqual([before + 1, 500]);
  });

  it('are refetched though an earlier request loads', async () => {
    const { tap } = await open();
    const settled = async () => {
      await taps(tap, 1);
      localStorage.clear(); // another window has sent it
      tap.batches.onForeground();
      await pass(0);
    };
    server.delay = 1000;
    await settled();
    server.weatherOf['/api/user/me'] = ['cut'];
    await settled();
    server.delay = 0;
    await pass(5000);
    const before = requests();
    await pass(600_000);
    expect(requests()).toBe(before + 1);
  });

  it.each([
    ['stale', 1],
    ['fresh', 0],
  ])('are refetched once where another window sent the taps, if %s', async (_, failures) => {
    const { tap } = failures > 0 ? await withStale(failures) : await open();
    await taps(tap, 1);
    localStorage.clear();
    const before = requests();
    tap.batches.onForeground();
    await pass(0);
    expect([tap.batches.count, requests()]).toEqual([0, before + 1]);
  });
});

describe('a batch that was dropped', () => {
  it('has the figures refetched until they load', async () => {
    const { tap, user } = await open();
    await taps(tap, 5);
    server.weather = [{ status: 409, code: 'tournament_not_active' }];
    server.weatherOf['/api/user/me'] = ['cut'];
    changeUser({ balance: { game_points: 500 } });
    await settle(tap.batches.send());
    await pass(1000);
    expect([tap.batches.count, user.user?.balance.game_points]).toEqual([0, 0]);
    await pass(30_000);
    expect(user.user?.balance.game_points).toBe(500);
  });

  it('of an unknown player refetches nothing', async () => {
    const { tap } = await open();
    await taps(tap, 5);
    server.weather = [{ status: 404, code: 'not_found' }];
    const before = requests();
    await settle(tap.batches.send());
    await pass(60_000);
    expect([tap.batches.count, requests()]).toEqual([0, before]);
  });
});

function requests(): number {
  return requestsTo('user/me').length;
}
