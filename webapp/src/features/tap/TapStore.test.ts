import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { formatAmount } from '../../format';
import { FakeServer } from '../../testing/FakeServer';
import { batchesSent, freshScene, open, scene, settle, stored, taps } from '../../testing/tapping';

beforeEach(freshScene);

afterEach(() => {
  vi.useRealTimers();
});

describe('a tap', () => {
  it('raises the balance and lowers the energy at once', async () => {
    const { tap } = await open();
    await taps(tap, 3);
    expect(formatAmount(tap.total, 3, 'en')).toBe('0.003');
    expect(tap.energyLeft).toBe(997);
    expect(formatAmount(tap.confirmedTotal, 3, 'en')).toBe('0.000');
  });

  it('is ignored within 100 ms of the last one', async () => {
    const { tap } = await open();
    await taps(tap, 1);
    await vi.advanceTimersByTimeAsync(99);
    expect(tap.tap()).toEqual({ is: 'too soon' });
    await vi.advanceTimersByTimeAsync(1);
    expect(tap.tap()).toEqual({ is: 'counted' });
    expect(tap.count).toBe(2);
  });

  it('needs energy known and enough of it', async () => {
    scene.server.energyMax = 2;
    const { tap, said } = await open();
    await taps(tap, 2);
    await vi.advanceTimersByTimeAsync(100);
    expect(tap.tap()).toEqual({ is: 'no energy', first: true });
    expect(said).toContain('errors.no_energy');
    await vi.advanceTimersByTimeAsync(100);
    expect(tap.tap()).toEqual({ is: 'no energy', first: false });
  });

  it.each([
    ['before the season', '2026-03-01T12:00:01Z', '2026-03-01T12:00:00Z'],
    ['after it', '2025-12-01T12:00:00Z', '2026-03-01T12:00:00Z'],
  ])('%s is none: nothing is counted, and nothing sent', async (_, start, now) => {
    scene.server.seasonStart = start;
    scene.server.serverTime = now;
    const { tap, said, settings } = await open();
    await settle(settings.load());
    expect(tap.tap()).toEqual({ is: 'not ready' });
    expect([tap.canTap, tap.count, said]).toEqual([false, 0, []]);
  });

  it('counts from the first moment of the season', async () => {
    scene.server.seasonStart = '2026-03-01T12:00:02Z';
    const { tap, settings } = await open();
    await settle(settings.load());
    await vi.advanceTimersByTimeAsync(1900);
    expect(tap.tap()).toEqual({ is: 'not ready' });
    await vi.advanceTimersByTimeAsync(200);
    expect(tap.tap()).toEqual({ is: 'counted' });
  });

  it('counts nothing before energy has loaded', async () => {
    scene.server.online = false;
    const { tap } = await open();
    expect(tap.tap()).toEqual({ is: 'not ready' });
    expect(tap.count).toBe(0);
  });
});

describe('taps are sent', () => {
  it('at 100 taps', async () => {
    const { tap } = await open();
    await taps(tap, 99);
    expect(batchesSent()).toEqual([]);
    await taps(tap, 1);
    await vi.advanceTimersByTimeAsync(0);
    expect(batchesSent()).toEqual([{ total_taps: 100, batch_id: 'batch-1' }]);
    expect(tap.count).toBe(0);
    expect(formatAmount(tap.confirmedTotal, 3, 'en')).toBe('0.100');
  });

  it('every 30 s', async () => {
    const { tap } = await open();
    await taps(tap, 5);
    await vi.advanceTimersByTimeAsync(30_000);
    expect(batchesSent()).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(batchesSent()).toHaveLength(1);
  });

  it('when energy runs out', async () => {
    scene.server.energyMax = 3;
    const { tap } = await open();
    await taps(tap, 3);
    await vi.advanceTimersByTimeAsync(0);
    expect(scene.server.player(7).taps).toBe(3);
    expect(tap.canTap).toBe(false);
  });

  it('when the tap screen opens', async () => {
    const first = await open();
    await taps(first.tap, 4);
    const { tap } = await open();
    expect(tap.count).toBe(4);
    tap.enter();
    await vi.advanceTimersByTimeAsync(0);
    expect(scene.server.player(7).taps).toBe(4);
  });

  it('on leaving it, with the overlay for 2 s', async () => {
    const { tap } = await open();
    await taps(tap, 2);
    tap.leave();
    expect(tap.saving).toBe(true);
    await vi.advanceTimersByTimeAsync(1999);
    expect(scene.server.player(7).taps).toBe(2);
    expect(tap.saving).toBe(true);
    await vi.advanceTimersByTimeAsync(1);
    expect(tap.saving).toBe(false);
  });

  it('without an overlay when nothing is unsaved', async () => {
    const { tap } = await open();
    tap.leave();
    expect(tap.saving).toBe(false);
  });

  it('under the key that is also the id of the batch', async () => {
    const { tap } = await open();
    await taps(tap, 1);
    await settle(tap.batches.send());
    expect(scene.server.requests.at(-1)?.headers.get('Idempotency-Key')).toBe('batch-1');
    expect(scene.server.requests.at(-1)?.headers.get('Authorization')).toBe('tma 7');
  });

  it('at most 10,000, more than any day holds: a record of more was not made by tapping', async () => {
    for (const taps of [20_500, Number.MAX_SAFE_INTEGER]) {
      scene.server = new FakeServer();
      const record = { taps, sending: { batch_id: 'made-up', taps }, timestamp: 1 };
      localStorage.setItem('accumulated_taps', JSON.stringify({ 7: record }));
      const { tap } = await open();
      tap.enter();
      await vi.advanceTimersByTimeAsync(60_000);
      expect(batchesSent()).toMatchObject([{ total_taps: 10_000 }]);
      expect(scene.server.player(7).taps).toBe(1000);
      expect(tap.count).toBe(0);
    }
  });
});

describe('a reward', () => {
  it('is what an accepted batch has brought, not a batch of which nothing counted', async () => {
    const { tap, said } = await open();
    await taps(tap, 2);
    expect(said).toEqual([]);
    await settle(tap.batches.send());
    expect(said).toEqual(['rewarded']);
    await taps(tap, 1);
    scene.server.player(7).energy = 0;
    await settle(tap.batches.send());
    expect(tap.count).toBe(0);
    expect(said).toEqual(['rewarded']);
  });
});

describe('a batch in flight', () => {
  it('keeps its size; taps made meanwhile join the next and stay in the balance', async () => {
    scene.server.delay = 500;
    const { tap } = await openSlow();
    await taps(tap, 3);
    void tap.batches.send();
    await taps(tap, 2);
    expect(stored()[7]).toMatchObject({ taps: 2, sending: { batch_id: 'batch-1', taps: 3 } });
    await vi.advanceTimersByTimeAsync(500);
    expect(scene.server.player(7).taps).toBe(3);
    expect(tap.batches.pending).toEqual({ sending: null, pending: 2 });
    expect(formatAmount(tap.total, 3, 'en')).toBe('0.005');
    expect(tap.energyLeft).toBe(995);
  });

  it('is followed by another when one was asked for meanwhile', async () => {
    scene.server.delay = 500;
    const { tap } = await openSlow();
    await taps(tap, 3);
    void tap.batches.send();
    await taps(tap, 2);
    tap.leave();
    await vi.advanceTimersByTimeAsync(1500);
    expect(scene.server.player(7).taps).toBe(5);
    expect(tap.count).toBe(0);
  });

  async function openSlow() {
    const opening = open();
    await vi.advanceTimersByTimeAsync(500);
    return opening;
  }
});

describe('a failed sync', () => {
  it.each([
    ['no network', 'cut' as const],
    ['a lost answer', 'lost answer' as const],
    ['a busy server', { status: 503, code: 'try_again' }],
    ['a broken server', { status: 500, code: 'internal' }],
    ["a proxy's error page", { status: 502, code: '', html: true }],
    ['a twin still running', { status: 409, code: 'request_in_progress', retryAfter: 1 }],
  ])('after %s keeps the batch and its id, and tries again', async (_, weather) => {
    const { tap } = await open();
    await taps(tap, 5);
    scene.server.weather = [weather];
    await settle(tap.batches.send());
    expect(stored()[7].sending).toEqual({ batch_id: 'batch-1', taps: 5 });
    await taps(tap, 2);
    await vi.advanceTimersByTimeAsync(3000);
    expect(batchesSent()).toEqual([
      { total_taps: 5, batch_id: 'batch-1' },
      { total_taps: 5, batch_id: 'batch-1' },
    ]);
    expect(scene.server.player(7).taps).toBe(5);
    expect(tap.batches.pending).toEqual({ sending: null, pending: 2 });
    expect(formatAmount(tap.total, 3, 'en')).toBe('0.007');
  });

  it('says so once, not at every try', async () => {
    const { tap, said } = await open();
    await taps(tap, 1);
    scene.server.online = false;
    await settle(tap.batches.send());
    await vi.advanceTimersByTimeAsync(120_000);
    expect(said.filter((text) => text === 'errors.tap_sync')).toHaveLength(1);
  });

  it('waits twice as long each time, up to 30 s', async () => {
    const { tap } = await open();
    await taps(tap, 1);
    scene.server.online = false;
    await settle(tap.batches.send());
    const at: number[] = [];
    let seen = batchesSent().length;
    for (let second = 0; second < 200; second += 0.25) {
      await vi.advanceTimersByTimeAsync(250);
      if (batchesSent().length > seen) at.push(second + 0.25);
      seen = batchesSent().length;
    }
    const gaps = at.map((time, n) => time - (at[n - 1] ?? 0));
    expect(gaps.slice(0, 8)).toEqual([0.75, 1.5, 3, 6, 12, 22.5, 22.5, 22.5]);
  });

  it('waits as long as the server asks', async () => {
    const { tap } = await open();
    await taps(tap, 1);
    scene.server.weather = [{ status: 429, code: 'rate_limited', retryAfter: 17 }];
    await settle(tap.batches.send());
    tap.batches.onForeground();
    tap.enter();
    await vi.advanceTimersByTimeAsync(16_900);
    expect(batchesSent()).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(100);
    expect(scene.server.player(7).taps).toBe(1);
  });

  it.each([403, 404])('keeps its batch when a proxy answers %i with a page of its own', async (status) => {
    const { tap } = await open();
    await taps(tap, 5);
    scene.server.weather = [{ status, code: '', html: true }];
    tap.enter();
    await vi.advanceTimersByTimeAsync(0);
    expect(tap.count).toBe(5);
    await vi.advanceTimersByTimeAsync(2000);
    expect(scene.server.player(7).taps).toBe(5);
    expect(tap.count).toBe(0);
  });

  it('does not wait once the network is back', async () => {
    const { tap } = await open();
    await taps(tap, 1);
    scene.server.online = false;
    await settle(tap.batches.send());
    await vi.advanceTimersByTimeAsync(60_000);
    scene.server.online = true;
    tap.batches.onForeground();
    await vi.advanceTimersByTimeAsync(0);
    expect(scene.server.player(7).taps).toBe(1);
  });

  it.each([
    [400, 'validation_failed'],
    [409, 'tournament_not_active'],
    [422, 'idempotency_key_reused'],
  ])('with %i %s drops the batch, for it can never be accepted', async (status, code) => {
    const { tap, said } = await open();
    await taps(tap, 5);
    scene.server.weather = [{ status, code }];
    await settle(tap.batches.send());
    expect(said).toContain('errors.tap_sync');
    expect(tap.count).toBe(0);
    expect(tap.energyLeft).toBe(1000);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(batchesSent()).toHaveLength(1);
  });

  it.each(['season_not_started', 'season_over'])(
    'with 409 %s drops the batch, and says why',
    async (code) => {
      const { tap, said, settings } = await open();
      await taps(tap, 5);
      scene.server.weather = [{ status: 409, code }];
      await settle(tap.batches.send());
      expect(said).toEqual([`errors.${code}`]);
      expect(tap.count).toBe(0);
      await settle(Promise.resolve());
      expect(settings.settings).not.toBeNull();
    },
  );

  it('says why a batch is dropped even after it was said that it does not get through', async () => {
    const { tap, said } = await open();
    await taps(tap, 5);
    scene.server.weather = ['cut', { status: 409, code: 'season_over' }];
    await settle(tap.batches.send());
    expect(said).toEqual(['errors.tap_sync']);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(tap.count).toBe(0);
    expect(said).toEqual(['errors.tap_sync', 'errors.season_over']);
  });

  it.each([
    [401, 'init_data_expired'],
    [403, 'age_consent_required'],
    [403, 'user_blocked'],
  ])('with %i %s keeps the taps for a better day and does not insist', async (status, code) => {
    const { tap } = await open();
    await taps(tap, 5);
    scene.server.weather = [{ status, code }];
    await settle(tap.batches.send());
    await vi.advanceTimersByTimeAsync(120_000);
    expect(batchesSent()).toHaveLength(1);
    expect(stored()[7].sending).toEqual({ batch_id: 'batch-1', taps: 5 });
    const again = await open();
    again.tap.enter();
    await vi.advanceTimersByTimeAsync(0);
    expect(scene.server.player(7).taps).toBe(5);
  });

  it('during works keeps the taps, and sends them once the game is open again', async () => {
    const { tap } = await open();
    await taps(tap, 5);
    scene.server.weather = [{ status: 503, code: 'maintenance', retryAfter: 15 }];
    await settle(tap.batches.send());
    tap.batches.onForeground();
    await vi.advanceTimersByTimeAsync(14_000);
    expect(batchesSent()).toHaveLength(1);
    expect(stored()[7].sending).toEqual({ batch_id: 'batch-1', taps: 5 });
    tap.batches.resume();
    await vi.advanceTimersByTimeAsync(0);
    expect(scene.server.player(7).taps).toBe(5);
    expect(tap.count).toBe(0);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(batchesSent()).toHaveLength(2);
  });

  it('that failed here is not unsaved once another window has sent it', async () => {
    const { tap } = await open();
    await taps(tap, 5);
    scene.server.weather = ['cut'];
    await settle(tap.batches.send());
    expect(tap.batches.unsaved).toBe(true);
    localStorage.clear();
    tap.batches.reread();
    expect(tap.batches.unsaved).toBe(false);
  });

  it('gives up on a server that never answers, and repeats the batch', async () => {
    const { tap } = await open();
    await taps(tap, 5);
    scene.server.delay = 10 ** 9;
    void tap.batches.send();
    await vi.advanceTimersByTimeAsync(20_000);
    expect([tap.batches.sync.is, tap.batches.unsaved]).toEqual(['waiting', true]);
    await vi.advanceTimersByTimeAsync(1000);
    expect([tap.batches.sync.is, tap.batches.unsaved]).toEqual(['sending', true]);
    scene.server.delay = 0;
    await vi.advanceTimersByTimeAsync(30_000);
    expect(scene.server.player(7).taps).toBe(5);
    expect([tap.count, tap.batches.unsaved]).toEqual([0, false]);
  });
});

describe('the last sync of a day', () => {
  const endsIn = (time: number) => {
    const end = Date.now() + time;
    scene.untilNextDay = () => end - Date.now();
  };

  /** A batch is on its way again, and answered after so long; figures asked for from now on do not come. */
  async function repeating(delay: number) {
    endsIn(10_000);
    const { tap } = await open();
    await taps(tap, 1);
    scene.server.weather = ['lost answer'];
    await settle(tap.batches.send());
    scene.server.delay = delay;
    await vi.advanceTimersByTimeAsync(1500);
    scene.server.delay = 10 ** 9;
    return tap;
  }

  it('does not wait for a network that has failed before', async () => {
    endsIn(50_000);
    const { tap } = await open();
    await taps(tap, 1);
    scene.server.online = false;
    void tap.batches.send();
    await vi.advanceTimersByTimeAsync(48_000); // the next try is in twenty seconds
    scene.server.online = true;
    await vi.advanceTimersByTimeAsync(3000);
    expect([scene.server.player(7).taps, tap.count]).toEqual([1, 0]);
  });

  it('brings what was tapped since a batch failed, too', async () => {
    endsIn(50_000);
    const { tap } = await open();
    await taps(tap, 1);
    scene.server.online = false;
    await settle(tap.batches.send());
    await taps(tap, 3);
    await vi.advanceTimersByTimeAsync(47_000); // the next try is in twenty seconds
    scene.server.online = true;
    await vi.advanceTimersByTimeAsync(6000);
    expect([scene.server.player(7).taps, tap.count]).toEqual([4, 0]);
  });

  it('does not wait for the figures that a repeated batch has asked for', async () => {
    const tap = await repeating(1000);
    await vi.advanceTimersByTimeAsync(1500); // it is answered, and the figures do not come
    await taps(tap, 1);
    await settle(tap.batches.send());
    expect([batchesSent().length, tap.count]).toEqual([2, 1]);
    await vi.advanceTimersByTimeAsync(8000);
    expect(batchesSent()).toHaveLength(3);
  });

  it('nor for those that one asks for which is answered only then', async () => {
    const tap = await repeating(12_000);
    await taps(tap, 1);
    await vi.advanceTimersByTimeAsync(10_000);
    expect([batchesSent().length, tap.count]).toEqual([2, 2]);
    await vi.advanceTimersByTimeAsync(2000);
    expect(batchesSent()).toHaveLength(3);
  });
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
