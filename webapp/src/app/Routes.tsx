import { useMemo } from 'react';
import { Redirect, Route, Switch } from 'wouter';
import { Home } from '../features/home/Home';
import { TapScreen } from '../features/tap/TapScreen';
import { FetchedScreen } from './FetchedScreen';
import { useRoot } from './RootContext';
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

const mining = ['/mines', '/mines-leaderboard', '/mines-rules'] as const;

/** Spec §2: the route table. An unknown path leads home. */
export function Routes() {
  const root = useRoot();
  const market = useWithTrade(loadMarket);
  const wallet = useWithTrade(loadWallet);
  const mines = useMemo(() => () => Promise.all([loadMines(), root.loadMines()]), [root]);
  return (
    <Switch>
      <Route path="/" component={Home} />
      <Route path="/tap" component={TapScreen} />
      <Route path="/leaderboard">
        <FetchedScreen load={loadLeaderboard}>{({ default: Leaderboard }) => <Leaderboard />}</FetchedScreen>
      </Route>
      <Route path="/roulette">
        <FetchedScreen load={loadWheel}>{({ WheelScreen }) => <WheelScreen />}</FetchedScreen>
      </Route>
      <Route path="/privacy">
        <FetchedScreen load={loadPrivacy}>{({ default: PrivacyScreen }) => <PrivacyScreen />}</FetchedScreen>
      </Route>
      <Route path="/market">
        <FetchedScreen load={market}>{([{ Market }, trade]) => <Market trade={trade} />}</FetchedScreen>
      </Route>
      <Route path="/referral">
        <FetchedScreen load={loadReferral}>{({ default: Referral }) => <Referral />}</FetchedScreen>
      </Route>
      <Route path="/wallet">
        <FetchedScreen load={wallet}>
          {([{ WalletScreen }, trade]) => <WalletScreen trade={trade} />}
        </FetchedScreen>
      </Route>
      {mining.map((path) => (
        <Route key={path} path={path}>
          <FetchedScreen load={mines}>
            {([{ MinesScreen }, store]) => <MinesScreen path={path} mines={store} />}
          </FetchedScreen>
        </Route>
      ))}
      <Route path="/roulette/fairness">
        <FetchedScreen load={loadFairness}>{({ default: Fairness }) => <Fairness />}</FetchedScreen>
      </Route>
      <Route path="/maintenance">
        <FetchedScreen load={loadMaintenance}>
          {({ default: MaintenanceScreen }) => <MaintenanceScreen />}
        </FetchedScreen>
      </Route>
      <Route>
        <Redirect to="/" replace />
      </Route>
    </Switch>
  );
}
