import { expect, vi } from 'vitest';
import { connect } from '../api/client';
import { TapStorage } from '../features/digging/TapStorage';
import { TapStore } from '../features/tap/TapStore';
import { openStorage } from '../storage';
import { Clock } from '../stores/Clock';
import { Resource } from '../stores/Resource';
import { SettingsStore } from '../stores/SettingsStore';
import { ToastStore } from '../stores/ToastStore';
import { UserStore } from '../stores/UserStore';
import { FakeServer } from './FakeServer';

/** A device, the server it plays with, and the day that ends some time; a test may put another in their place. */
export const scene = {
  server: new FakeServer(),
  box: openStorage(() => localStorage),
  untilNextDay: () => Number.POSITIVE_INFINITY,
};

let lastId = 0;

/** Before each test: nothing stored, nothing sent, and time that moves by hand. */
export function freshScene(): void {
  vi.useFakeTimers();
  localStorage.clear();
  scene.server = new FakeServer();
  scene.box = openStorage(() => localStorage);
  scene.untilNextDay = () => Number.POSITIVE_INFINITY;
  lastId = 0;
}

const newId = () => {
  lastId += 1;
  return `batch-${lastId}`;
};

/** The app freshly loaded by a player; loading it again is a reload. */
export async function open(player = 7) {
  const said: string[] = [];
  const api = connect({
    baseUrl: 'http://mcbk.test/api',
    fetch: scene.server.fetch,
    initData: () => String(player),
    newId,
    onRefusal: () => {},
  });
  const toasts = new ToastStore((toast) => said.push(toast.text));
  const user = new UserStore(api, toasts);
  const energy = new Resource(() => api.energy());
  const settings = new SettingsStore(api, new Clock(Date.now, () => performance.now()), Date.now);
  const tap = new TapStore(api, energy, user, settings, toasts, {
    now: () => performance.now(),
    random: () => 0.5,
    lastSync: 0,
    untilNextDay: () => scene.untilNextDay(),
    flushOnUnload: (batch) => scene.server.beacon('/tap/perform-batch-tap', batch, String(player)),
    storageOf: (id) => new TapStorage(scene.box, 'accumulated_taps', id, 10_000, newId, () => Date.now()),
    rewarded: () => said.push('rewarded'),
    forgotten: () => said.push('forgotten'),
  });
  await settle(Promise.all([user.load(null).catch(() => {}), energy.load()]));
  tap.start(player);
  return { tap, user, energy, settings, toasts, said };
}

export async function settle<T>(promise: Promise<T>): Promise<T> {
  await vi.advanceTimersByTimeAsync(0);
  return promise;
}

export async function taps(tap: TapStore, times: number, apart = 100) {
  for (let n = 0; n < times; n += 1) {
    await vi.advanceTimersByTimeAsync(apart);
    expect(tap.tap().is).toBe('counted');
  }
}

export const batchesSent = () =>
  scene.server.requests.filter((request) => request.path === '/api/tap/perform-batch-tap').map((r) => r.body);

export const readRecords = () => JSON.parse(localStorage.getItem('accumulated_taps') ?? '{}');
