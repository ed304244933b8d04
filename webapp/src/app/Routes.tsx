import { type ReactNode, useMemo } from 'react';
import { Redirect, Route, Switch } from 'wouter';
import { Home } from '../features/home/Home';
import { TapScreen } from '../features/tap/TapScreen';
import { FetchedScreen } from './FetchedScreen';
import { useRoot } from './RootContext';
import { type Path, routes } from './routes';
import { useWithTrade } from './useWithTrade';

const loadWheel = () => import('../features/wheel/WheelScreen');
const loadPrivacy = () => import('./PrivacyScreen');
const loadWallet = () => import('../features/wallet/WalletScreen');
const loadMarket = () => import('../features/market/Market');
const loadReferral = () => import('../features/referral/Referral');
const loadMines = () => import('../features/mines/screens');
const loadLeaderboard = () => import('../features/leaderboard/Leaderboard');
const loadFairness = () => import('../features/fairness/Fairness');
const loadMaintenance = () => import('./MaintenanceScreen');

type MiningPath = Extract<Path, `/mines${string}`>;

/** Spec §2: the screen of each route. An unknown path leads home. */
export function Routes() {
  const root = useRoot();
  const market = useWithTrade(loadMarket);
  const wallet = useWithTrade(loadWallet);
  const mines = useMemo(() => () => Promise.all([loadMines(), root.loadMines()]), [root]);
  const mining = (path: MiningPath) => (
    <FetchedScreen load={mines}>
      {([{ MinesScreen }, store]) => <MinesScreen path={path} mines={store} />}
    </FetchedScreen>
  );
  const screens: Readonly<Record<Path, ReactNode>> = {
    '/': <Home />,
    '/tap': <TapScreen />,
    '/leaderboard': (
      <FetchedScreen load={loadLeaderboard}>{({ default: Leaderboard }) => <Leaderboard />}</FetchedScreen>
    ),
    '/roulette': <FetchedScreen load={loadWheel}>{({ WheelScreen }) => <WheelScreen />}</FetchedScreen>,
    '/roulette/fairness': (
      <FetchedScreen load={loadFairness}>{({ default: Fairness }) => <Fairness />}</FetchedScreen>
    ),
    '/privacy': (
      <FetchedScreen load={loadPrivacy}>{({ default: PrivacyScreen }) => <PrivacyScreen />}</FetchedScreen>
    ),
    '/market': (
      <FetchedScreen load={market}>{([{ Market }, trade]) => <Market trade={trade} />}</FetchedScreen>
    ),
    '/referral': <FetchedScreen load={loadReferral}>{({ default: Referral }) => <Referral />}</FetchedScreen>,
    '/wallet': (
      <FetchedScreen load={wallet}>
        {([{ WalletScreen }, trade]) => <WalletScreen trade={trade} />}
      </FetchedScreen>
    ),
    '/mines': mining('/mines'),
    '/mines-leaderboard': mining('/mines-leaderboard'),
    '/mines-rules': mining('/mines-rules'),
    '/maintenance': (
      <FetchedScreen load={loadMaintenance}>
        {({ default: MaintenanceScreen }) => <MaintenanceScreen />}
      </FetchedScreen>
    ),
  };
  return (
    <Switch>
      {routes.map(({ path }) => (
        <Route key={path} path={path}>
          {screens[path]}
        </Route>
      ))}
      <Route>
        <Redirect to="/" replace />
      </Route>
    </Switch>
  );
}
