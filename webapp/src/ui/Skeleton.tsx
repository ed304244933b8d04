import { cx } from './cx';
import styles from './Skeleton.module.css';

type Props = {
  /** CSS lengths of the content's box. */
  width?: number | string;
  height?: number | string;
  radius?: 8 | 12 | 16 | 100;
  className?: string | undefined;
};

export function Skeleton({ width = '100%', height = 14, radius = 8, className }: Props) {
  return (
    <span
      aria-hidden="true"
      className={cx(styles.bone, className)}
      style={{ width, height, borderRadius: `var(--r-${radius})` }}
    />
  );
}
