import { observer } from 'mobx-react-lite';
import {
  type FunctionComponent,
  lazy,
  type ReactNode,
  Suspense,
  useCallback,
  useEffect,
  useState,
} from 'react';
import { useTranslation } from 'react-i18next';
import stone from '../art/ore-stone.svg';
import type { Modal, Sheet } from '../stores/ModalStore';
import { onPage } from '../stores/PageLifecycle';
import { FullScreenNote } from '../ui/FullScreenNote';
import { RetryButton } from '../ui/RetryButton';
import { reloadPage, reloadPageOnce } from '../ui/reloadPage';
import { Screen } from '../ui/Screen';
import { Waiting } from '../ui/Waiting';
import styles from './lazyPart.module.css';
import { useRoot } from './RootContext';

/** How long the first screen has the network to itself before the code of what opens over it is fetched, milliseconds. */
const prefetchAfterMs = 3000;
/** They come one after the other, milliseconds apart, since a cheap phone stutters when it has all of them to draw at once. */
const prefetchEveryMs = 100;
/** Code that has not come after so long counts as missing, milliseconds: on a network that hangs nothing ever fails. */
const giveUpAfterMs = 30_000;
/** The age gate, which nobody passes without its code, is tried again after this, milliseconds. */
const retryAfterMs = 5000;

type Load<Props> = () => Promise<FunctionComponent<Props>>;

/**
 * A component whose code is no part of the first screen's; `missing` where it cannot be fetched. Neither React nor, with
 * stylesheets, Vite fetches again what did not come, and after an upgrade it is gone: only a new page brings it.
 */
export function lazyPart<Props extends object>(load: Load<Props>, missing: FunctionComponent) {
  return lazy<FunctionComponent<Props>>(() => {
    const late = new Promise<never>((_, reject) => setTimeout(reject, giveUpAfterMs));
    return Promise.race([load(), late]).then(
      (part) => ({ default: part }),
      () => ({ default: missing }),
    );
  });
}

export const lazyScreen = <Props extends object>(load: Load<Props>) => lazyPart(load, ScreenMissing);

export const lazyDrawer = (name: Sheet, load: Load<object>) => ({
  name,
  Part: lazyPart(load, () => <DrawerMissing name={name} />),
});

export const lazyModal = (name: Modal['is'], load: Load<object>) => ({
  name,
  Part: lazyPart(load, () => <ModalMissing name={name} />),
});

export function LazyScreen({ children }: { children: ReactNode }) {
  const wait = (
    <Screen>
      <Waiting className={styles.wait} />
    </Screen>
  );
  return <Suspense fallback={wait}>{children}</Suspense>;
}

type LazyOverlayProps = {
  open: boolean;
  /** How many overlays are rendered ahead before this one. */
  turn: number;
  children: ReactNode;
};

/** What opens over a screen, rendered from its first opening on; closed, it is rendered ahead of that, so that its code is there. */
export function LazyOverlay({ open, turn, children }: LazyOverlayProps) {
  const [rendered, render] = useState(open);
  if (open && !rendered) render(true);
  useEffect(() => {
    const timer = setTimeout(() => render(true), prefetchAfterMs + turn * prefetchEveryMs);
    return () => clearTimeout(timer);
  }, [turn]);
  return rendered && <Suspense>{children}</Suspense>;
}

/**
 * Reloads the page by itself, now or with the network back, but not while the page awaits an ad's reward. `onRefused`: it was
 * reloaded before, or the server does not answer.
 */
function useReload(wanted: boolean, onRefused?: () => void): void {
  const { ads } = useRoot();
  const due = wanted && !ads.hasPending;
  useEffect(() => {
    if (!due) return;
    const attempt = async () => {
      if (!(await reloadPageOnce())) onRefused?.();
    };
    void attempt();
    return onPage('online', () => void attempt());
  }, [due, onRefused]);
}

const ScreenMissing = observer(function ScreenMissing() {
  const { t } = useTranslation();
  useReload(true);
  return (
    <FullScreenNote art={stone} title={t('shell.offline')} text={t('shell.offline_text')} tabBar>
      <RetryButton height={56} onPress={() => void reloadPage()} />
    </FullScreenNote>
  );
});

const ModalMissing = observer(function ModalMissing({ name }: { name: Modal['is'] }) {
  const { modals } = useRoot();
  const onRefused = useCallback(() => {
    if (name === 'age') setTimeout(() => void reloadPage(), retryAfterMs);
    else modals.close(name); // what waits behind it may come
  }, [modals, name]);
  useReload(modals.has(name), onRefused);
  return null;
});

/** Whoever has opened it is told. */
const DrawerMissing = observer(function DrawerMissing({ name }: { name: Sheet }) {
  const root = useRoot();
  const open = root.modals.sheet === name;
  useEffect(() => {
    if (!open) return;
    root.modals.closeSheet();
    root.toasts.show('error', 'errors.offline');
    if (!root.ads.hasPending) void reloadPage();
  }, [open, root]);
  return null;
});
