import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { haptics } from '../telegram';
import styles from './Button.module.css';
import { cx } from './cx';
import { Icon } from './Icon';
import type { IconName } from './icons';
import { Spinner } from './Spinner';

// spec §9: variants, heights, widths, radii and alignments of a button.
type ButtonVariant = 'primary' | 'secondary' | 'tertiary' | 'quaternary' | 'danger';
type ButtonHeight = 32 | 40 | 48 | 56;

type Appearance = {
  variant?: ButtonVariant;
  height?: ButtonHeight;
  /** Without it the radius that belongs to the height. */
  radius?: 8 | 12 | 16 | 100;
  /** `full`, as one of 56 px is without it, fills the line, `grow` shares it with its neighbours, `max-text` never wraps its words. */
  width?: 'auto' | 'full' | 'grow' | 'max-text';
  align?: 'center' | 'left' | 'right';
  /** `ton` colours a tertiary button as a wallet action. */
  tone?: 'ton';
  icon?: IconName;
  /** Address of a picture shown before the words, such as the coin or the TON mark. */
  art?: string;
  /** Shows a spinner in place of the words; the button keeps its size and cannot be pressed. */
  loading?: boolean;
  disabled?: boolean;
  /** Of a button that chooses: whether it is what was chosen. */
  pressed?: boolean;
  /** The accessible name, if the text is not enough. */
  label?: string;
  className?: string | undefined;
  children?: ReactNode;
};

type Does =
  | { onPress: () => void; submit?: boolean; to?: never; href?: never }
  /** A screen of the app. */
  | { to: string; onPress?: () => void; href?: never }
  /** A page elsewhere, in a new tab. */
  | { href: string; onPress?: () => void; to?: never };

export type ButtonProps = Appearance & Does;

export function Button(props: ButtonProps) {
  const { variant = 'primary', height = 48, radius, align = 'center', tone } = props;
  const { width = height === 56 ? 'full' : 'auto' } = props;
  const { icon, art, loading = false, disabled = false, label, onPress } = props;
  const className = cx(
    styles.button,
    styles[variant],
    styles[`h${height}`],
    radius && styles[`r${radius}`],
    styles[width],
    align !== 'center' && styles[align],
    tone && styles[tone],
    loading && styles.loading,
    disabled && styles.disabled,
    props.className,
  );
  const content = (
    <>
      {icon && <Icon name={icon} className={styles.glyph} />}
      {art && <img src={art} alt="" className={styles.art} />}
      {props.children}
      {loading && <Spinner className={styles.spinner} />}
    </>
  );
  const shared = { className, 'data-variant': variant, 'aria-label': label };
  const idle = !loading && !disabled;
  const press = () => {
    if (variant === 'primary') haptics.press();
    onPress?.();
  };

  if ('to' in props && props.to !== undefined && idle)
    return (
      <Link {...shared} to={props.to} onClick={press}>
        {content}
      </Link>
    );
  if ('href' in props && props.href !== undefined && idle)
    return (
      <a {...shared} href={props.href} target="_blank" rel="noopener noreferrer" onClick={press}>
        {content}
      </a>
    );
  return (
    <button
      {...shared}
      type={'submit' in props && props.submit ? 'submit' : 'button'}
      aria-pressed={props.pressed}
      aria-busy={loading || undefined}
      aria-disabled={loading || undefined} // one that waits keeps the focus
      disabled={disabled && !loading}
      onClick={(event) => {
        if (idle) press();
        else event.preventDefault();
      }}
    >
      {content}
    </button>
  );
}
