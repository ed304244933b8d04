import { cx } from './cx';
import styles from './Empty.module.css';
import flex from './flex.module.css';
import { Icon } from './Icon';
import type { IconName } from './icons';
import { RetryButton } from './RetryButton';
import text from './text.module.css';

type Props = {
  title: string;
  text?: string;
  /** A relic or ore for "nothing here yet". */
  art?: string;
  /** A glyph for "this did not load". */
  icon?: IconName;
  onRetry?: () => void;
  className?: string | undefined;
};

/** A list with nothing in it, or one that did not load. */
export function Empty({ title, text: words, art, icon, onRetry, className }: Props) {
  return (
    <div className={cx(flex.column, text.center, styles.empty, className)}>
      {art && <img src={art} alt="" className={styles.art} />}
      {icon && <Icon name={icon} className={styles.icon} />}
      <p className={text.head}>{title}</p>
      {words && <p>{words}</p>}
      {onRetry && <RetryButton onPress={onRetry} />}
    </div>
  );
}
