import { observer } from 'mobx-react-lite';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { DailyReward } from '../../api/types';
import { useRoot } from '../../app/RootContext';
import chest from '../../art/chest.svg';
import { haptics } from '../../telegram';
import { Button } from '../../ui/Button';
import { DotStreak } from '../../ui/DotStreak';
import { Modal } from '../../ui/Modal';
import text from '../../ui/text.module.css';
import { DoubleButton } from '../ads/DoubleButton';
import { DayReward } from './DayReward';

/** Spec §2: what today's check-in has paid. Claim only closes it. */
export const DailyModal = observer(function DailyModal() {
  const { daily, ads, modals } = useRoot();
  const { t } = useTranslation();
  const { shown } = daily;
  // Doubled or claimed, the reward is gone, and while the modal leaves it still says what it was.
  const [last, setLast] = useState<DailyReward | null>(shown);
  if (shown && shown !== last) setLast(shown);
  const again = useAgain(shown ?? last);
  if (!last) return null;
  const double = daily.doublable && (
    <DoubleButton
      primary={again}
      awaited={daily.awaited}
      disabled={ads.busy}
      onPress={async () => {
        if ((await daily.double()) === 'confirmed') haptics.notify('success');
      }}
    />
  );
  return (
    <Modal
      open={modals.shown?.is === 'daily'}
      onClose={() => daily.claim()}
      art={chest}
      title={t('daily.title')}
      text={t('daily.day', { day: last.streak })}
      actions={
        again ? (
          <>
            {double}
            <Button variant="quaternary" width="full" onPress={() => daily.claim()}>
              {t('common.close')}
            </Button>
          </>
        ) : (
          <>
            <Button
              height={56}
              width="full"
              onPress={() => {
                daily.claim();
                haptics.notify('success');
              }}
            >
              {t('daily.claim')}
            </Button>
            {double}
          </>
        )
      }
    >
      <DotStreak done={last.streak} end={chest} />
      <DayReward coins={last.bonusCoin ?? 0} points={last.bonusPoints ?? 0} />
      <p className={text.sub}>{t('daily.visits', { count: last.totalDaysInGame })}</p>
    </Modal>
  );
});

/** Whether it was opened again for a reward that was claimed before, so that only its double is left to be had. */
function useAgain(reward: DailyReward | null): boolean {
  const { daily, modals } = useRoot();
  const open = modals.holds('daily');
  const visit = reward?.totalDaysInGame;
  const [last, setLast] = useState<{ open: boolean; again: boolean; claimed?: number | undefined }>({
    open: false,
    again: false,
  });
  if (open !== last.open) {
    const isEarlier = daily.reward?.totalDaysInGame !== visit;
    setLast(
      open
        ? { ...last, open, again: isEarlier || last.claimed === visit }
        : { ...last, open, claimed: visit },
    );
  }
  return last.again;
}
