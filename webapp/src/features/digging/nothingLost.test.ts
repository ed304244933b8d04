import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { formatAmount } from '../../format';
import { openStorage } from '../../storage';
import { pass, replaceServer, server } from '../../testing/playGame';
import { open, scene, settle, setUpTapping, taps } from '../../testing/tapping';

setUpTapping();

describe('a reload', () => {
  it('loses no tap', async () => {
    const { tap } = await open();
    await taps(tap, 42);
    const again = await open();
    expect(again.tap.batches.count).toBe(42);
    expect(formatAmount(again.tap.total, 3, 'en')).toBe('0.042');
    again.tap.counter.enter();
    await pass(0);
    expect(server.player(7).taps).toBe(42);
  });

  it('while a batch was in flight repeats that batch, which counts once', async () => {
    const { tap } = await open();
    await taps(tap, 10);
    server.weather = ['lost answer'];
    void tap.batches.send();
    await taps(tap, 3);
    const again = await open();
    again.tap.counter.enter();
    await pass(0);
    again.tap.counter.enter();
    await pass(0);
    expect(server.player(7).taps).toBe(13);
    expect(new Set(server.batches.keys())).toEqual(new Set(['batch-1', 'batch-2']));
  });

  it('with an unreadable record starts from nothing', async () => {
    for (const text of ['{', '[]', '"x"', '{"7":{"taps":-1}}', '{"7":{"taps":1.5}}', '{"7":null}']) {
      localStorage.setItem('accumulated_taps', text);
      expect((await open()).tap.batches.count).toBe(0);
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
    scene.box = openStorage(() => device);
    const { tap } = await open();
    await taps(tap, 40);
    server.weather = ['lost answer'];
    tap.counter.enter();
    await pass(0);
    expect(server.player(7).taps).toBe(40);

    scene.box = openStorage(() => device);
    const again = await open();
    again.tap.counter.enter();
    await pass(10_000);
    expect(server.player(7).taps).toBe(40);
  });

  it('with storage blocked plays on from memory', async () => {
    scene.box = openStorage(() => {
      throw new DOMException('blocked', 'SecurityError');
    });
    const { tap } = await open();
    await taps(tap, 5);
    await settle(tap.batches.send());
    expect(server.player(7).taps).toBe(5);
    expect(tap.batches.count).toBe(0);
  });
});

describe('closing the page', () => {
  it('sends the frozen batch; the next page repeats it and it counts once', async () => {
    const { tap } = await open();
    await taps(tap, 6);
    tap.batches.flushOnUnload();
    expect(server.player(7).taps).toBe(6);
    const again = await open();
    again.tap.counter.enter();
    await pass(0);
    expect(server.player(7).taps).toBe(6);
    expect(again.tap.batches.count).toBe(0);
    expect(formatAmount(again.tap.total, 3, 'en')).toBe('0.006');
  });

  it('never shows the taps twice while the repeat is on its way', async () => {
    const before = await open();
    await taps(before.tap, 5);
    before.tap.batches.flushOnUnload();
    const after = await open();
    expect(after.tap.batches.count).toBe(5);
    expect(formatAmount(after.tap.total, 3, 'en')).toBe('0.005');
    expect(after.tap.counter.energyLeft).toBe(995);
    await taps(after.tap, 2);
    expect(formatAmount(after.tap.total, 3, 'en')).toBe('0.007');
  });

  it('announced twice, as hidden and as gone, sends one beacon', async () => {
    const { tap } = await open();
    await taps(tap, 6);
    const beacon = vi.spyOn(server, 'beacon');
    tap.batches.flushOnUnload();
    tap.batches.flushOnUnload();
    expect(beacon).toHaveBeenCalledTimes(1);
    server.online = false;
    tap.batches.onForeground();
    tap.batches.flushOnUnload();
    expect(beacon).toHaveBeenCalledTimes(2);
  });

  it('while a batch is in flight sends that same batch', async () => {
    const { tap } = await open();
    await taps(tap, 6);
    server.delay = 300;
    void tap.batches.send();
    tap.batches.flushOnUnload();
    await pass(300);
    expect(server.player(7).taps).toBe(6);
    expect(tap.batches.count).toBe(0);
  });

  it('after a beacon that never arrived loses nothing', async () => {
    const { tap } = await open();
    await taps(tap, 6);
    server.online = false;
    tap.batches.flushOnUnload();
    server.online = true;
    tap.batches.onForeground();
    await pass(0);
    expect(server.player(7).taps).toBe(6);
  });

  it('sends nothing when there is nothing', async () => {
    const { tap } = await open();
    tap.batches.flushOnUnload();
    expect(server.batches.size).toBe(0);
  });
});

describe('two players on one device', () => {
  it('never touch each other’s taps', async () => {
    const one = await open(1);
    await taps(one.tap, 5);
    const two = await open(2);
    expect(two.tap.batches.count).toBe(0);
    await taps(two.tap, 3);
    two.tap.counter.enter();
    await pass(0);
    expect(server.player(2).taps).toBe(3);
    expect(server.player(1).taps).toBe(0);
    const back = await open(1);
    back.tap.counter.enter();
    await pass(0);
    expect(server.player(1).taps).toBe(5);
  });
});

describe('two windows of one player', () => {
  it('share one count and one batch', async () => {
    const one = await open();
    const two = await open();
    await taps(one.tap, 5);
    await taps(two.tap, 3);
    one.tap.counter.leave();
    two.tap.counter.leave();
    await pass(2000);
    expect(server.player(7).taps).toBe(8);
    one.tap.batches.reread();
    two.tap.batches.reread();
    expect(one.tap.batches.count + two.tap.batches.count).toBe(0);
  });

  it('show the same, whichever of them sent the taps', async () => {
    const one = await open();
    const two = await open();
    await taps(one.tap, 5);
    two.tap.batches.reread();
    expect(two.tap.total).toBe(5000);
    one.tap.counter.leave();
    await pass(0);
    two.tap.batches.reread();
    await pass(0);
    expect(two.tap.total).toBe(5000);
    expect(two.tap.counter.energyLeft).toBe(995);
  });
});

describe('whatever happens', () => {
  const step = fc.record({
    after: fc.nat(1999),
    event: fc.constantFrom(
      ...([
        'lost answer',
        'cut',
        'unavailable',
        'rate limit',
        'network',
        'beacon',
        'delay',
        'leave',
      ] as const),
      ...(['reload', 'taps', 'taps', 'taps'] as const),
    ),
    taps: fc.nat(19),
  });

  it('every tap is counted exactly once in the end', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 60, size: 'max' }), async (steps) => {
        localStorage.clear();
        replaceServer();
        scene.box = openStorage(() => localStorage);
        let app = await open();
        let made = 0;
        for (const { after, event, taps } of steps) {
          await pass(after);
          if (event === 'lost answer' || event === 'cut') server.weather.push(event);
          if (event === 'unavailable') server.weather.push({ status: 503, code: 'try_again' }, 'lost answer');
          if (event === 'rate limit')
            server.weather.push({ status: 429, code: 'rate_limited', retryAfter: 3 });
          if (event === 'network') server.online = !server.online;
          if (event === 'beacon') app.tap.batches.flushOnUnload();
          if (event === 'delay') server.delay = server.delay === 0 ? 700 : 0;
          if (event === 'leave') app.tap.counter.leave();
          if (event === 'reload') {
            vi.clearAllTimers(); // the old page and whatever it was waiting for are gone
            const opening = open();
            await pass(3000);
            app = await opening;
            app.tap.counter.enter();
          }
          for (let n = event === 'taps' ? taps : 0; n > 0; n -= 1) {
            if (app.tap.tap().is === 'counted') made += 1;
            await pass(100);
          }
        }
        server.online = true;
        server.weather = [];
        server.delay = 0;
        await pass(60_000);
        vi.clearAllTimers();
        app = await open();
        app.tap.counter.enter();
        await pass(120_000);
        expect([server.player(7).taps, app.tap.batches.count, app.tap.total]).toEqual([made, 0, made * 1000]);
        vi.clearAllTimers();
      }),
      { numRuns: 80 },
    );
  }, 30_000);
});
