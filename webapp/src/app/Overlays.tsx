import { observer } from 'mobx-react-lite';
import { useTranslation } from 'react-i18next';
import stone from '../art/ore-stone.svg';
import { AgeGate } from '../features/age/AgeGate';
import { TasksCount } from '../features/tasks/TasksHandle';
import { drawerWith, FetchedSheet } from '../ui/FetchedSheet';
import { LazyMount } from '../ui/LazyMount';
import { useRoot } from './RootContext';
import { useWithTrade } from './useWithTrade';

const profile = drawerWith(() => import('../features/profile/Profile'));
const tasks = drawerWith(() => import('../features/tasks/Tasks'));
const levels = drawerWith(() => import('../features/tap/Levels'));

const daily = () => import('../features/daily/DailyModal');
const advice = () => import('../features/advice/AdviceModal');
const loyalty = () => import('../features/loyalty/LoyaltyModal');
const win = () => import('../features/wheel/WinModal');
const discount = () => import('../features/discount/DiscountModal');
const order = () => import('../features/market/OrderSheet');
const ad = () => import('../features/ads/AdModal');

/** Whatever lies over the screen: drawers, and the one modal whose turn it is. */
export const Overlays = observer(function Overlays() {
  const root = useRoot();
  const { modals } = root;
  const { t } = useTranslation();
  const offer = useWithTrade(discount);
  const payment = useWithTrade(order);
  const drawer = (name: typeof modals.sheet, title: string) => ({
    open: modals.sheet === name,
    title,
    loose: modals.over !== null,
    onClose: () => modals.closeSheet(),
    onMissing: () => root.drawerMissing(),
  });
  return (
    <>
      <FetchedSheet {...drawer('profile', t('screens.profile'))} load={profile} />
      <FetchedSheet {...drawer('levels', t('tap.progress'))} load={levels} />
      <FetchedSheet {...drawer('tasks', t('home.tasks'))} end={<TasksCount />} load={tasks} />
      <LazyMount open={modals.holds('daily')} load={daily}>
        {({ DailyModal }) => <DailyModal />}
      </LazyMount>
      <LazyMount open={modals.holds('advice')} load={advice}>
        {({ AdviceModal }) => <AdviceModal />}
      </LazyMount>
      <LazyMount open={modals.holds('loyalty')} load={loyalty}>
        {({ LoyaltyModal }) => <LoyaltyModal />}
      </LazyMount>
      <LazyMount open={modals.holds('win')} load={win}>
        {({ WinModal }) => <WinModal />}
      </LazyMount>
      <LazyMount open={modals.holds('discount')} load={offer}>
        {([{ DiscountModal }, trade]) => <DiscountModal trade={trade} />}
      </LazyMount>
      <LazyMount open={modals.sheet === 'order'} load={payment} onMissing={() => root.drawerMissing()}>
        {([{ OrderSheet }, trade]) => <OrderSheet trade={trade} />}
      </LazyMount>
      <LazyMount open={modals.holds('ad')} load={ad} keepsPage>
        {({ AdModal }) => <AdModal />}
      </LazyMount>
      <AgeGate />
      {/* The picture of a screen without a network, which could not be fetched then. */}
      <img src={stone} alt="" style={{ display: 'none' }} />
    </>
  );
});
