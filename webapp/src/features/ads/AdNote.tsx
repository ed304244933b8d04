import { useTranslation } from 'react-i18next';
import parachute from '../../art/parachute.svg';
import { Button } from '../../ui/Button';
import { Modal } from '../../ui/Modal';
import { Spinner } from '../../ui/Spinner';
import styles from './AdNote.module.css';
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
export function AdNote({ open, stage, onClose }: { open: boolean; stage: Stage; onClose: () => void }) {
  const { t } = useTranslation();
  const late = stage === 'late';
  const [title, text] = words[stage];
  return (
    <Modal
      open={open}
      lasting={!late}
      loose
      onClose={onClose}
      {...(late ? { art: parachute } : { head: <Spinner className={styles.spinner} /> })}
      title={t(title)}
      text={t(text)}
      actions={
        <Button
          variant={late ? 'primary' : 'secondary'}
          height={late ? 56 : 48}
          width="full"
          onPress={onClose}
        >
          {t('common.close')}
        </Button>
      }
    />
  );
}
