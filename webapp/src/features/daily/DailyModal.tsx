import { observer } from 'mobx-react-lite';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { DailyReward } from '../../api/types';
import { useRoot } from '../../app/RootContext';
import chest from '../../art/chest.svg';
import openChest from '../../art/chest-open.svg';
import { haptics } from '../../telegram';
import { Button } from '../../ui/Button';
import { DotStreak } from '../../ui/DotStreak';
import { Modal } from '../../ui/Modal';
import text from '../../ui/text.module.css';
import { DoubleButton } from '../ads/DoubleButton';
import { DayReward } from './DayReward';
import { flyCoins } from './flyCoins';

/** How long the open chest is seen, milliseconds. */
const openMs = 450;

const find = (selector: string) => document.querySelector(selector);

/** Spec §2: what today's check-in has paid. Claim opens the chest and closes the modal. */
export const DailyModal = observer(function DailyModal() {
  const { daily, ads, modals, settings } = useRoot();
  const { t } = useTranslation();
  const { shown } = daily;
  // A doubled or claimed reward is gone, but the modal shows it while it leaves.
  const [last, setLast] = useState<DailyReward | null>(shown);
  if (shown && shown !== last) setLast(shown);
  /** The visit whose chest was opened. */
  const [opened, setOpened] = useState(0);
  if (!last) return null;
  const isOpen = opened === last.totalDaysInGame && !daily.isDoubleOnly;
  const double = daily.doublable && (
    <DoubleButton
      primary={daily.isDoubleOnly}
      awaited={daily.isDoubleAwaited}
      disabled={ads.busy || isOpen}
      onPress={async () => {
        if ((await daily.double()) === 'confirmed') haptics.notify('success');
      }}
    />
  );
  return (
    <Modal
      open={modals.shown?.is === 'daily'}
      onClose={() => daily.claim()}
      art={isOpen ? openChest : chest}
      title={t('daily.title')}
      text={t('daily.day', { day: last.streak })}
      actions={
        daily.isDoubleOnly ? (
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
              onPress={() => {
                if (isOpen) return;
                haptics.notify('success');
                setOpened(last.totalDaysInGame);
                setTimeout(() => {
                  if (daily.unclaimed > 0)
                    void daily.holdUntil(flyCoins(find('[role=dialog] > img'), find('[data-balance] img')));
                  daily.claim();
                }, openMs);
              }}
            >
              {t('daily.claim')}
            </Button>
            {double}
          </>
        )
      }
    >
      <DotStreak done={last.streak} end={chest} rewards={settings.settings?.checkin_rewards} />
      <DayReward coins={last.bonusCoin ?? 0} points={last.bonusPoints ?? 0} />
      <p className={text.sub}>{t('daily.visits', { count: last.totalDaysInGame })}</p>
    </Modal>
  );
});
