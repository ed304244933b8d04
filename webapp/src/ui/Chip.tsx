import type { ReactNode } from 'react';
import { Link } from 'wouter';
import styles from './Chip.module.css';
import { cx } from './cx';
import { Icon } from './Icon';
import type { IconName } from './icons';

type Props = {
  icon?: IconName;
  art?: string;
  /** `ton` is the wallet's. */
  tone?: 'neutral' | 'ton';
  label?: string;
  className?: string | undefined;
  children?: ReactNode;
} & ({ to: string; onPress?: () => void } | { onPress: () => void; to?: never });

/** A small pill-shaped link or button. */
export function Chip({ icon, art, tone = 'neutral', label, className, children, to, onPress }: Props) {
  const name = cx(styles.chip, styles[tone], className);
  const inside = (
    <>
      {icon && <Icon name={icon} size={16} />}
      {art && <img src={art} alt="" width={18} height={18} />}
      {children}
    </>
  );
  return to !== undefined ? (
    <Link to={to} className={name} aria-label={label} onClick={onPress}>
      {inside}
    </Link>
  ) : (
    <button type="button" className={name} aria-label={label} onClick={onPress}>
      {inside}
    </button>
  );
}
