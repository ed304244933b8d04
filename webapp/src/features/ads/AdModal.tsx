import { observer } from 'mobx-react-lite';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useRoot } from '../../app/RootContext';
import parachute from '../../art/parachute.svg';
import { Button } from '../../ui/Button';
import { Modal } from '../../ui/Modal';
import { Spinner } from '../../ui/Spinner';
import styles from './AdModal.module.css';
import type { Stage } from './AdStore';

const words = {
  opening: ['ads.opening', 'ads.opening_text'],
  playing: ['ads.playing', 'ads.playing_text'],
  confirming: ['ads.confirming', 'ads.confirming_text'],
  late: ['ads.late', 'ads.late_text'],
} as const;

/**
 * What lies under an ad: the network puts its own page over it. So a touch beside it, which may be on the ad, does not
 * close it; its button always does, whatever the network is doing.
 */
export const AdModal = observer(function AdModal() {
  const { ads, modals } = useRoot();
  const { t } = useTranslation();
  const { stage } = ads;
  // While it leaves, its words stay.
  const [last, setLast] = useState<Stage>('opening');
  if (stage !== 'none' && stage !== last) setLast(stage);
  const late = last === 'late';
  const [title, text] = words[last];
  return (
    <Modal
      open={modals.shown?.is === 'ad'}
      lasting={!late}
      loose
      onClose={() => modals.close('ad')}
      {...(late ? { art: parachute } : { head: <Spinner className={styles.spinner} /> })}
      title={t(title)}
      text={t(text)}
      actions={
        <Button
          variant={late ? 'primary' : 'secondary'}
          height={late ? 56 : 48}
          width="full"
          onPress={() => modals.close('ad')}
        >
          {t('common.close')}
        </Button>
      }
    />
  );
});
