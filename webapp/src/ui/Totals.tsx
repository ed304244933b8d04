import type { ReactNode } from 'react';
import { Amount } from './Amount';
import { cx } from './cx';
import flex from './flex.module.css';
import styles from './Totals.module.css';
import text from './text.module.css';

/** Labelled figures, two in a row, on one card. `raised` is for a sheet, which already has the colour of a card. */
export function Totals({ raised = false, children }: { raised?: boolean; children: ReactNode }) {
  return <dl className={cx(styles.totals, raised && styles.raised)}>{children}</dl>;
}

export function Total({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className={cx(flex.column, styles.total)}>
      <dt className={text.sub}>{label}</dt>
      <dd className={cx(flex.line, styles.figure)}>{children}</dd>
    </div>
  );
}

/** From here on a figure is written smaller, so that half of a narrow screen holds it. */
const wide = 100_000;

type FigureProps = { asset: 'coin' | 'points'; value: number; trim?: boolean };

/** An amount, in small where it is long. */
export function Figure({ asset, value, trim = true }: FigureProps) {
  return (
    <Amount asset={asset} value={value} size={value < wide ? 'm' : 's'} trim={trim} bare={asset === 'coin'} />
  );
}
