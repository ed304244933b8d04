import { beforeEach, expect, it, vi } from 'vitest';
import { haptics } from '../../telegram';
import { play } from './motion';
import { ticks } from './ticks';
import type { Path } from './turn';

const path: Path = { from: 0, to: 5 * 360, duration: 5000 };

/** How long the page has stood still, in milliseconds: time has passed, and no timer came. */
let stood = 0;

beforeEach(() => {
  vi.useFakeTimers();
  stood = 0;
  const { now } = performance;
  vi.spyOn(performance, 'now').mockImplementation(() => now.call(performance) + stood);
  vi.stubGlobal('matchMedia', () => ({ matches: false }));
});

function turning() {
  const element = { animate: () => ({ cancel: () => {} }) } as unknown as Element;
  const peg = vi.spyOn(haptics, 'peg').mockImplementation(() => {});
  return { peg, stop: play(element, element, path, 0) };
}

const until = (time: number) => ticks(path).filter((tick) => tick <= time).length;

it('ticks with each peg', () => {
  const { peg } = turning();
  vi.advanceTimersByTime(1000);
  expect(peg).toHaveBeenCalledTimes(until(1000));
  vi.advanceTimersByTime(4000);
  expect(peg).toHaveBeenCalledTimes(until(5000));
});

it('does not make up for what a page that stood still has missed', () => {
  const { peg } = turning();
  vi.advanceTimersByTime(300);
  const before = peg.mock.calls.length;
  stood = 3000;
  vi.advanceTimersByTime(100);
  const then = peg.mock.calls.length;
  expect(then - before).toBeLessThanOrEqual(2);
  vi.advanceTimersByTime(2000);
  expect(peg.mock.calls.length).toBeGreaterThan(then);
});

it('ticks no more once it was stopped', () => {
  const { peg, stop } = turning();
  stop();
  vi.advanceTimersByTime(5000);
  expect(peg).not.toHaveBeenCalled();
});
