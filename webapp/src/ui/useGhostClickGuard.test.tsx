import { act, fireEvent, render, renderHook, screen } from '@testing-library/react';
import { expect, it, onTestFinished, vi } from 'vitest';
import ModalDialog from './ModalDialog';
import SheetDrawer from './SheetDrawer';
import { useGhostClickGuard } from './useGhostClickGuard';

/** One frame, milliseconds. */
const frame = 16;

function press(scrim: Element | null): void {
  if (!scrim) throw new Error('there is no scrim');
  fireEvent.pointerDown(scrim, { button: 0, pointerType: 'mouse' });
  fireEvent.mouseDown(scrim, { button: 0 });
  fireEvent.pointerUp(scrim, { button: 0, pointerType: 'mouse' });
  fireEvent.mouseUp(scrim, { button: 0 });
  fireEvent.click(scrim, { button: 0 });
}

it.each([
  ['a modal', (close: () => void) => <ModalDialog open onClose={close} title="Here" />],
  [
    'a drawer',
    (close: () => void) => (
      <SheetDrawer open onClose={close} title="Here">
        <p>What it says</p>
      </SheetDrawer>
    ),
  ],
])('the second tap of two does not take away %s that came under the finger', async (_, over) => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const close = vi.fn();
  render(over(close));
  const pass = (time: number) => act(() => vi.advanceTimersByTimeAsync(time));
  await pass(frame);
  screen.getByRole('dialog', { name: 'Here' });
  const scrim = [...document.querySelectorAll('[class*="scrim"]')].at(-1) ?? null;
  const isUp = () => document.querySelector('[class*="guard"]') !== null;

  await pass(390);
  expect(isUp()).toBe(true);
  press(scrim);
  await pass(0);
  expect(close).not.toHaveBeenCalled();

  // One that began then and ends later.
  fireEvent.pointerDown(scrim as Element, { button: 0, pointerType: 'mouse' });
  fireEvent.mouseDown(scrim as Element, { button: 0 });
  await pass(20);
  expect(isUp()).toBe(false);
  fireEvent.mouseUp(scrim as Element, { button: 0 });
  fireEvent.click(scrim as Element, { button: 0 });
  await pass(0);
  expect(close).not.toHaveBeenCalled();

  press(scrim);
  await pass(0);
  expect(close).toHaveBeenCalledTimes(1);
});

it('stands from the first frame on, and again each time', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const frames: FrameRequestCallback[] = [];
  vi.stubGlobal('requestAnimationFrame', (draw: FrameRequestCallback) => frames.push(draw));
  onTestFinished(() => void vi.unstubAllGlobals());
  const { result, rerender } = renderHook(({ open }) => useGhostClickGuard(open), {
    initialProps: { open: true },
  });
  const pass = (time: number) => act(() => vi.advanceTimersByTimeAsync(time));
  await pass(1000);
  expect(result.current.guard).toBeDefined();
  frames[0]?.(0);
  await pass(400);
  expect(result.current.guard).toBeUndefined();
  rerender({ open: false });
  rerender({ open: true });
  expect(result.current.guard).toBeDefined();
});
