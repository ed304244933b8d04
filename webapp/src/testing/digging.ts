import { expect, vi } from 'vitest';
// Lazy code: loaded here, so that the first test does not wait for it.
import '../features/market/Trade';
import '../features/mines/Mines';
import { RootStore } from '../app/RootStore';
import type { Mines } from '../features/mines/Mines';
import { FakeServer } from './FakeServer';
import { createTestPlatform } from './platform';

/** The server that the game under test plays with. */
export const scene = { server: new FakeServer() };

/** Before each test: a player with a wallet in the mines, nothing stored, and time that moves by hand. */
export function freshScene(): void {
  vi.useFakeTimers({ now: Date.parse('2026-03-01T12:00:00Z') });
  localStorage.clear();
  window.history.replaceState(null, '', '/mines');
  window.scrollTo = vi.fn();
  scene.server = new FakeServer();
  const player = scene.server.player(7);
  player.user = { ...player.user, wallet_address: 'UQwallet' };
}

export function endScene(): void {
  vi.useRealTimers();
  vi.restoreAllMocks();
}

export const pass = (time: number) => vi.advanceTimersByTimeAsync(time);

/** The game freshly loaded, in the mines. */
export async function open() {
  const { platform, host } = createTestPlatform(scene.server);
  const root = new RootStore(platform);
  void root.boot.start();
  await pass(2500);
  const mines = await root.loadMines();
  await pass(10);
  return { root, mines, host };
}

export async function digs(mines: Mines, times: number) {
  for (let n = 0; n < times; n += 1) {
    await pass(100);
    expect(mines.dig()).toEqual({ is: 'counted' });
  }
}
