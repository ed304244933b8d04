import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { speak } from '../i18n';
import { FetchedScreen } from './FetchedScreen';

const reload = vi.fn();

beforeEach(async () => {
  await speak('en');
  sessionStorage.clear();
  vi.stubGlobal('location', { reload });
  vi.stubGlobal('fetch', async () => {
    if (!navigator.onLine) throw new TypeError('Failed to fetch');
    return { ok: true };
  });
});

afterEach(() => {
  cleanup();
  vi.clearAllMocks();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const retry = async () => fireEvent.click(await screen.findByRole('button', { name: 'Retry' }));

function open() {
  const load = vi.fn(() => Promise.reject(new Error('404')));
  render(<FetchedScreen load={load}>{() => null}</FetchedScreen>);
  return load;
}

it('opens the page anew where a part of it is gone, once by itself', async () => {
  open();
  await vi.waitFor(() => expect(reload).toHaveBeenCalledTimes(1));
  cleanup();
  open();
  await screen.findByRole('button', { name: 'Retry' });
  expect(reload).toHaveBeenCalledTimes(1);
});

it('opens the page anew where a part does not come a second time, but not without a network', async () => {
  sessionStorage.setItem('reopened', 'yes');
  const online = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(true);
  const load = open();
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

it('is left as it is without a network', async () => {
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  open();
  await screen.findByRole('button', { name: 'Retry' });
  expect([reload.mock.calls.length, sessionStorage.getItem('reopened')]).toEqual([0, null]);
});
