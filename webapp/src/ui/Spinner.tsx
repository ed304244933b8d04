import { cx } from './cx';
import styles from './Spinner.module.css';

/** A progress indicator without a label of its own. */
export function Spinner({ className }: { className?: string | undefined }) {
  return <span aria-hidden="true" className={cx(styles.spinner, className)} />;
}
