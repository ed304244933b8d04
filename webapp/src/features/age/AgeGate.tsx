import { observer } from 'mobx-react-lite';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import { useRoot } from '../../app/RootContext';
import { Button } from '../../ui/Button';
import { Checkbox } from '../../ui/Checkbox';
import { Modal } from '../../ui/Modal';
import text from '../../ui/text.module.css';
import styles from './AgeGate.module.css';

/** Spec §2: only its Accept closes it, and reading the privacy policy. */
export const AgeGate = observer(function AgeGate() {
  const { modals, user, route } = useRoot();
  const { t } = useTranslation();
  const [ticked, tick] = useState(false);
  return (
    <Modal
      open={modals.shown?.is === 'age' && route.path !== '/privacy'}
      lasting={!modals.closable}
      onClose={() => undefined}
      head={<span className={styles.ring}>{t('age.badge')}</span>}
      title={t('age.title')}
      text={t('age.question')}
      actions={
        <Button
          height={56}
          disabled={!ticked}
          loading={user.saving}
          onPress={() => user.change({ age_consent_accepted: true })}
        >
          {t('age.accept')}
        </Button>
      }
    >
      <Checkbox boxed checked={ticked} onChange={tick}>
        {t('age.agree')}{' '}
        <Link to="/privacy?source=modal" className={text.link}>
          {t('age.policy')}
        </Link>
      </Checkbox>
    </Modal>
  );
});
