type Tab = {
  readonly icon: 'home' | 'wheel' | 'market' | 'friends' | 'wallet';
  readonly text: `nav.${'home' | 'wheel' | 'market' | 'referral' | 'wallet'}`;
};

type Route = {
  readonly path: `/${string}`;
  /** Where "back" leads; a tab has no "back". */
  readonly parent?: `/${string}`;
  /** Its entry of the tab bar. */
  readonly tab?: Tab;
  /** The screen is shown without the tab bar. */
  readonly bare?: true;
};

/** Spec §2: every screen, in one table. */
export const routes = [
  { path: '/', tab: { icon: 'home', text: 'nav.home' } },
  { path: '/roulette', tab: { icon: 'wheel', text: 'nav.wheel' } },
  { path: '/market', tab: { icon: 'market', text: 'nav.market' } },
  { path: '/referral', tab: { icon: 'friends', text: 'nav.referral' } },
  { path: '/wallet', tab: { icon: 'wallet', text: 'nav.wallet' } },
  { path: '/tap', parent: '/' },
  { path: '/leaderboard', parent: '/' },
  { path: '/mines', parent: '/' },
  { path: '/mines-leaderboard', parent: '/mines' },
  { path: '/mines-rules', parent: '/mines' },
  { path: '/roulette/fairness', parent: '/roulette' },
  { path: '/privacy', parent: '/', bare: true },
  { path: '/maintenance', parent: '/', bare: true },
] as const satisfies readonly Route[];

export type Path = (typeof routes)[number]['path'];

/** The route of a path; of one that is none, the first screen's. */
export function routeOf(path: string): Route {
  return routes.find((route) => route.path === path) ?? routes[0];
}

/** The entries of the tab bar, in their order. */
export const tabs = routes.filter((route) => 'tab' in route);

/** The tab a screen belongs to; the first screen's where it belongs to none. */
export function tabOf(path: string): Path {
  const { tab, parent } = routeOf(path);
  const own = tab ? path : parent;
  return tabs.find((route) => route.path === own)?.path ?? '/';
}
