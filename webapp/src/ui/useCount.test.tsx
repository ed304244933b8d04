import { act, renderHook } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { useCount } from './useCount';

const root = document.documentElement.style;

beforeEach(() => {
  vi.useFakeTimers();
  root.setProperty('--d-count', '700ms');
});

afterEach(() => {
  root.removeProperty('--d-count');
});

const pass = (time: number) => act(() => vi.advanceTimersByTime(time));
const count = (value: number) =>
  renderHook(({ to }: { to: number }) => useCount(to, true), { initialProps: { to: value } });

it('opens with its value, and comes back with it, without counting', () => {
  const first = count(40);
  expect(first.result.current).toBe(40);
  first.unmount();
  expect(count(40).result.current).toBe(40);
  expect(vi.getTimerCount()).toBe(0);
});

it('counts up at once from where it is told to begin', () => {
  const { result } = renderHook(() => useCount(100, true, 0));
  expect(result.current).toBe(0);
  pass(800);
  expect(result.current).toBe(100);
});

it('counts as fast as things arrive: most of the way in a quarter of the time', () => {
  const { result, rerender } = count(0);
  rerender({ to: 100 });
  expect(result.current).toBe(0);
  // What cubic-bezier(0.2, 0.8, 0.2, 1) has at this time.
  pass(0.275 * 700);
  expect(result.current).toBeGreaterThan(75);
  expect(result.current).toBeLessThan(85);
  pass(700);
  expect(result.current).toBe(100);
});

it('goes on from where it is when the value changes again', () => {
  const { result, rerender } = count(0);
  rerender({ to: 100 });
  pass(64);
  const here = result.current;
  rerender({ to: 200 });
  expect(result.current).toBe(here);
  pass(720); // the last frame may come after the time
  expect(result.current).toBe(200);
});

it('does not move for who asked for less motion', () => {
  root.setProperty('--d-count', '1ms');
  const { result, rerender } = count(0);
  rerender({ to: 100 });
  expect(result.current).toBe(100);
});

it.each([
  [10, 20],
  [0.1, 0.3],
  [0.3, 0.1],
  [20, 10],
])('from %d to %d shows nothing beyond either', (from, to) => {
  const frames: FrameRequestCallback[] = [];
  vi.stubGlobal('requestAnimationFrame', (frame: FrameRequestCallback) => frames.push(frame));
  const { result, rerender } = count(from);
  rerender({ to });
  const shown: number[] = [];
  // A frame's time may be older than the effect that asked for it.
  for (let now = performance.now() - 16; frames.length > 0; now += 1) {
    act(() => frames.shift()?.(now));
    shown.push(result.current);
  }
  vi.unstubAllGlobals();
  expect(shown[0]).toBe(from);
  expect(Math.min(...shown)).toBe(Math.min(from, to));
  expect(Math.max(...shown)).toBe(Math.max(from, to));
  expect(shown.at(-1)).toBe(to);
});
