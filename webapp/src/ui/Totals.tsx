import type { ReactNode } from 'react';
import { cx } from './cx';
import styles from './Totals.module.css';
import text from './text.module.css';

/** Labelled figures, two in a row, on one card. `raised` is for a sheet, which already has the colour of a card. */
export function Totals({ raised = false, children }: { raised?: boolean; children: ReactNode }) {
  return <dl className={cx(styles.totals, raised && styles.raised)}>{children}</dl>;
}

export function Total({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className={styles.total}>
      <dt className={text.sub}>{label}</dt>
      <dd className={styles.figure}>{children}</dd>
    </div>
  );
}
