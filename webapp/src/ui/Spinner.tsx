import { cx } from './cx';
import styles from './Spinner.module.css';

/** Something is under way; the words beside it say what. */
export function Spinner({ className }: { className?: string | undefined }) {
  return <span aria-hidden="true" className={cx(styles.spinner, className)} />;
}
