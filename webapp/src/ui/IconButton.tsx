import { cx } from './cx';
import { Icon } from './Icon';
import styles from './IconButton.module.css';
import type { IconName } from './icons';

type Props = {
  icon: IconName;
  label: string;
  onPress: () => void;
  /** `well` draws a raised square around the glyph; `plain` is the glyph alone, such as the x of a sheet. */
  variant?: 'plain' | 'well';
  className?: string | undefined;
};

export function IconButton({ icon, label, onPress, variant = 'plain', className }: Props) {
  return (
    <button
      type="button"
      aria-label={label}
      className={cx(styles.button, styles[variant], className)}
      onClick={onPress}
    >
      <Icon name={icon} className={styles.glyph} />
    </button>
  );
}
