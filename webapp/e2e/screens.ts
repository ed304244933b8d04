import type { Words } from './phone';

/** A path, and something of its screen that the player reads there. */
type Shown = readonly [path: string, sign: (words: Words) => string];

/** Every screen of the route table. */
export const screens: readonly Shown[] = [
  ['/', (words) => words.home.total],
  ['/tap', (words) => words.tap.progress],
  ['/roulette', (words) => words.screens.roulette],
  ['/privacy?source=modal', (words) => words.privacy.title],
  ['/referral', (words) => words.referral.each],
  ['/mines', (words) => words.mines.mined],
  ['/mines-leaderboard', (words) => words.mines.top],
  ['/mines-rules', (words) => words.mines.title],
  ['/leaderboard', (words) => words.leaderboard.purchased],
  ['/roulette/fairness', (words) => words.fairness.wheel],
  ['/market', (words) => words.market.one],
  ['/wallet', (words) => words.wallet.information],
  ['/maintenance', (words) => words.shell.maintenance],
];
