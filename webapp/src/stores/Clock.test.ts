import { expect, it } from 'vitest';
import { Clock } from './Clock';

it('names one start of a day, however often it is asked and whatever passes between its looks at the device', () => {
  let now = Date.parse('2026-03-01T12:00:00Z');
  const clock = new Clock(
    () => {
      now += 1;
      return now;
    },
    () => performance.now(),
  );
  expect([clock.dayStart, clock.dayStart]).toEqual([
    Date.parse('2026-03-01T00:00:00Z'),
    Date.parse('2026-03-01T00:00:00Z'),
  ]);
});

it('does not believe an answer that slept with the phone', () => {
  let now = Date.parse('2026-03-01T12:00:00Z');
  const clock = new Clock(
    () => now,
    () => now,
  );
  clock.set('2026-03-01T12:00:05Z', now - 200, now);
  const asked = now;
  now += 3 * 3_600_000;
  clock.set('2026-03-01T12:00:05Z', asked, now);
  expect(new Date(clock.now).toISOString()).toBe('2026-03-01T15:00:05.100Z');
});
