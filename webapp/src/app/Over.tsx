import { observer } from 'mobx-react-lite';
import { lazy, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import gift from '../art/wrapped-gift.svg';
import { AgeGate } from '../features/age/AgeGate';
import { Empty } from '../ui/Empty';
import { Sheet } from '../ui/Sheet';
import { useRoot } from './RootContext';

const Profile = lazy(() => import('../features/profile/Profile'));
const Levels = lazy(() => import('../features/tap/Levels'));

/** Whatever lies over the screen: drawers, and the one modal whose turn it is. */
export const Over = observer(function Over() {
  const { modals } = useRoot();
  const { t } = useTranslation();
  const close = () => modals.closeSheet();
  return (
    <>
      <Sheet open={modals.sheet === 'profile'} onClose={close} title={t('profile.title')}>
        <Suspense fallback={null}>
          <Profile />
        </Suspense>
      </Sheet>
      <Sheet open={modals.sheet === 'levels'} onClose={close} title={t('tap.progress')}>
        <Suspense fallback={null}>
          <Levels />
        </Suspense>
      </Sheet>
      <Sheet open={modals.sheet === 'tasks'} onClose={close} title={t('home.tasks')}>
        <Empty art={gift} title={t('soon.title')} text={t('soon.text')} />
      </Sheet>
      <AgeGate />
    </>
  );
});
