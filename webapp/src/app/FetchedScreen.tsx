import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import stone from '../art/ore-stone.svg';
import { Button } from '../ui/Button';
import { FullScreenNote } from '../ui/FullScreenNote';
import { reloadPage, reloadPageOnce } from '../ui/reloadPage';
import { Screen } from '../ui/Screen';
import { useLazyModule } from '../ui/useLazyModule';
import { Waiting } from '../ui/Waiting';
import styles from './FetchedScreen.module.css';
import { useRoot } from './RootContext';

type Props<Part> = {
  /** One function for each screen, not made anew with each drawing. */
  load: () => Promise<Part>;
  children: (part: Part) => ReactNode;
};

/** After this what did not come is fetched once more, milliseconds. */
const pause = 1000;

/**
 * A screen whose code is fetched when it is first shown; without a network it offers to try again. Where it does not come
 * twice and the server answers, a newer program has taken the place of this one, and the page is opened anew by itself.
 */
export function FetchedScreen<Part>({ load, children }: Props<Part>) {
  const { t } = useTranslation();
  const [code, fetchIt] = useLazyModule(load, true);
  const [tried, setTried] = useState<unknown>(null);
  const { ads } = useRoot();
  // Each failure is another.
  const missing = code.is === 'missing' && !code.late ? code : null;
  const missed = useRef(false);
  useEffect(() => {
    if (!missing) return;
    if (missed.current) {
      if (!ads.unsettled) void reloadPageOnce();
      return;
    }
    missed.current = true;
    const timer = setTimeout(fetchIt, pause);
    return () => clearTimeout(timer);
  }, [missing, fetchIt, ads]);
  const retry = () => {
    if (tried === load) void reloadPage();
    if (navigator.onLine) setTried(() => load);
    fetchIt();
  };
  switch (code.is) {
    case 'here':
      return children(code.part);
    case 'coming':
      return (
        <Screen>
          <Waiting className={styles.wait} />
        </Screen>
      );
    case 'missing':
      return (
        <FullScreenNote art={stone} title={t('shell.offline')} text={t('shell.offline_text')}>
          <Button height={56} width="full" icon="retry" onPress={retry}>
            {t('common.retry')}
          </Button>
        </FullScreenNote>
      );
  }
}
