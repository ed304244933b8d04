import { fireEvent, render, screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import ModalDialog from './ModalDialog';
import SheetDrawer from './SheetDrawer';

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
  const close = vi.fn();
  const now = vi.spyOn(performance, 'now').mockReturnValue(10_000);
  render(over(close));
  await screen.findByRole('dialog', { name: 'Here' });
  const scrim = [...document.querySelectorAll('[class*="scrim"]')].at(-1) ?? null;
  now.mockReturnValue(10_400);
  press(scrim);
  expect(close).not.toHaveBeenCalled();
  await new Promise((later) => setTimeout(later, 50)); // what a press leaves behind is gone by then
  now.mockReturnValue(10_600);
  press(scrim);
  expect(close).toHaveBeenCalledTimes(1);
  now.mockRestore();
});
