import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { cx } from './cx';
import styles from './DayTrail.module.css';
import { trailPath, trailPoint } from './trail';

type Props = {
  /** 0 before the first. */
  day: number;
  total: number;
  /** Its label, if not "day N of M". */
  label?: string | undefined;
  className?: string | undefined;
};

/** The trail to the red X: walked in gold up to the marker, the days ahead still brown. */
export function DayTrail({ day, total, label, className }: Props) {
  const { t } = useTranslation();
  const clip = useId();
  const [x, y] = trailPoint(day, total);
  // The pin lies over the trail rather than standing on it, clear of the words above.
  const pin = `translate(${x.toFixed(1)} ${(y + 5).toFixed(1)})`;
  return (
    <svg
      viewBox="0 0 358 34"
      role="img"
      aria-label={label ?? t('common.day_of', { day: Math.min(Math.max(day, 0), total), total })}
      className={cx(styles.trail, className)}
    >
      <clipPath id={clip}>
        <rect width={x} height="34" />
      </clipPath>
      <path d={trailPath} pathLength="100" className={styles.ahead} />
      <path d={trailPath} pathLength="100" className={styles.walked} clipPath={`url(#${clip})`} />
      <path d="M340 11 352 23M352 11 340 23" className={styles.x} />
      <g transform={pin}>
        <path d="M0 4C-7-4-9-8-9-12a9 9 0 0 1 18 0c0 4-2 8-9 16Z" className={styles.marker} />
        <circle cy="-12" r="3.6" className={styles.eye} />
      </g>
    </svg>
  );
}
