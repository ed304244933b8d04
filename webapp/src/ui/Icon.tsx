import { cx } from './cx';
import styles from './Icon.module.css';
import { type IconName, icons } from './icons';

type Props = {
  name: IconName;
  /** Pixels; without it CSS sizes the icon. */
  size?: number;
  className?: string | undefined;
};

/** A decorative glyph in the colour of the text around it. */
export function Icon({ name, size, className }: Props) {
  return (
    <svg
      viewBox="0 0 256 256"
      aria-hidden="true"
      width={size}
      height={size}
      className={cx(styles.icon, className)}
    >
      <path fill="currentColor" d={icons[name]} />
    </svg>
  );
}
