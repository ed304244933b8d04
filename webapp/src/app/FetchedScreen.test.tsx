import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { runInAction } from 'mobx';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createGame } from '../testing/playGame';
import { FetchedScreen } from './FetchedScreen';
import { RootContext } from './RootContext';

const reload = vi.fn();

beforeEach(() => {
  vi.stubGlobal('location', { reload });
  vi.stubGlobal('fetch', async () => {
    if (!navigator.onLine) throw new TypeError('Failed to fetch');
    return { ok: true };
  });
});

afterEach(() => vi.clearAllMocks());

const retry = async () => fireEvent.click(await screen.findByRole('button', { name: 'Retry' }));

function open(load = vi.fn(() => Promise.reject(new Error('404')))) {
  const root = createGame().root;
  render(
    <RootContext value={root}>
      <FetchedScreen load={load}>{() => <p>here</p>}</FetchedScreen>
    </RootContext>,
  );
  return { root, load };
}

const again = { timeout: 4000 };

it('is fetched once more by itself, and is there', async () => {
  let tries = 0;
  open(vi.fn(() => (tries++ === 0 ? Promise.reject(new Error('reset')) : Promise.resolve({} as never))));
  await screen.findByText('here', {}, again);
  expect(reload).not.toHaveBeenCalled();
});

it('opens the page anew where a part of it is gone, once by itself', async () => {
  const { load } = open();
  await vi.waitFor(() => expect(reload).toHaveBeenCalledTimes(1), again);
  expect(load).toHaveBeenCalledTimes(2);
  cleanup();
  const next = open();
  await vi.waitFor(() => expect(next.load).toHaveBeenCalledTimes(2), again);
  await screen.findByRole('button', { name: 'Retry' });
  expect(reload).toHaveBeenCalledTimes(1);
});

it('opens no page anew while an ad’s reward is awaited', async () => {
  const { root, load } = open();
  runInAction(() => {
    root.ads.busy = true;
  });
  await vi.waitFor(() => expect(load).toHaveBeenCalledTimes(2), again);
  await screen.findByRole('button', { name: 'Retry' });
  expect([reload.mock.calls.length, sessionStorage.getItem('reopened')]).toEqual([0, null]);
});

it('opens the page anew where a player tries it twice in vain, but not without a network', async () => {
  sessionStorage.setItem('reopened', 'yes');
  const online = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(true);
  open();
  await retry();
  expect(reload).not.toHaveBeenCalled();
  online.mockReturnValue(false);
  await retry();
  expect(reload).not.toHaveBeenCalled();
  online.mockReturnValue(true);
  await retry();
  await vi.waitFor(() => expect(reload).toHaveBeenCalledTimes(1));
});

it('shows its picture, and no broken one where that does not come', async () => {
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  open();
  await screen.findByRole('button', { name: 'Retry' });
  const picture = document.querySelector('img');
  expect(picture?.getAttribute('src')).toContain('ore-stone');
  if (picture) fireEvent.error(picture);
  expect(document.querySelector('img')).toBeNull();
  expect(screen.getByText('No connection')).toBeTruthy();
});

it('is left as it is without a network', async () => {
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  const { load } = open();
  await vi.waitFor(() => expect(load).toHaveBeenCalledTimes(2), again);
  await screen.findByRole('button', { name: 'Retry' });
  expect([reload.mock.calls.length, sessionStorage.getItem('reopened')]).toEqual([0, null]);
});
