import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { RootStore } from '../app/RootStore';
import { connectApi, server, setUpGame } from '../testing/playGame';
import { Clock } from './Clock';
import { SettingsStore } from './SettingsStore';

setUpGame();

beforeEach(() => {
  // Another day than the server's, whose clock is the one that counts.
  vi.setSystemTime(Date.parse('2031-01-01T00:00:00Z'));
});

async function loaded(now: string, start = '2026-03-01T12:00:00Z') {
  server.serverTime = now;
  server.seasonStart = start;
  const clock = new Clock(Date.now, () => performance.now());
  const settings = new SettingsStore({ api: connectApi(), clock, platform: { now: Date.now } } as RootStore);
  await settings.load();
  return settings;
}

describe('the season', () => {
  it.each([
    ['2026-03-01T11:59:59Z', 'ahead'],
    ['2026-03-01T12:00:00Z', 'running'],
    ['2026-05-30T11:59:59Z', 'running'],
    ['2026-05-30T12:00:00Z', 'over'],
  ])('at %s is %s', async (now, season) => {
    expect((await loaded(now)).season).toBe(season);
  });

  it('begins while somebody looks', async () => {
    const settings = await loaded('2026-03-01T11:59:59Z');
    vi.advanceTimersByTime(1000);
    expect(settings.season).toBe('running');
    expect(settings.wasRunning).toBe(false);
  });

  it.each([
    ['2026-03-01T11:59:00Z', 60_000],
    ['2026-03-01T12:00:00Z', 90 * 86_400_000],
    ['2026-05-30T12:00:00Z', Number.POSITIVE_INFINITY],
  ])('at %s turns in %d ms', async (now, time) => {
    expect((await loaded(now)).untilTurn).toBe(time);
  });

  it.each([
    ['2026-03-01T12:00:00Z', '2026-03-01T00:00:00Z', 90],
    ['2026-05-29T23:59:59Z', '2026-03-01T00:00:00Z', 1],
    ['2026-05-30T00:00:00Z', '2026-03-01T00:00:00Z', 0],
    // One that starts at noon has a half day at its end.
    ['2026-05-29T13:00:00Z', '2026-03-01T12:00:00Z', 2],
    ['2026-05-30T11:59:59Z', '2026-03-01T12:00:00Z', 1],
    ['2026-05-30T12:00:00Z', '2026-03-01T12:00:00Z', 0],
  ])('at %s, begun at %s, has %d UTC days left', async (now, start, days) => {
    expect((await loaded(now, start)).daysLeft).toBe(days);
  });

  it.each([
    ['before it', '2026-02-27T12:00:00Z', false],
    ['on the day before it begins', '2026-02-28T12:00:00Z', true],
    ['on a day of it', '2026-04-01T12:00:00Z', true],
    ['on its last day', '2026-05-29T12:00:00Z', false],
    ['after it', '2026-06-29T12:00:00Z', false],
  ])('%s goes on tomorrow: %s', async (_, now, goes) => {
    expect((await loaded(now, '2026-03-01T00:00:00Z')).tomorrow).toBe(goes);
  });
});
