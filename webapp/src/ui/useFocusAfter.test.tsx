import { render, renderHook, screen, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import { Sheet } from './Sheet';
import { useFocusAfter } from './useFocusAfter';

function page(open: boolean, opener = true) {
  return (
    <>
      <main tabIndex={-1}>
        <button type="button">First</button>
        {opener && <button type="button">Opener</button>}
      </main>
      <Sheet open={open} onClose={() => undefined} title="Drawer">
        {null}
      </Sheet>
    </>
  );
}

const shown = () =>
  waitFor(() => expect(screen.getByRole('dialog').contains(document.activeElement)).toBe(true));
const gone = () => waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());

it('gives the focus back to what opened it', async () => {
  const { rerender } = render(page(false));
  screen.getByRole('button', { name: 'Opener' }).focus();
  rerender(page(true));
  await shown();
  rerender(page(false));
  await gone();
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Opener' })));
});

it.each(['it opened by itself', 'its opener went away'])(
  'gives the focus to the screen where %s',
  async (how) => {
    const { rerender } = render(page(false));
    const main = screen.getByRole('main');
    if (how === 'it opened by itself') main.focus();
    else screen.getByRole('button', { name: 'Opener' }).focus();
    rerender(page(true));
    await shown();
    rerender(page(false, false));
    await gone();
    await waitFor(() => expect(document.activeElement).toBe(main));
  },
);

it('leaves it where it is by then: in what opened in its place', () => {
  render(
    <>
      <main tabIndex={-1} />
      <div data-testid="gone" tabIndex={-1}>
        <button type="button">Inside</button>
      </div>
      <button type="button">In its place</button>
    </>,
  );
  const popup = { current: screen.getByTestId('gone') };
  const { result } = renderHook(() => useFocusAfter(true, popup));
  screen.getByRole('button', { name: 'In its place' }).focus();
  expect([result.current(), document.activeElement?.textContent]).toEqual([false, 'In its place']);
  screen.getByRole('button', { name: 'Inside' }).focus();
  expect([result.current(), document.activeElement]).toEqual([false, screen.getByRole('main')]);
});
