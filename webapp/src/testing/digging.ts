import { expect } from 'vitest';
// Lazy code: loaded here, so that the first test does not wait for it.
import '../features/market/Trade';
import '../features/mines/Mines';
import type { Mines } from '../features/mines/Mines';
import { pass, playGame, setUpGame } from './playGame';

/** A file's tests are of a player with a wallet, in the mines. */
export const setUpMines = () => setUpGame({ path: '/mines', user: { wallet_address: 'UQwallet' } });

/** The game freshly loaded, in the mines. */
export async function inMines() {
  const game = await playGame();
  const mines = await game.root.loadMines();
  await pass(10);
  return { ...game, mines };
}

export async function digs(mines: Mines, times: number) {
  for (let n = 0; n < times; n += 1) {
    await pass(100);
    expect(mines.dig()).toEqual({ is: 'counted' });
  }
}
