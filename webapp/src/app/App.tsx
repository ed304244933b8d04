import { observer } from 'mobx-react-lite';
import { useTranslation } from 'react-i18next';
import { mineCalls } from '../features/home/MineState';
import { Loading } from '../features/loading/Loading';
import { Saving } from '../features/loading/Saving';
import { TabBar } from '../ui/TabBar';
import { Toasts } from '../ui/Toasts';
import { Closed } from './Closed';
import { Overlays } from './Overlays';
import { useRoot } from './RootContext';
import { Routes } from './Routes';

/** The whole app in whatever state it is. */
export const App = observer(function App() {
  const { shell } = useRoot();
  const { is } = shell.shell;
  if (is !== 'loading' && is !== 'ready' && is !== 'welcome') return <Closed shell={shell.shell} />;
  return (
    <>
      {/* One greeting from the first moment to the last, so that its trail walks on instead of jumping. */}
      {is !== 'ready' && <Loading speaks={shell.hasLanguage} ready={is === 'welcome'} />}
      {/* The first screen is drawn, and its pictures fetched, under the greeting. */}
      {is !== 'loading' && <Game />}
    </>
  );
});

const Game = observer(function Game() {
  const { shell, route, tap } = useRoot();
  return (
    <>
      <Routes />
      {route.hasTabBar && <Tabs />}
      {shell.ready && <Overlays />}
      {tap.saving && <Saving />}
      <ToastLine />
    </>
  );
});

const Tabs = observer(function Tabs() {
  const { route, badges } = useRoot();
  const { t } = useTranslation();
  const { spins, golden, mines, friends } = badges;
  return (
    <TabBar
      path={route.tab}
      badges={{
        '/': mines && { text: t(mineCalls[mines]) },
        '/roulette': spins > 0 && {
          count: spins,
          golden,
          text: golden ? t('wheel.golden_open') : t('fairness.spins', { count: spins }),
        },
        '/referral': friends && { text: t('nav.reward') },
      }}
    />
  );
});

const ToastLine = observer(function ToastLine() {
  const { toasts } = useRoot();
  const { t } = useTranslation();
  const shown = toasts.shown;
  return (
    <Toasts
      toasts={shown ? [{ id: shown.id, kind: shown.kind, text: t(shown.text, shown.values) }] : []}
      onDismiss={(id) => toasts.dismiss(Number(id))}
    />
  );
});
