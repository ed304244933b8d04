import type { ReactNode } from 'react';
import styles from './Badge.module.css';
import { cx } from './cx';
import { Icon } from './Icon';
import type { IconName } from './icons';

type Props = {
  /** `count` is the red number of what waits. */
  tone?: 'neutral' | 'gold' | 'jade' | 'ton' | 'moss' | 'brick' | 'count' | 'veil';
  size?: 'm' | 'l';
  icon?: IconName;
  className?: string | undefined;
  children?: ReactNode;
};

export function Badge({ tone = 'neutral', size = 'm', icon, className, children }: Props) {
  return (
    <span className={cx(styles.badge, styles[tone], size === 'l' && styles.l, className)}>
      {icon && <Icon name={icon} className={styles.icon} />}
      {children}
    </span>
  );
}
