import { type Path, routes } from '../src/app/routes';
import type { Words } from './phone';

/** Something of each screen that the player reads there. */
const signs: Readonly<Record<Path, (words: Words) => string>> = {
  '/': (words) => words.home.total,
  '/tap': (words) => words.tap.progress,
  '/roulette': (words) => words.screens.roulette,
  '/roulette/fairness': (words) => words.fairness.wheel,
  '/privacy': (words) => words.privacy.title,
  '/referral': (words) => words.referral.each,
  '/mines': (words) => words.mines.mined,
  '/mines-leaderboard': (words) => words.mines.top,
  '/mines-rules': (words) => words.mines.title,
  '/leaderboard': (words) => words.leaderboard.purchased,
  '/market': (words) => words.market.one,
  '/wallet': (words) => words.wallet.information,
  '/maintenance': (words) => words.shell.maintenance,
};

/** Every screen of the table of routes: its path, and what is read on it. */
export const screens = routes.map(
  ({ path }) => [path === '/privacy' ? '/privacy?source=modal' : path, signs[path]] as const,
);
