import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { connect } from '../../api/client';
import { amount } from '../../format';
import { type Box, openBox } from '../../storage';
import { ToastStore } from '../../stores/ToastStore';
import { UserStore } from '../../stores/UserStore';
import { FakeServer } from '../../testing/FakeServer';
import { EnergyStore } from './EnergyStore';
import { TapStore } from './TapStore';
import { UnsentTaps } from './unsent';

let server: FakeServer;
let box: Box;
let lastId: number;

beforeEach(() => {
  vi.useFakeTimers();
  localStorage.clear();
  server = new FakeServer();
  box = openBox(() => localStorage);
  lastId = 0;
});

afterEach(() => {
  vi.useRealTimers();
});

const newId = () => {
  lastId += 1;
  return `batch-${lastId}`;
};

/** The app freshly loaded by a player; loading it again is a reload. */
async function open(player = 7) {
  const said: string[] = [];
  const api = connect({
    baseUrl: 'http://mcbk.test/api',
    fetch: server.fetch,
    initData: () => String(player),
    newId,
    onRefusal: () => {},
  });
  const toasts = new ToastStore((toast) => said.push(toast.text));
  const user = new UserStore(api, toasts);
  const energy = new EnergyStore(api);
  const tap = new TapStore(api, energy, user, toasts, {
    now: () => performance.now(),
    random: () => 0.5,
    farewell: (batch) => server.beacon(batch, String(player)),
    unsentOf: (id) => new UnsentTaps(box, 'accumulated_taps', id, 10_000, newId, () => Date.now()),
    rewarded: () => said.push('rewarded'),
    forgotten: () => said.push('forgotten'),
  });
  await settle(Promise.all([user.load(null).catch(() => {}), energy.load()]));
  tap.start(player);
  return { tap, user, energy, toasts, said };
}

async function settle<T>(promise: Promise<T>): Promise<T> {
  await vi.advanceTimersByTimeAsync(0);
  return promise;
}

async function taps(tap: TapStore, times: number, apart = 100) {
  for (let n = 0; n < times; n += 1) {
    await vi.advanceTimersByTimeAsync(apart);
    expect(tap.tap().is).toBe('counted');
  }
}

const batchesSent = () =>
  server.requests.filter((request) => request.path === '/api/tap/perform-batch-tap').map((r) => r.body);

const stored = () => JSON.parse(localStorage.getItem('accumulated_taps') ?? '{}');

describe('a tap', () => {
  it('raises the balance and lowers the energy at once', async () => {
    const { tap } = await open();
    await taps(tap, 3);
    expect(amount(tap.total, 3, 'en')).toBe('0.003');
    expect(tap.energyLeft).toBe(997);
    expect(amount(tap.confirmedTotal, 3, 'en')).toBe('0.000');
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
    server.energyMax = 2;
    const { tap, said } = await open();
    await taps(tap, 2);
    await vi.advanceTimersByTimeAsync(100);
    expect(tap.tap()).toEqual({ is: 'no energy', first: true });
    expect(said).toContain('errors.no_energy');
    await vi.advanceTimersByTimeAsync(100);
    expect(tap.tap()).toEqual({ is: 'no energy', first: false });
  });

  it('counts nothing before energy has loaded', async () => {
    server.online = false;
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
    expect(amount(tap.confirmedTotal, 3, 'en')).toBe('0.100');
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
    server.energyMax = 3;
    const { tap } = await open();
    await taps(tap, 3);
    await vi.advanceTimersByTimeAsync(0);
    expect(server.player(7).taps).toBe(3);
    expect(tap.canTap).toBe(false);
  });

  it('when the tap screen opens', async () => {
    const first = await open();
    await taps(first.tap, 4);
    const { tap } = await open();
    expect(tap.count).toBe(4);
    tap.enter();
    await vi.advanceTimersByTimeAsync(0);
    expect(server.player(7).taps).toBe(4);
  });

  it('on leaving it, with the overlay for 2 s', async () => {
    const { tap } = await open();
    await taps(tap, 2);
    tap.leave();
    expect(tap.saving).toBe(true);
    await vi.advanceTimersByTimeAsync(1999);
    expect(server.player(7).taps).toBe(2);
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
    await settle(tap.send());
    expect(server.requests.at(-1)?.headers.get('Idempotency-Key')).toBe('batch-1');
    expect(server.requests.at(-1)?.headers.get('Authorization')).toBe('tma 7');
  });

  it('at most 10,000, more than any day holds: a record of more was not made by tapping', async () => {
    for (const taps of [20_500, Number.MAX_SAFE_INTEGER]) {
      server = new FakeServer();
      const record = { taps, sending: { batch_id: 'made-up', taps }, timestamp: 1 };
      localStorage.setItem('accumulated_taps', JSON.stringify({ 7: record }));
      const { tap } = await open();
      tap.enter();
      await vi.advanceTimersByTimeAsync(60_000);
      expect(batchesSent()).toMatchObject([{ total_taps: 10_000 }]);
      expect(server.player(7).taps).toBe(1000);
      expect(tap.count).toBe(0);
    }
  });
});

describe('a reward', () => {
  it('is what an accepted batch has brought, not a batch of which nothing counted', async () => {
    const { tap, said } = await open();
    await taps(tap, 2);
    expect(said).toEqual([]);
    await settle(tap.send());
    expect(said).toEqual(['rewarded']);
    await taps(tap, 1);
    server.player(7).energy = 0;
    await settle(tap.send());
    expect(tap.count).toBe(0);
    expect(said).toEqual(['rewarded']);
  });
});

describe('a batch in flight', () => {
  it('keeps its size; taps made meanwhile join the next and stay in the balance', async () => {
    server.delay = 500;
    const { tap } = await openSlow();
    await taps(tap, 3);
    void tap.send();
    await taps(tap, 2);
    expect(stored()[7]).toMatchObject({ taps: 2, sending: { batch_id: 'batch-1', taps: 3 } });
    await vi.advanceTimersByTimeAsync(500);
    expect(server.player(7).taps).toBe(3);
    expect(tap.unsent).toEqual({ sending: null, pending: 2 });
    expect(amount(tap.total, 3, 'en')).toBe('0.005');
    expect(tap.energyLeft).toBe(995);
  });

  it('is followed by another when one was asked for meanwhile', async () => {
    server.delay = 500;
    const { tap } = await openSlow();
    await taps(tap, 3);
    void tap.send();
    await taps(tap, 2);
    tap.leave();
    await vi.advanceTimersByTimeAsync(1500);
    expect(server.player(7).taps).toBe(5);
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
    server.weather = [weather];
    await settle(tap.send());
    expect(stored()[7].sending).toEqual({ batch_id: 'batch-1', taps: 5 });
    await taps(tap, 2);
    await vi.advanceTimersByTimeAsync(3000);
    expect(batchesSent()).toEqual([
      { total_taps: 5, batch_id: 'batch-1' },
      { total_taps: 5, batch_id: 'batch-1' },
    ]);
    expect(server.player(7).taps).toBe(5);
    expect(tap.unsent).toEqual({ sending: null, pending: 2 });
    expect(amount(tap.total, 3, 'en')).toBe('0.007');
  });

  it('says so once, not at every try', async () => {
    const { tap, said } = await open();
    await taps(tap, 1);
    server.online = false;
    await settle(tap.send());
    await vi.advanceTimersByTimeAsync(120_000);
    expect(said.filter((text) => text === 'errors.tap_sync')).toHaveLength(1);
  });

  it('waits twice as long each time, up to 30 s', async () => {
    const { tap } = await open();
    await taps(tap, 1);
    server.online = false;
    await settle(tap.send());
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
    server.weather = [{ status: 429, code: 'rate_limited', retryAfter: 17 }];
    await settle(tap.send());
    tap.wake();
    tap.enter();
    await vi.advanceTimersByTimeAsync(16_900);
    expect(batchesSent()).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(100);
    expect(server.player(7).taps).toBe(1);
  });

  it.each([403, 404])('keeps its batch when a proxy answers %i with a page of its own', async (status) => {
    const { tap } = await open();
    await taps(tap, 5);
    server.weather = [{ status, code: '', html: true }];
    tap.enter();
    await vi.advanceTimersByTimeAsync(0);
    expect(tap.count).toBe(5);
    await vi.advanceTimersByTimeAsync(2000);
    expect(server.player(7).taps).toBe(5);
    expect(tap.count).toBe(0);
  });

  it('does not wait once the network is back', async () => {
    const { tap } = await open();
    await taps(tap, 1);
    server.online = false;
    await settle(tap.send());
    await vi.advanceTimersByTimeAsync(60_000);
    server.online = true;
    tap.wake();
    await vi.advanceTimersByTimeAsync(0);
    expect(server.player(7).taps).toBe(1);
  });

  it.each([
    [400, 'validation_failed'],
    [409, 'season_over'],
    [422, 'idempotency_key_reused'],
  ])('with %i %s drops the batch, for it can never be accepted', async (status, code) => {
    const { tap, said } = await open();
    await taps(tap, 5);
    server.weather = [{ status, code }];
    await settle(tap.send());
    expect(said).toContain('errors.tap_sync');
    expect(tap.count).toBe(0);
    expect(tap.energyLeft).toBe(1000);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(batchesSent()).toHaveLength(1);
  });

  it.each([
    [401, 'init_data_expired'],
    [403, 'age_consent_required'],
    [403, 'user_blocked'],
  ])('with %i %s keeps the taps for a better day and does not insist', async (status, code) => {
    const { tap } = await open();
    await taps(tap, 5);
    server.weather = [{ status, code }];
    await settle(tap.send());
    await vi.advanceTimersByTimeAsync(120_000);
    expect(batchesSent()).toHaveLength(1);
    expect(stored()[7].sending).toEqual({ batch_id: 'batch-1', taps: 5 });
    const again = await open();
    again.tap.enter();
    await vi.advanceTimersByTimeAsync(0);
    expect(server.player(7).taps).toBe(5);
  });

  it('during works keeps the taps, and sends them once the game is open again', async () => {
    const { tap } = await open();
    await taps(tap, 5);
    server.weather = [{ status: 503, code: 'maintenance', retryAfter: 15 }];
    await settle(tap.send());
    tap.wake();
    await vi.advanceTimersByTimeAsync(14_000);
    expect(batchesSent()).toHaveLength(1);
    expect(stored()[7].sending).toEqual({ batch_id: 'batch-1', taps: 5 });
    tap.resume();
    await vi.advanceTimersByTimeAsync(0);
    expect(server.player(7).taps).toBe(5);
    expect(tap.count).toBe(0);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(batchesSent()).toHaveLength(2);
  });

  it('gives up on a server that never answers, and repeats the batch', async () => {
    const { tap } = await open();
    await taps(tap, 5);
    server.delay = 10 ** 9;
    void tap.send();
    await vi.advanceTimersByTimeAsync(20_000);
    expect(tap.sync.is).toBe('waiting');
    server.delay = 0;
    await vi.advanceTimersByTimeAsync(1000);
    expect(server.player(7).taps).toBe(5);
    expect(tap.count).toBe(0);
  });
});

describe('an answer to a repeated batch', () => {
  it('is old: the figures are asked for again', async () => {
    const { tap, user } = await open();
    await taps(tap, 5);
    server.weather = ['lost answer'];
    await settle(tap.send());
    // Meanwhile something else changed the player.
    const player = server.player(7);
    player.user = { ...player.user, balance: { ...player.user.balance, game_points: 500 } };
    await vi.advanceTimersByTimeAsync(1000);
    expect(user.user?.balance.game_points).toBe(500);
    expect(server.player(7).taps).toBe(5);
  });
});

describe('a reload', () => {
  it('loses no tap', async () => {
    const { tap } = await open();
    await taps(tap, 42);
    const again = await open();
    expect(again.tap.count).toBe(42);
    expect(amount(again.tap.total, 3, 'en')).toBe('0.042');
    again.tap.enter();
    await vi.advanceTimersByTimeAsync(0);
    expect(server.player(7).taps).toBe(42);
  });

  it('while a batch was in flight repeats that batch, which counts once', async () => {
    const { tap } = await open();
    await taps(tap, 10);
    server.weather = ['lost answer'];
    void tap.send();
    await taps(tap, 3);
    const again = await open();
    again.tap.enter();
    await vi.advanceTimersByTimeAsync(0);
    again.tap.enter();
    await vi.advanceTimersByTimeAsync(0);
    expect(server.player(7).taps).toBe(13);
    expect(new Set(server.batches.keys())).toEqual(new Set(['batch-1', 'batch-2']));
  });

  it('with an unreadable record starts from nothing', async () => {
    for (const text of ['{', '[]', '"x"', '{"7":{"taps":-1}}', '{"7":{"taps":1.5}}', '{"7":null}']) {
      localStorage.setItem('accumulated_taps', text);
      expect((await open()).tap.count).toBe(0);
    }
  });

  it('after a batch whose id no longer fitted on the device counts it once', async () => {
    // Room for the record of the taps, none for that of the batch.
    const room = JSON.stringify({ 7: { taps: 40, sending: null, timestamp: Date.now() } }).length;
    let value: string | null = null;
    const device = {
      getItem: () => value,
      removeItem() {
        value = null;
      },
      setItem(_: string, text: string) {
        if (text.length > room) throw new DOMException('full', 'QuotaExceededError');
        value = text;
      },
    } as unknown as Storage;
    box = openBox(() => device);
    const { tap } = await open();
    await taps(tap, 40);
    server.weather = ['lost answer'];
    tap.enter();
    await vi.advanceTimersByTimeAsync(0);
    expect(server.player(7).taps).toBe(40);

    box = openBox(() => device);
    const again = await open();
    again.tap.enter();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(server.player(7).taps).toBe(40);
  });

  it('with storage blocked plays on from memory', async () => {
    box = openBox(() => {
      throw new DOMException('blocked', 'SecurityError');
    });
    const { tap } = await open();
    await taps(tap, 5);
    await settle(tap.send());
    expect(server.player(7).taps).toBe(5);
    expect(tap.count).toBe(0);
  });
});

describe('closing the page', () => {
  it('sends the frozen batch; the next page repeats it and it counts once', async () => {
    const { tap } = await open();
    await taps(tap, 6);
    tap.farewell();
    expect(server.player(7).taps).toBe(6);
    const again = await open();
    again.tap.enter();
    await vi.advanceTimersByTimeAsync(0);
    expect(server.player(7).taps).toBe(6);
    expect(again.tap.count).toBe(0);
    expect(amount(again.tap.total, 3, 'en')).toBe('0.006');
  });

  it('never shows the taps twice while the repeat is on its way', async () => {
    const before = await open();
    await taps(before.tap, 5);
    before.tap.farewell();
    const after = await open();
    expect(after.tap.count).toBe(5);
    expect(amount(after.tap.total, 3, 'en')).toBe('0.005');
    expect(after.tap.energyLeft).toBe(995);
    await taps(after.tap, 2);
    expect(amount(after.tap.total, 3, 'en')).toBe('0.007');
  });

  it('announced twice, as hidden and as gone, sends one beacon', async () => {
    const { tap } = await open();
    await taps(tap, 6);
    const beacon = vi.spyOn(server, 'beacon');
    tap.farewell();
    tap.farewell();
    expect(beacon).toHaveBeenCalledTimes(1);
    server.online = false;
    tap.wake();
    tap.farewell();
    expect(beacon).toHaveBeenCalledTimes(2);
  });

  it('while a batch is in flight sends that same batch', async () => {
    const { tap } = await open();
    await taps(tap, 6);
    server.delay = 300;
    void tap.send();
    tap.farewell();
    await vi.advanceTimersByTimeAsync(300);
    expect(server.player(7).taps).toBe(6);
    expect(tap.count).toBe(0);
  });

  it('after a beacon that never arrived loses nothing', async () => {
    const { tap } = await open();
    await taps(tap, 6);
    server.online = false;
    tap.farewell();
    server.online = true;
    tap.wake();
    await vi.advanceTimersByTimeAsync(0);
    expect(server.player(7).taps).toBe(6);
  });

  it('sends nothing when there is nothing', async () => {
    const { tap } = await open();
    tap.farewell();
    expect(server.batches.size).toBe(0);
  });
});

describe('two players on one device', () => {
  it('never touch each other’s taps', async () => {
    const one = await open(1);
    await taps(one.tap, 5);
    const two = await open(2);
    expect(two.tap.count).toBe(0);
    await taps(two.tap, 3);
    two.tap.enter();
    await vi.advanceTimersByTimeAsync(0);
    expect(server.player(2).taps).toBe(3);
    expect(server.player(1).taps).toBe(0);
    const back = await open(1);
    back.tap.enter();
    await vi.advanceTimersByTimeAsync(0);
    expect(server.player(1).taps).toBe(5);
  });
});

describe('two windows of one player', () => {
  it('share one count and one batch', async () => {
    const one = await open();
    const two = await open();
    await taps(one.tap, 5);
    await taps(two.tap, 3);
    one.tap.leave();
    two.tap.leave();
    await vi.advanceTimersByTimeAsync(2000);
    expect(server.player(7).taps).toBe(8);
    one.tap.reread();
    two.tap.reread();
    expect(one.tap.count + two.tap.count).toBe(0);
  });

  it('show the same, whichever of them sent the taps', async () => {
    const one = await open();
    const two = await open();
    await taps(one.tap, 5);
    two.tap.reread();
    expect(two.tap.total).toBe(5000);
    one.tap.leave();
    await vi.advanceTimersByTimeAsync(0);
    two.tap.reread();
    await vi.advanceTimersByTimeAsync(0);
    expect(two.tap.total).toBe(5000);
    expect(two.tap.energyLeft).toBe(995);
  });
});

describe('whatever happens', () => {
  it('every tap is counted exactly once in the end', async () => {
    for (let seed = 1; seed <= 40; seed += 1) {
      const dice = randomOf(seed);
      localStorage.clear();
      server = new FakeServer();
      box = openBox(() => localStorage);
      let app = await open();
      let made = 0;
      for (let step = 0; step < 60; step += 1) {
        await vi.advanceTimersByTimeAsync(dice(2000));
        switch (dice(12)) {
          case 0:
            server.weather.push('lost answer');
            break;
          case 1:
            server.weather.push('cut');
            break;
          case 2:
            server.weather.push({ status: 503, code: 'try_again' }, 'lost answer');
            break;
          case 3:
            server.weather.push({ status: 429, code: 'rate_limited', retryAfter: 3 });
            break;
          case 4:
            server.online = !server.online;
            break;
          case 5:
            app.tap.farewell();
            break;
          case 6:
            server.delay = dice(2) * 700;
            break;
          case 7:
            app.tap.leave();
            break;
          case 8: {
            vi.clearAllTimers(); // the old page and whatever it was waiting for are gone
            const opening = open();
            await vi.advanceTimersByTimeAsync(3000);
            app = await opening;
            app.tap.enter();
            break;
          }
          default:
            for (let n = dice(20); n > 0; n -= 1) {
              if (app.tap.tap().is === 'counted') made += 1;
              await vi.advanceTimersByTimeAsync(100);
            }
        }
      }
      server.online = true;
      server.weather = [];
      server.delay = 0;
      await vi.advanceTimersByTimeAsync(60_000);
      vi.clearAllTimers();
      app = await open();
      app.tap.enter();
      await vi.advanceTimersByTimeAsync(120_000);
      expect([seed, server.player(7).taps, app.tap.count]).toEqual([seed, made, 0]);
      expect(app.tap.total).toBe(made * 1000);
      vi.clearAllTimers();
    }
  }, 30_000);
});

/** A small repeatable die. */
function randomOf(seed: number) {
  let state = seed * 2_654_435_761;
  return (sides: number) => {
    state = (Math.imul(state ^ (state >>> 15), 2_246_822_519) + 374_761_393) >>> 0;
    return state % sides;
  };
}
