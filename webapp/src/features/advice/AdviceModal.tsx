import { observer } from 'mobx-react-lite';
import { useTranslation } from 'react-i18next';
import { useRoot } from '../../app/RootContext';
import crystal from '../../art/crystal-ball.svg';
import { haptics } from '../../telegram';
import { Button } from '../../ui/Button';
import { Modal } from '../../ui/Modal';
import { DoubleButton } from '../ads/DoubleButton';
import styles from './AdviceModal.module.css';

/** Spec §2: the advice of the day, and what it pays. Closed without a claim it can be requested again. */
export const AdviceModal = observer(function AdviceModal() {
  const { advice, ads, modals } = useRoot();
  const { t } = useTranslation();
  const current = advice.advice;
  if (!current) return null;
  return (
    <Modal
      open={modals.shown?.is === 'advice'}
      onClose={() => advice.close()}
      art={crystal}
      title={t('advice.title')}
      text={t('advice.lucky')}
      actions={
        <>
          <Button
            height={56}
            loading={advice.doing === 'claiming'}
            onPress={async () => {
              if (await advice.claim()) haptics.notify('success');
            }}
          >
            {t('advice.claim', { count: current.reward_points })}
          </Button>
          {current.canDoubleWithAd && (
            <DoubleButton
              awaited={advice.awaited}
              disabled={ads.busy || advice.doing !== 'nothing'}
              onPress={async () => {
                if ((await advice.double()) === 'confirmed') haptics.notify('success');
              }}
            />
          )}
        </>
      }
    >
      <p className={styles.words}>{current.text}</p>
    </Modal>
  );
});
