import type { CSSProperties } from 'react';
import { cx } from './cx';
import styles from './Progress.module.css';

type Props = {
  value: number;
  max: number;
  /** Gold for a goal, ember for energy and ore, cream for a task. */
  tone?: 'gold' | 'ember' | 'cream';
  size?: 's' | 'm' | 'l';
  label: string;
  className?: string | undefined;
};

export function Progress({ value, max, tone = 'gold', size = 'm', label, className }: Props) {
  const share = max > 0 ? Math.min(1, Math.max(0, value / max)) : 0;
  return (
    <span
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={max}
      aria-valuenow={Math.min(value, max)}
      className={cx(styles.track, styles[size], styles[tone], className)}
    >
      {share > 0 && (
        <span className={styles.fill} style={{ '--left': `${(share - 1) * 100}%` } as CSSProperties} />
      )}
    </span>
  );
}
