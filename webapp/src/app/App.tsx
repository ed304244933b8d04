import { observer } from 'mobx-react-lite';
import { useTranslation } from 'react-i18next';
import { Loading } from '../features/loading/Loading';
import { Saving } from '../features/loading/Saving';
import { Dock } from '../ui/Dock';
import { Toasts } from '../ui/Toasts';
import { Closed } from './Closed';
import { Over } from './Over';
import { useRoot } from './RootContext';
import { Routes } from './Routes';

/** Spec §2: no navigation on the policy, nor where the game is closed. */
const withoutDock = new Set(['/privacy', '/maintenance']);

/** The whole app in whatever state it is. */
export const App = observer(function App() {
  const { shell, route, tap } = useRoot();
  const { is } = shell.shell;
  if (is === 'loading') return <Loading ready={false} />;
  if (is !== 'ready' && is !== 'welcome') return <Closed shell={shell.shell} />;
  return (
    <>
      <Routes />
      {!withoutDock.has(route.path) && <Dock path={route.isRoot ? route.path : '/'} />}
      {is === 'ready' && <Over />}
      {tap.saving && <Saving />}
      {/* The first screen is drawn, and its pictures fetched, under the greeting. */}
      {is === 'welcome' && <Loading ready />}
      <ToastLine />
    </>
  );
});

const ToastLine = observer(function ToastLine() {
  const { toasts } = useRoot();
  const { t } = useTranslation();
  const shown = toasts.shown;
  return (
    <Toasts
      toasts={shown ? [{ id: shown.id, kind: shown.kind, text: t(shown.text) }] : []}
      onDismiss={(id) => toasts.dismiss(Number(id))}
    />
  );
});
