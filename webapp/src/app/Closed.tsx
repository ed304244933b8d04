import { observer } from 'mobx-react-lite';
import { useTranslation } from 'react-i18next';
import bag from '../art/money-bag.svg';
import coal from '../art/ore-coal.svg';
import stone from '../art/ore-stone.svg';
import type { Shell } from '../stores/ShellStore';
import { Button } from '../ui/Button';
import { FullScreenNote } from '../ui/FullScreenNote';
import { RetryButton } from '../ui/RetryButton';
import { LazyScreen, lazyScreen } from './lazyPart';
import { useRoot } from './RootContext';
import { Maintenance } from './Routes';

const Desktop = lazyScreen(() =>
  import('../features/desktop/DesktopNotice').then((code) => code.DesktopNotice),
);

type Reason = Exclude<Shell, { is: 'loading' | 'welcome' | 'ready' }>;

/** What fills the screen while the game cannot be played. */
export const Closed = observer(function Closed({ shell }: { shell: Reason }) {
  const root = useRoot();
  const { t } = useTranslation();
  const closeApp = root.platform.host.closeApp();
  const retry = <RetryButton height={56} onPress={() => root.boot.load()} />;
  switch (shell.is) {
    case 'desktop':
      return (
        <LazyScreen>
          <Desktop url={root.boot.telegramLink} />
        </LazyScreen>
      );
    case 'maintenance':
      return (
        <LazyScreen>
          <Maintenance />
        </LazyScreen>
      );
    case 'outside':
      return (
        <FullScreenNote art={bag} title={t('shell.outside')} text={t('shell.outside_text')}>
          <Button height={56} icon="telegram" href={root.boot.telegramLink}>
            {t('shell.open_bot')}
          </Button>
        </FullScreenNote>
      );
    case 'expired':
      return (
        <FullScreenNote art={bag} title={t('shell.expired')} text={t('shell.expired_text')}>
          {closeApp && (
            <Button height={56} icon="close" onPress={closeApp}>
              {t('shell.close')}
            </Button>
          )}
        </FullScreenNote>
      );
    case 'blocked':
      return (
        <FullScreenNote
          art={coal}
          title={t('shell.blocked')}
          text={shell.reason ?? t('shell.blocked_unsaid')}
          code={t('shell.blocked_text')}
        >
          {retry}
        </FullScreenNote>
      );
    case 'offline':
      return (
        <FullScreenNote art={stone} title={t('shell.offline')} text={t('shell.offline_text')}>
          {retry}
        </FullScreenNote>
      );
    case 'failed':
      return (
        <FullScreenNote
          art={stone}
          title={t('shell.failed')}
          text={t('shell.failed_text')}
          {...(shell.requestId && { code: t('shell.code', { id: shell.requestId }) })}
        >
          {retry}
        </FullScreenNote>
      );
  }
});
