import { observer } from 'mobx-react-lite';
import { useTranslation } from 'react-i18next';
import { useRoot } from '../../app/RootContext';
import gift from '../../art/wrapped-gift.svg';
import { haptics } from '../../telegram';
import { Button } from '../../ui/Button';
import { Modal } from '../../ui/Modal';
import { DayReward } from '../daily/DayReward';
import { loyaltyBonus } from './LoyaltyStore';

/** Spec §2: every ad of the day was watched, and this is the bonus. */
export const LoyaltyModal = observer(function LoyaltyModal() {
  const { loyalty, modals } = useRoot();
  const { t } = useTranslation();
  return (
    <Modal
      open={modals.shown?.is === 'loyalty'}
      onClose={() => loyalty.close()}
      art={gift}
      title={t('loyalty.title')}
      text={t('loyalty.done')}
      actions={
        <Button
          height={56}
          loading={loyalty.claiming}
          onPress={async () => {
            if (await loyalty.claim()) haptics.notify('success');
          }}
        >
          {t('loyalty.claim')}
        </Button>
      }
    >
      <DayReward
        coins={loyaltyBonus.bonusCoin}
        points={loyaltyBonus.bonusPoints}
        labels={{ coins: t('loyalty.coins'), points: t('loyalty.points') }}
      />
    </Modal>
  );
});
