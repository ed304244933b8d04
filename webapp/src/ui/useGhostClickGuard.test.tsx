import { act, cleanup, fireEvent, render, renderHook, screen } from '@testing-library/react';
import { afterEach, expect, it, onTestFinished, vi } from 'vitest';
import { Modal } from './Modal';
import { Sheet } from './Sheet';
import { useGhostClickGuard } from './useGhostClickGuard';

/** One frame, milliseconds. */
const frame = 16;

/** A finger comes down, `made` milliseconds after the page began: it may be heard of later. jsdom has no such event, and another clock. */
function down(target: Element, made = performance.now()): void {
  const event = new MouseEvent('pointerdown', { bubbles: true, button: 0 });
  Object.defineProperty(event, 'timeStamp', { value: made });
  fireEvent(target, event);
  fireEvent.mouseDown(target, { button: 0 });
}

function press(target: Element, made?: number): void {
  down(target, made);
  lift(target);
}

function lift(target: Element): void {
  fireEvent.pointerUp(target);
  fireEvent.mouseUp(target, { button: 0 });
  fireEvent.click(target, { button: 0, detail: 1 });
}

afterEach(cleanup);

it.each([
  ['a modal', (close: () => void) => <Modal open onClose={close} title="Here" />],
  [
    'a drawer',
    (close: () => void) => (
      <Sheet open onClose={close} title="Here">
        <p>What it says</p>
      </Sheet>
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
  // It lies over the scrim.
  const scrim = [...document.querySelectorAll('[class*="viewport"]')].at(-1) as Element;
  const isUp = () => document.querySelector('[class*="guard"]') !== null;

  await pass(390);
  expect(isUp()).toBe(true);
  press(scrim);
  await pass(0);
  expect(close).not.toHaveBeenCalled();

  // One that began then and ends later.
  down(scrim);
  await pass(20);
  expect(isUp()).toBe(false);
  lift(scrim);
  await pass(0);
  expect(close).not.toHaveBeenCalled();

  // One made then that a busy phone delivers later.
  press(scrim, performance.now() - 50);
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
  expect(result.current.className).toBeDefined();
  frames[0]?.(0);
  await pass(400);
  expect(result.current.className).toBeUndefined();
  rerender({ open: false });
  rerender({ open: true });
  expect(result.current.className).toBeDefined();
});

it('lets no button be pressed by a tap made before it could be', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const buy = vi.fn();
  const over = vi.fn();
  render(
    <button type="button" onClick={over}>
      What is not ours
    </button>,
  );
  render(
    <Modal
      open
      onClose={() => {}}
      title="Here"
      actions={
        <button type="button" onClick={buy}>
          Buy
        </button>
      }
    />,
  );
  press(screen.getByText('What is not ours'));
  expect(over).toHaveBeenCalledTimes(1);
  await act(() => vi.advanceTimersByTimeAsync(500));
  const button = screen.getByRole('button', { name: 'Buy' });
  press(button, performance.now() - 150);
  expect(buy).not.toHaveBeenCalled();
  fireEvent.click(button); // by a key
  press(button);
  expect(buy).toHaveBeenCalledTimes(2);
});
