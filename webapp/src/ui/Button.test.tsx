import { fireEvent, render, screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { Button } from './Button';

it('keeps the focus while it waits, and cannot be pressed or sent meanwhile', () => {
  const [press, send] = [vi.fn(), vi.fn((event: Event) => event.preventDefault())];
  const form = (loading: boolean) => (
    <form onSubmit={(event) => send(event.nativeEvent)}>
      <Button submit loading={loading} disabled={loading} onPress={press}>
        Claim
      </Button>
    </form>
  );
  const { rerender } = render(form(false));
  const button = screen.getByRole('button', { name: 'Claim' });
  button.focus();
  fireEvent.click(button);
  rerender(form(true));
  fireEvent.click(button);
  expect([document.activeElement, button.getAttribute('aria-disabled'), button.matches(':disabled')]).toEqual(
    [button, 'true', false],
  );
  expect([press.mock.calls.length, send.mock.calls.length]).toEqual([1, 1]);
  rerender(form(false));
  fireEvent.click(button);
  expect([press.mock.calls.length, send.mock.calls.length]).toEqual([2, 2]);
});
