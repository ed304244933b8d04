import { describe, expect, it } from 'vitest';
import { formatAmount } from '../../format';
import { pass, replaceServer, requestsTo, server } from '../../testing/playGame';
import { batchesSent, open, readRecords, settle, setUpTapping, taps } from '../../testing/tapping';

setUpTapping();

describe('a tap', () => {
  it('raises the balance and lowers the energy at once', async () => {
    const { tap } = await open();
    await taps(tap, 3);
    expect(formatAmount(tap.total, 3, 'en')).toBe('0.003');
    expect(tap.counter.energyLeft).toBe(997);
    expect(formatAmount(tap.confirmedTotal, 3, 'en')).toBe('0.000');
  });

  it('is ignored within 100 ms of the last one', async () => {
    const { tap } = await open();
    await taps(tap, 1);
    await pass(99);
    expect(tap.tap()).toEqual({ is: 'too soon' });
    await pass(1);
    expect(tap.tap()).toEqual({ is: 'counted' });
    expect(tap.batches.count).toBe(2);
  });

  it('needs energy known and enough of it', async () => {
    server.energyMax = 2;
    const { tap, said } = await open();
    await taps(tap, 2);
    await pass(100);
    expect(tap.tap()).toEqual({ is: 'no energy', first: true });
    expect(said).toContain('errors.no_energy');
    await pass(100);
    expect(tap.tap()).toEqual({ is: 'no energy', first: false });
  });

  it.each([
    ['before the season', '2026-03-01T12:00:01Z', '2026-03-01T12:00:00Z'],
    ['after it', '2025-12-01T12:00:00Z', '2026-03-01T12:00:00Z'],
  ])('%s is none: nothing is counted, and nothing sent', async (_, start, now) => {
    server.seasonStart = start;
    server.serverTime = now;
    const { tap, said, settings } = await open();
    await settle(settings.load());
    expect(tap.tap()).toEqual({ is: 'not ready' });
    expect([tap.canTap, tap.batches.count, said]).toEqual([false, 0, []]);
  });

  it('counts from the first moment of the season', async () => {
    server.seasonStart = '2026-03-01T12:00:02Z';
    const { tap, settings } = await open();
    await settle(settings.load());
    await pass(1900);
    expect(tap.tap()).toEqual({ is: 'not ready' });
    await pass(200);
    expect(tap.tap()).toEqual({ is: 'counted' });
  });

  it('counts nothing before energy has loaded', async () => {
    server.online = false;
    const { tap } = await open();
    expect(tap.tap()).toEqual({ is: 'not ready' });
    expect(tap.batches.count).toBe(0);
  });
});

describe('taps are sent', () => {
  it('at 100 taps', async () => {
    const { tap } = await open();
    await taps(tap, 99);
    expect(batchesSent()).toEqual([]);
    await taps(tap, 1);
    await pass(0);
    expect(batchesSent()).toEqual([{ total_taps: 100, batch_id: 'batch-1' }]);
    expect(tap.batches.count).toBe(0);
    expect(formatAmount(tap.confirmedTotal, 3, 'en')).toBe('0.100');
  });

  it('every 30 s', async () => {
    const { tap } = await open();
    await taps(tap, 5);
    await pass(30_000);
    expect(batchesSent()).toHaveLength(1);
    await pass(60_000);
    expect(batchesSent()).toHaveLength(1);
  });

  it('when energy runs out', async () => {
    server.energyMax = 3;
    const { tap } = await open();
    await taps(tap, 3);
    await pass(0);
    expect(server.player(7).taps).toBe(3);
    expect(tap.canTap).toBe(false);
  });

  it('when the tap screen opens', async () => {
    const first = await open();
    await taps(first.tap, 4);
    const { tap } = await open();
    expect(tap.batches.count).toBe(4);
    tap.counter.enter();
    await pass(0);
    expect(server.player(7).taps).toBe(4);
  });

  it('on leaving it, with the overlay for 2 s', async () => {
    const { tap } = await open();
    await taps(tap, 2);
    tap.counter.leave();
    expect(tap.saving).toBe(true);
    await pass(1999);
    expect(server.player(7).taps).toBe(2);
    expect(tap.saving).toBe(true);
    await pass(1);
    expect(tap.saving).toBe(false);
  });

  it('without an overlay when nothing is unsaved', async () => {
    const { tap } = await open();
    tap.counter.leave();
    expect(tap.saving).toBe(false);
  });

  it('under the key that is also the id of the batch', async () => {
    const { tap } = await open();
    await taps(tap, 1);
    await settle(tap.batches.send());
    const [request] = requestsTo('tap/perform-batch-tap');
    expect(request?.headers.get('Idempotency-Key')).toBe('batch-1');
    expect(request?.headers.get('Authorization')).toBe('tma 7');
  });

  it('at most 10,000, more than any day holds: a record of more was not made by tapping', async () => {
    for (const taps of [20_500, Number.MAX_SAFE_INTEGER]) {
      replaceServer();
      const record = { taps, sending: { batch_id: 'made-up', taps }, timestamp: 1 };
      localStorage.setItem('accumulated_taps', JSON.stringify({ 7: record }));
      const { tap } = await open();
      tap.counter.enter();
      await pass(60_000);
      expect(batchesSent()).toMatchObject([{ total_taps: 10_000 }]);
      expect(server.player(7).taps).toBe(1000);
      expect(tap.batches.count).toBe(0);
    }
  });
});

describe('a reward', () => {
  it('is what an accepted batch has brought, not a batch of which nothing counted', async () => {
    const { tap, writeAccess } = await open();
    writeAccess.start(7);
    await taps(tap, 1);
    server.player(7).energy = 0;
    await settle(tap.batches.send());
    expect([tap.batches.count, writeAccess.due]).toEqual([0, false]);
    server.player(7).energy = 1000;
    tap.counter.enter();
    await taps(tap, 1);
    await settle(tap.batches.send());
    expect([tap.batches.count, writeAccess.due]).toEqual([0, true]);
  });
});

describe('a batch in flight', () => {
  it('keeps its size; taps made meanwhile join the next and stay in the balance', async () => {
    server.delay = 500;
    const { tap } = await openSlow();
    await taps(tap, 3);
    void tap.batches.send();
    await taps(tap, 2);
    expect(readRecords()[7]).toMatchObject({ taps: 2, sending: { batch_id: 'batch-1', taps: 3 } });
    await pass(500);
    expect(server.player(7).taps).toBe(3);
    expect(tap.batches.pending).toEqual({ sending: null, pending: 2 });
    expect(formatAmount(tap.total, 3, 'en')).toBe('0.005');
    expect(tap.counter.energyLeft).toBe(995);
  });

  it('is followed by another when one was asked for meanwhile', async () => {
    server.delay = 500;
    const { tap } = await openSlow();
    await taps(tap, 3);
    void tap.batches.send();
    await taps(tap, 2);
    tap.counter.leave();
    await pass(1500);
    expect(server.player(7).taps).toBe(5);
    expect(tap.batches.count).toBe(0);
  });

  async function openSlow() {
    const opening = open();
    await pass(500);
    return opening;
  }
});
