import { observer } from 'mobx-react-lite';
import stone from '../art/ore-stone.svg';
import { LazyOverlay, lazyDrawer, lazyModal } from './lazyPart';
import { useRoot } from './RootContext';

const drawers = [
  lazyDrawer('profile', () => import('../features/profile/Profile').then((code) => code.Profile)),
  lazyDrawer('levels', () => import('../features/tap/Levels').then((code) => code.Levels)),
  lazyDrawer('tasks', () => import('../features/tasks/Tasks').then((code) => code.Tasks)),
  lazyDrawer('order', () => import('../features/market/OrderSheet').then((code) => code.OrderSheet)),
];

const modals = [
  lazyModal('daily', () => import('../features/daily/DailyModal').then((code) => code.DailyModal)),
  lazyModal('advice', () => import('../features/advice/AdviceModal').then((code) => code.AdviceModal)),
  lazyModal('loyalty', () => import('../features/loyalty/LoyaltyModal').then((code) => code.LoyaltyModal)),
  lazyModal('win', () => import('../features/wheel/WinModal').then((code) => code.WinModal)),
  lazyModal('level', () => import('../features/tap/LevelModal').then((code) => code.LevelModal)),
  lazyModal('discount', () =>
    import('../features/discount/DiscountModal').then((code) => code.DiscountModal),
  ),
  lazyModal('ad', () => import('../features/ads/AdModal').then((code) => code.AdModal)),
  lazyModal('age', () => import('../features/age/AgeGate').then((code) => code.AgeGate)),
];

/** Whatever lies over the screen: drawers, and the one modal whose turn it is. */
export const Overlays = observer(function Overlays() {
  const root = useRoot();
  return (
    <>
      {drawers.map(({ name, Part }, turn) => (
        <LazyOverlay key={name} turn={modals.length + turn} open={root.modals.sheet === name}>
          <Part />
        </LazyOverlay>
      ))}
      {/* The ad's own comes with any, since most offer one: arriving late, it would take the focus from the ad. */}
      {modals.map(({ name, Part }, turn) => (
        <LazyOverlay
          key={name}
          turn={turn}
          open={name === 'ad' ? root.modals.shown !== null : root.modals.has(name)}
        >
          <Part />
        </LazyOverlay>
      ))}
      {/* The picture of a screen without a network, which could not be fetched then. */}
      <img src={stone} alt="" style={{ display: 'none' }} />
    </>
  );
});
