import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { speak } from '../i18n';
import { FetchedScreen } from './FetchedScreen';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const retry = async () => fireEvent.click(await screen.findByRole('button', { name: 'Retry' }));

it('opens the page anew where a part does not come a second time, but not without a network', async () => {
  await speak('en');
  const reload = vi.fn();
  vi.stubGlobal('location', { reload });
  vi.stubGlobal('fetch', async () => {
    if (!navigator.onLine) throw new TypeError('Failed to fetch');
    return { ok: true };
  });
  const online = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(true);
  const load = vi.fn(() => Promise.reject(new Error('404')));
  render(<FetchedScreen load={load}>{() => null}</FetchedScreen>);
  await retry();
  await vi.waitFor(() => expect(load).toHaveBeenCalledTimes(2));
  expect(reload).not.toHaveBeenCalled();
  online.mockReturnValue(false);
  await retry();
  await vi.waitFor(() => expect(load).toHaveBeenCalledTimes(3));
  expect(reload).not.toHaveBeenCalled();
  online.mockReturnValue(true);
  await retry();
  await vi.waitFor(() => expect(reload).toHaveBeenCalledTimes(1));
});
