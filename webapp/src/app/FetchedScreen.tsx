import { type ReactNode, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import stone from '../art/ore-stone.svg';
import { Button } from '../ui/Button';
import { FullScreenNote } from '../ui/FullScreenNote';
import { reopen, reopenOnce } from '../ui/reopen';
import { Screen } from '../ui/Screen';
import { useCode } from '../ui/useCode';
import { Waiting } from '../ui/Waiting';
import styles from './FetchedScreen.module.css';

type Props<Part> = {
  /** One function for each screen, not made anew with each drawing. */
  load: () => Promise<Part>;
  children: (part: Part) => ReactNode;
};

/**
 * A screen whose code is fetched when it is first shown; without a network it offers to try again. With one, a newer program
 * has taken the place of this one, and the page is opened anew by itself.
 */
export function FetchedScreen<Part>({ load, children }: Props<Part>) {
  const { t } = useTranslation();
  const [code, fetchIt] = useCode(load, true);
  const [tried, setTried] = useState<unknown>(null);
  const gone = code.is === 'missing' && !code.late;
  useEffect(() => {
    if (gone) void reopenOnce();
  }, [gone]);
  const retry = () => {
    if (tried === load) void reopen();
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
