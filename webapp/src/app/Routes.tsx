import type { ReactNode } from 'react';
import { Redirect, Route, Switch } from 'wouter';
import { Home } from '../features/home/Home';
import { TapScreen } from '../features/tap/TapScreen';
import { LazyScreen, lazyScreen } from './lazyPart';
import { type Path, routes } from './routes';

const loadMines = () => import('../features/mines/screens');

const Wheel = lazyScreen(() => import('../features/wheel/WheelScreen').then((code) => code.WheelScreen));
const Fairness = lazyScreen(() => import('../features/fairness/Fairness').then((code) => code.default));
const Market = lazyScreen(() => import('../features/market/Market').then((code) => code.Market));
const Wallet = lazyScreen(() => import('../features/wallet/WalletScreen').then((code) => code.WalletScreen));
const Referral = lazyScreen(() => import('../features/referral/Referral').then((code) => code.default));
const Leaderboard = lazyScreen(() =>
  import('../features/leaderboard/Leaderboard').then((code) => code.default),
);
const Mine = lazyScreen(() => loadMines().then((code) => code.Mine));
const Miners = lazyScreen(() => loadMines().then((code) => code.Miners));
const Rules = lazyScreen(() => loadMines().then((code) => code.Rules));
const Privacy = lazyScreen(() => import('../features/privacy/Privacy').then((code) => code.Privacy));
export const Maintenance = lazyScreen(() => import('./MaintenanceScreen').then((code) => code.default));

/** Spec §2: the screen of each route. An unknown path leads home. */
const screens: Readonly<Record<Path, ReactNode>> = {
  '/': <Home />,
  '/tap': <TapScreen />,
  '/leaderboard': <Leaderboard />,
  '/roulette': <Wheel />,
  '/roulette/fairness': <Fairness />,
  '/privacy': <Privacy />,
  '/market': <Market />,
  '/referral': <Referral />,
  '/wallet': <Wallet />,
  '/mines': <Mine />,
  '/mines-leaderboard': <Miners />,
  '/mines-rules': <Rules />,
  '/maintenance': <Maintenance />,
};

export function Routes() {
  return (
    <Switch>
      {routes.map(({ path }) => (
        <Route key={path} path={path}>
          <LazyScreen>{screens[path]}</LazyScreen>
        </Route>
      ))}
      <Route>
        <Redirect to="/" replace />
      </Route>
    </Switch>
  );
}
