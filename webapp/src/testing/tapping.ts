import { beforeEach, expect } from 'vitest';
import { TapStorage } from '../features/digging/TapStorage';
import { TapStore } from '../features/tap/TapStore';
import { openStorage } from '../storage';
import { Clock } from '../stores/Clock';
import { Resource } from '../stores/Resource';
import { SettingsStore } from '../stores/SettingsStore';
import { ToastStore } from '../stores/ToastStore';
import { UserStore } from '../stores/UserStore';
import { connectApi, pass, requestsTo, server, setUpGame } from './playGame';

/** A device, and the day that ends some time; a test may put another in their place. */
export const scene = { box: openStorage(() => localStorage), untilNextDay: () => Number.POSITIVE_INFINITY };

let lastId = 0;

export function setUpTapping(): void {
  setUpGame();
  beforeEach(() => {
    scene.box = openStorage(() => localStorage);
    scene.untilNextDay = () => Number.POSITIVE_INFINITY;
    lastId = 0;
  });
}

const newId = () => {
  lastId += 1;
  return `batch-${lastId}`;
};

/** The app freshly loaded by a player; loading it again is a reload. */
export async function open(player = 7) {
  const said: string[] = [];
  const api = connectApi(player);
  const toasts = new ToastStore((toast) => said.push(toast.text));
  const user = new UserStore(api, toasts);
  const energy = new Resource(() => api.energy());
  const settings = new SettingsStore(api, new Clock(Date.now, () => performance.now()), Date.now);
  const tap = new TapStore(api, energy, user, settings, toasts, {
    now: () => performance.now(),
    random: () => 0.5,
    lastSync: 0,
    untilNextDay: () => scene.untilNextDay(),
    flushOnUnload: (batch) => server.beacon('/tap/perform-batch-tap', batch, String(player)),
    storageOf: (id) => new TapStorage(scene.box, 'accumulated_taps', id, 10_000, newId, () => Date.now()),
    rewarded: () => said.push('rewarded'),
    forgotten: () => said.push('forgotten'),
  });
  await settle(Promise.all([user.load(null).catch(() => {}), energy.load()]));
  tap.batches.start(player);
  return { tap, user, energy, settings, toasts, said };
}

export async function settle<T>(promise: Promise<T>): Promise<T> {
  await pass(0);
  return promise;
}

export async function taps(tap: TapStore, times: number, apart = 100) {
  for (let n = 0; n < times; n += 1) {
    await pass(apart);
    expect(tap.tap().is).toBe('counted');
  }
}

export const batchesSent = () => requestsTo('tap/perform-batch-tap').map(({ body }) => body);

export const readRecords = () => JSON.parse(localStorage.getItem('accumulated_taps') ?? '{}');
