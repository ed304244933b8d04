import type { Words } from './phone';

/** A path, and something of its screen that the player reads there. */
type Shown = readonly [path: string, sign: (words: Words) => string];

/** Screens that are still being built, and say so. */
export const soon: readonly Shown[] = [
  ['/referral', (words) => words.nav.referral],
  ['/wallet', (words) => words.nav.wallet],
  ['/leaderboard', (words) => words.screens.leaderboard],
  ['/mines', (words) => words.screens.mines],
  ['/mines-leaderboard', (words) => words.screens.mines_leaderboard],
  ['/mines-rules', (words) => words.screens.mines_rules],
];

/** Every screen of the route table. */
export const screens: readonly Shown[] = [
  ['/', (words) => words.home.total],
  ['/tap', (words) => words.tap.progress],
  ['/roulette', (words) => words.screens.roulette],
  ['/privacy?source=modal', (words) => words.privacy.title],
  ...soon,
  ['/roulette/fairness', (words) => words.fairness.wheel],
  ['/market', (words) => words.market.one],
  ['/maintenance', (words) => words.shell.maintenance],
];
