import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { runInAction } from 'mobx';
import type { FunctionComponent, ReactNode } from 'react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { speak } from '../i18n';
import { FakeServer } from '../testing/FakeServer';
import { createTestPlatform } from '../testing/platform';
import { LazyOverlay, LazyScreen, lazyDrawer, lazyModal, lazyScreen } from './lazyPart';
import { RootContext } from './RootContext';
import { RootStore } from './RootStore';

const reload = vi.fn();

beforeEach(async () => {
  await speak('en');
  sessionStorage.clear();
  vi.useFakeTimers();
  vi.stubGlobal('location', { reload });
  vi.stubGlobal('fetch', async () => {
    if (!navigator.onLine) throw new TypeError('Failed to fetch');
    return { ok: true };
  });
});

afterEach(() => {
  cleanup();
  vi.useRealTimers();
  vi.clearAllMocks();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const pass = (time = 0) => act(() => vi.advanceTimersByTimeAsync(time));
const isOnline = (is: boolean) => vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(is);

const Here: FunctionComponent = () => <p>here</p>;
const gone = () => vi.fn(() => Promise.reject(new TypeError('Failed to fetch dynamically imported module')));
const come = () => vi.fn(() => Promise.resolve(Here));

function show(children: ReactNode, root = new RootStore(createTestPlatform(new FakeServer()).platform)) {
  const drawn = (what: ReactNode) => <RootContext value={root}>{what}</RootContext>;
  const { rerender } = render(drawn(children));
  return { root, rerender: (what: ReactNode) => rerender(drawn(what)) };
}

function openScreen(root?: RootStore) {
  const Part = lazyScreen(gone());
  const shown = show(
    <LazyScreen>
      <Part />
    </LazyScreen>,
    root,
  );
  return shown.root;
}

const retry = () => screen.getByRole('button', { name: 'Retry' });

describe('a screen whose code cannot be fetched', () => {
  it('reloads the page by itself, once a visit', async () => {
    openScreen();
    await pass();
    expect(reload).toHaveBeenCalledTimes(1);
    cleanup();
    openScreen();
    await pass();
    expect(reload).toHaveBeenCalledTimes(1);
    fireEvent.click(retry());
    await pass();
    expect(reload).toHaveBeenCalledTimes(2);
  });

  it('waits for the network, with a picture that is there', async () => {
    const online = isOnline(false);
    openScreen();
    await pass();
    expect(screen.getByText('No connection')).toBeTruthy();
    const picture = document.querySelector('img');
    expect(picture?.getAttribute('src')).toContain('ore-stone');
    if (picture) fireEvent.error(picture);
    expect(document.querySelector('img')).toBeNull();
    fireEvent.click(retry());
    await pass();
    expect(reload).not.toHaveBeenCalled();
    online.mockReturnValue(true);
    window.dispatchEvent(new Event('online'));
    await pass();
    expect(reload).toHaveBeenCalledTimes(1);
  });

  it('reloads no page that awaits an ad’s reward', async () => {
    const root = new RootStore(createTestPlatform(new FakeServer()).platform);
    const watch = (busy: boolean) =>
      runInAction(() => {
        root.ads.busy = busy;
      });
    watch(true);
    openScreen(root);
    await pass();
    expect(retry()).toBeTruthy();
    expect([reload.mock.calls.length, sessionStorage.getItem('reopened')]).toEqual([0, null]);
    act(() => watch(false));
    await pass();
    expect(reload).toHaveBeenCalledTimes(1);
  });
});

it('fetches an overlay when it opens, and once', async () => {
  const load = come();
  const { Part } = lazyModal('win', load);
  const overlay = (open: boolean) => (
    <LazyOverlay turn={0} open={open}>
      <Part />
    </LazyOverlay>
  );
  const { rerender } = show(overlay(false));
  await pass(2999);
  expect(load).not.toHaveBeenCalled();
  rerender(overlay(true));
  await pass();
  expect(screen.getByText('here')).toBeTruthy();
  rerender(overlay(false));
  await pass(10_000);
  expect(screen.getByText('here')).toBeTruthy();
  expect(load).toHaveBeenCalledTimes(1);
});

it('fetches an overlay ahead when the first screen has had its time', async () => {
  const load = come();
  const { Part } = lazyModal('win', load);
  show(
    <LazyOverlay turn={0} open={false}>
      <Part />
    </LazyOverlay>,
  );
  await pass(3000);
  expect(load).toHaveBeenCalledTimes(1);
});

it('fetches overlays ahead one after the other', async () => {
  const [first, second] = [come(), come()];
  const parts = [first, second].map((load) => lazyModal('win', load).Part);
  show(
    parts.map((Part, turn) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: they neither move nor go
      <LazyOverlay key={turn} turn={turn} open={false}>
        <Part />
      </LazyOverlay>
    )),
  );
  await pass(3000);
  expect([first, second].map((load) => load.mock.calls.length)).toEqual([1, 0]);
  await pass(100);
  expect(second).toHaveBeenCalledTimes(1);
});

it('reloads the page for a modal once it is to open', async () => {
  const { Part } = lazyModal('win', gone());
  const { root } = show(
    <LazyOverlay turn={0} open={false}>
      <Part />
    </LazyOverlay>,
  );
  await pass(3000);
  await pass(300);
  expect(reload).not.toHaveBeenCalled();
  act(() => root.modals.enqueue({ is: 'win' }));
  await pass();
  expect(reload).toHaveBeenCalledTimes(1);
});

it('closes a modal that cannot come, also after the page was reloaded', async () => {
  sessionStorage.setItem('reopened', 'yes');
  const { Part } = lazyModal('win', gone());
  const { root } = show(
    <LazyOverlay turn={0} open>
      <Part />
    </LazyOverlay>,
  );
  act(() => root.modals.enqueue({ is: 'win' }));
  await pass();
  expect([reload.mock.calls.length, root.modals.shown]).toEqual([0, null]);
});

it('tries the age gate, which nobody passes without its code, again and again', async () => {
  sessionStorage.setItem('reopened', 'yes');
  const { Part } = lazyModal('age', gone());
  const { root } = show(
    <LazyOverlay turn={0} open>
      <Part />
    </LazyOverlay>,
  );
  act(() => root.modals.enqueue({ is: 'age' }));
  await pass();
  await pass(5000);
  expect([reload.mock.calls.length, root.modals.shown?.is]).toEqual([1, 'age']);
});

it('takes code that does not come in half a minute for missing', async () => {
  const Part = lazyScreen(() => new Promise<FunctionComponent>(() => {}));
  show(
    <LazyScreen>
      <Part />
    </LazyScreen>,
  );
  await pass(29_000);
  expect(screen.queryByRole('button', { name: 'Retry' })).toBeNull();
  await pass(1000);
  expect(retry()).toBeTruthy();
});

it('closes a drawer that cannot come, says so, and reloads the page where there is a network', async () => {
  const online = isOnline(false);
  const { Part } = lazyDrawer('tasks', gone());
  const { root } = show(
    <LazyOverlay turn={0} open>
      <Part />
    </LazyOverlay>,
  );
  for (const reloads of [0, 1]) {
    act(() => root.modals.openSheet('tasks'));
    await pass();
    expect([root.modals.sheet, root.toasts.shown?.text]).toEqual(['none', 'errors.offline']);
    expect(reload).toHaveBeenCalledTimes(reloads);
    online.mockReturnValue(true);
  }
});

// The last: what the device does not take stays in memory.
it('reloads no page where that cannot be remembered', async () => {
  vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
    throw new DOMException('blocked', 'SecurityError');
  });
  openScreen();
  await pass();
  expect(retry()).toBeTruthy();
  expect(reload).not.toHaveBeenCalled();
});
