import { useTranslation } from 'react-i18next';
import bag from '../../art/money-bag.svg';
import { Spinner } from '../../ui/Spinner';
import text from '../../ui/text.module.css';
import styles from './Saving.module.css';

/** Covers everything while the taps of a screen just left are sent. Spec §2: it lasts 2 s. */
export function Saving() {
  const { t } = useTranslation();
  return (
    <div className={styles.cover} role="status">
      <img src={bag} alt="" width={110} height={110} />
      <p className={text.head}>{t('loading.saving')}</p>
      <Spinner className={styles.spinner} />
    </div>
  );
}
