import { useTranslation } from 'react-i18next';
import { cx } from './cx';
import { Spinner } from './Spinner';
import text from './text.module.css';
import styles from './Waiting.module.css';

/** A loading indicator that appears only after a delay. */
export function Waiting({ className }: { className?: string | undefined }) {
  const { t } = useTranslation();
  return (
    <div role="status" className={cx(styles.wait, className)}>
      <Spinner />
      <span className={text.unseen}>{t('common.wait')}</span>
    </div>
  );
}
