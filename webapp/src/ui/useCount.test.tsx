import { act, cleanup, renderHook } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { useCount } from './useCount';

const root = document.documentElement.style;

beforeEach(() => {
  vi.useFakeTimers();
  root.setProperty('--d-count', '700ms');
});

afterEach(() => {
  cleanup();
  vi.useRealTimers();
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
