import { reaction } from 'mobx';
import { beforeEach, expect, vi } from 'vitest';
import type { TapStore } from '../features/tap/TapStore';
import { openStorage } from '../storage';
import { connectApi, createGame, noon, pass, requestsTo, server, setUpGame } from './playGame';

/** A device; a test may put another in its place. */
export const scene = { box: openStorage(() => localStorage) };

let lastId = 0;

export function setUpTapping(): void {
  setUpGame();
  beforeEach(() => {
    scene.box = openStorage(() => localStorage);
    lastId = 0;
  });
}

const newId = () => {
  lastId += 1;
  return `batch-${lastId}`;
};

/** Sets the clock to so long before 00:00 UTC, milliseconds. With a `random` of 0.5 a day's last taps are sent six seconds before. */
export const setTimeBeforeMidnight = (time: number) => vi.setSystemTime(noon + 43_200_000 - time);

/** What the app needs for tapping, freshly loaded by a player; loading it again is a reload. */
export async function open(player = 7) {
  const { root } = createGame({
    platform: {
      connect: () => connectApi(player),
      flushOnUnload: (path, batch) => server.beacon(path, batch, String(player)),
      storage: scene.box,
      newId,
      random: () => 0.5,
    },
  });
  const { tap, user, energy, settings, toasts, writeAccess } = root;
  const said: string[] = [];
  reaction(
    () => toasts.shown?.text,
    (text) => text && said.push(text),
  );
  await settle(Promise.all([user.load(null).catch(() => {}), energy.load()]));
  tap.batches.start(player);
  return { tap, user, settings, writeAccess, said };
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
