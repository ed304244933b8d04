import { observer } from 'mobx-react-lite';
import { useTranslation } from 'react-i18next';
import gift from '../art/wrapped-gift.svg';
import { AdModal } from '../features/ads/AdModal';
import { AdviceModal } from '../features/advice/AdviceModal';
import { AgeGate } from '../features/age/AgeGate';
import { DailyModal } from '../features/daily/DailyModal';
import { Empty } from '../ui/Empty';
import { drawerWith, FetchedSheet } from '../ui/FetchedSheet';
import { Sheet } from '../ui/Sheet';
import { useRoot } from './RootContext';

const profile = drawerWith(() => import('../features/profile/Profile'));
const levels = drawerWith(() => import('../features/tap/Levels'));

/** Whatever lies over the screen: drawers, and the one modal whose turn it is. */
export const Over = observer(function Over() {
  const root = useRoot();
  const { modals } = root;
  const { t } = useTranslation();
  const drawer = (name: typeof modals.sheet, title: string) => ({
    open: modals.sheet === name,
    title,
    onClose: () => modals.closeSheet(),
    onMissing: () => root.drawerMissing(),
  });
  return (
    <>
      <FetchedSheet {...drawer('profile', t('profile.title'))} load={profile} />
      <FetchedSheet {...drawer('levels', t('tap.progress'))} load={levels} />
      <Sheet {...drawer('tasks', t('home.tasks'))}>
        <Empty art={gift} title={t('soon.title')} text={t('soon.text')} />
      </Sheet>
      <DailyModal />
      <AdviceModal />
      <AdModal />
      <AgeGate />
    </>
  );
});
