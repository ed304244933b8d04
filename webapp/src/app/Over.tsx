import { observer } from 'mobx-react-lite';
import { useTranslation } from 'react-i18next';
import gift from '../art/wrapped-gift.svg';
import { AgeGate } from '../features/age/AgeGate';
import { Empty } from '../ui/Empty';
import { drawerWith, FetchedSheet } from '../ui/FetchedSheet';
import { OnceOpen } from '../ui/OnceOpen';
import { Sheet } from '../ui/Sheet';
import { useRoot } from './RootContext';

const profile = drawerWith(() => import('../features/profile/Profile'));
const levels = drawerWith(() => import('../features/tap/Levels'));

const daily = () => import('../features/daily/DailyModal');
const advice = () => import('../features/advice/AdviceModal');
const ad = () => import('../features/ads/AdModal');

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
      <OnceOpen open={modals.holds('daily')} load={daily}>
        {({ DailyModal }) => <DailyModal />}
      </OnceOpen>
      <OnceOpen open={modals.holds('advice')} load={advice}>
        {({ AdviceModal }) => <AdviceModal />}
      </OnceOpen>
      <OnceOpen open={modals.holds('ad')} load={ad}>
        {({ AdModal }) => <AdModal />}
      </OnceOpen>
      <AgeGate />
    </>
  );
});
