import { useTranslation } from 'react-i18next';
import { Redirect, Route, Switch } from 'wouter';
import medal from '../art/1st-place-medal.svg';
import handshake from '../art/handshake.svg';
import vault from '../art/money-bag.svg';
import rules from '../art/ore-gold.svg';
import pick from '../art/pick.svg';
import trophy from '../art/trophy.svg';
import { Home } from '../features/home/Home';
import { TapScreen } from '../features/tap/TapScreen';
import { FetchedScreen } from './FetchedScreen';
import { useSelling } from './useSelling';

const loadSoon = () => import('../features/soon/Soon');
const loadWheel = () => import('../features/wheel/WheelScreen');
const loadPrivacy = () => import('./PrivacyScreen');
const loadMarket = () => import('../features/market/Market');
const loadFairness = () => import('../features/fairness/Fairness');
const loadMaintenance = () => import('./MaintenanceScreen');

/** Screens of the route table that are still being built. */
const soon = [
  { path: '/leaderboard', title: 'screens.leaderboard', art: trophy },
  { path: '/referral', title: 'nav.referral', art: handshake },
  { path: '/wallet', title: 'nav.wallet', art: vault },
  { path: '/mines', title: 'screens.mines', art: pick },
  { path: '/mines-leaderboard', title: 'screens.mines_leaderboard', art: medal },
  { path: '/mines-rules', title: 'screens.mines_rules', art: rules },
] as const;

/** Spec §2: the route table. An unknown path leads home. */
export function Routes() {
  const { t } = useTranslation();
  const market = useSelling(loadMarket);
  return (
    <Switch>
      <Route path="/" component={Home} />
      <Route path="/tap" component={TapScreen} />
      <Route path="/roulette">
        <FetchedScreen load={loadWheel}>{({ WheelScreen }) => <WheelScreen />}</FetchedScreen>
      </Route>
      <Route path="/privacy">
        <FetchedScreen load={loadPrivacy}>{({ default: PrivacyScreen }) => <PrivacyScreen />}</FetchedScreen>
      </Route>
      <Route path="/market">
        <FetchedScreen load={market}>{([{ Market }, sale]) => <Market sale={sale} />}</FetchedScreen>
      </Route>
      <Route path="/roulette/fairness">
        <FetchedScreen load={loadFairness}>{({ default: Fairness }) => <Fairness />}</FetchedScreen>
      </Route>
      <Route path="/maintenance">
        <FetchedScreen load={loadMaintenance}>
          {({ default: MaintenanceScreen }) => <MaintenanceScreen />}
        </FetchedScreen>
      </Route>
      {soon.map(({ path, title, art }) => (
        <Route key={path} path={path}>
          <FetchedScreen load={loadSoon}>{({ Soon }) => <Soon title={t(title)} art={art} />}</FetchedScreen>
        </Route>
      ))}
      <Route>
        <Redirect to="/" replace />
      </Route>
    </Switch>
  );
}
