import { describe, expect, it } from 'vitest';
import { formatAmount } from '../../format';
import { pass, server } from '../../testing/playGame';
import {
  batchesSent,
  open,
  readRecords,
  setTimeBeforeMidnight,
  settle,
  setUpTapping,
  taps,
} from '../../testing/tapping';

setUpTapping();

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
    await settle(tap.batches.send());
    expect(readRecords()[7].sending).toEqual({ batch_id: 'batch-1', taps: 5 });
    await taps(tap, 2);
    await pass(3000);
    expect(batchesSent()).toEqual([
      { total_taps: 5, batch_id: 'batch-1' },
      { total_taps: 5, batch_id: 'batch-1' },
    ]);
    expect(server.player(7).taps).toBe(5);
    expect(tap.batches.pending).toEqual({ sending: null, pending: 2 });
    expect(formatAmount(tap.total, 3, 'en')).toBe('0.007');
  });

  it('says so once, not at every try', async () => {
    const { tap, said } = await open();
    await taps(tap, 1);
    server.online = false;
    await settle(tap.batches.send());
    await pass(120_000);
    expect(said.filter((text) => text === 'errors.tap_sync')).toHaveLength(1);
  });

  it('waits twice as long each time, up to 30 s', async () => {
    const { tap } = await open();
    await taps(tap, 1);
    server.online = false;
    await settle(tap.batches.send());
    const at: number[] = [];
    let seen = batchesSent().length;
    for (let second = 0; second < 200; second += 0.25) {
      await pass(250);
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
    await settle(tap.batches.send());
    tap.batches.onForeground();
    tap.counter.enter();
    await pass(16_900);
    expect(batchesSent()).toHaveLength(1);
    await pass(100);
    expect(server.player(7).taps).toBe(1);
  });

  it.each([403, 404])('keeps its batch when a proxy answers %i with a page of its own', async (status) => {
    const { tap } = await open();
    await taps(tap, 5);
    server.weather = [{ status, code: '', html: true }];
    tap.counter.enter();
    await pass(0);
    expect(tap.batches.count).toBe(5);
    await pass(2000);
    expect(server.player(7).taps).toBe(5);
    expect(tap.batches.count).toBe(0);
  });

  it('does not wait once the network is back', async () => {
    const { tap } = await open();
    await taps(tap, 1);
    server.online = false;
    await settle(tap.batches.send());
    await pass(60_000);
    server.online = true;
    tap.batches.onForeground();
    await pass(0);
    expect(server.player(7).taps).toBe(1);
  });

  it.each([
    [400, 'validation_failed'],
    [409, 'tournament_not_active'],
    [422, 'idempotency_key_reused'],
  ])('with %i %s drops the batch, for it can never be accepted', async (status, code) => {
    const { tap, said } = await open();
    await taps(tap, 5);
    server.weather = [{ status, code }];
    await settle(tap.batches.send());
    expect(said).toContain('errors.tap_sync');
    expect(tap.batches.count).toBe(0);
    expect(tap.counter.energyLeft).toBe(1000);
    await pass(60_000);
    expect(batchesSent()).toHaveLength(1);
  });

  it.each(['season_not_started', 'season_over'])(
    'with 409 %s drops the batch, and says why',
    async (code) => {
      const { tap, said, settings } = await open();
      await taps(tap, 5);
      server.weather = [{ status: 409, code }];
      await settle(tap.batches.send());
      expect(said).toEqual([`errors.${code}`]);
      expect(tap.batches.count).toBe(0);
      await settle(Promise.resolve());
      expect(settings.settings).not.toBeNull();
    },
  );

  it('says why a batch is dropped even after it was said that it does not get through', async () => {
    const { tap, said } = await open();
    await taps(tap, 5);
    server.weather = ['cut', { status: 409, code: 'season_over' }];
    await settle(tap.batches.send());
    expect(said).toEqual(['errors.tap_sync']);
    await pass(10_000);
    expect(tap.batches.count).toBe(0);
    expect(said).toEqual(['errors.tap_sync', 'errors.season_over']);
  });

  it.each([
    [401, 'init_data_expired'],
    [403, 'age_consent_required'],
    [403, 'user_blocked'],
  ])('with %i %s keeps the taps without retrying', async (status, code) => {
    const { tap } = await open();
    await taps(tap, 5);
    server.weather = [{ status, code }];
    await settle(tap.batches.send());
    await pass(120_000);
    expect(batchesSent()).toHaveLength(1);
    expect(readRecords()[7].sending).toEqual({ batch_id: 'batch-1', taps: 5 });
    const again = await open();
    again.tap.counter.enter();
    await pass(0);
    expect(server.player(7).taps).toBe(5);
  });

  it('during maintenance keeps the taps, and sends them after it', async () => {
    const { tap } = await open();
    await taps(tap, 5);
    server.weather = [{ status: 503, code: 'maintenance', retryAfter: 15 }];
    await settle(tap.batches.send());
    tap.batches.onForeground();
    await pass(14_000);
    expect(batchesSent()).toHaveLength(1);
    expect(readRecords()[7].sending).toEqual({ batch_id: 'batch-1', taps: 5 });
    tap.batches.resume();
    await pass(0);
    expect(server.player(7).taps).toBe(5);
    expect(tap.batches.count).toBe(0);
    await pass(60_000);
    expect(batchesSent()).toHaveLength(2);
  });

  it('that failed here is not unsaved once another window has sent it', async () => {
    const { tap } = await open();
    await taps(tap, 5);
    server.weather = ['cut'];
    await settle(tap.batches.send());
    expect(tap.batches.unsaved).toBe(true);
    localStorage.clear();
    tap.batches.reread();
    expect(tap.batches.unsaved).toBe(false);
  });

  it('gives up on a server that never answers, and repeats the batch', async () => {
    const { tap } = await open();
    await taps(tap, 5);
    server.delay = 10 ** 9;
    void tap.batches.send();
    await pass(20_000);
    expect([tap.batches.sync.is, tap.batches.unsaved]).toEqual(['waiting', true]);
    await pass(1000);
    expect([tap.batches.sync.is, tap.batches.unsaved]).toEqual(['sending', true]);
    server.delay = 0;
    await pass(30_000);
    expect(server.player(7).taps).toBe(5);
    expect([tap.batches.count, tap.batches.unsaved]).toEqual([0, false]);
  });
});

describe('the last sync of a day', () => {
  it('does not wait for a network that has failed before', async () => {
    setTimeBeforeMidnight(56_000);
    const { tap } = await open();
    await taps(tap, 1);
    server.online = false;
    void tap.batches.send();
    await pass(48_000); // the next try is in twenty seconds
    server.online = true;
    await pass(3000);
    expect([server.player(7).taps, tap.batches.count]).toEqual([1, 0]);
  });

  it('brings what was tapped since a batch failed, too', async () => {
    setTimeBeforeMidnight(56_000);
    const { tap } = await open();
    await taps(tap, 1);
    server.online = false;
    await settle(tap.batches.send());
    await taps(tap, 3);
    await pass(47_000); // the next try is in twenty seconds
    server.online = true;
    await pass(6000);
    expect([server.player(7).taps, tap.batches.count]).toEqual([4, 0]);
  });
});
