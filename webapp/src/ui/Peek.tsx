import type { ReactNode } from 'react';
import { cx } from './cx';
import { Icon } from './Icon';
import type { IconName } from './icons';
import { RowIcon } from './List';
import styles from './Peek.module.css';

type Props = {
  title: string;
  note?: string;
  icon?: IconName;
  art?: string;
  /** Before the arrow: a count badge, a stack of faces. */
  end?: ReactNode;
  onOpen: () => void;
  nodock?: boolean;
};

/** The handle above the dock that opens a sheet. */
export function Peek({ title, note, icon, art, end, onOpen, nodock = false }: Props) {
  return (
    <button
      type="button"
      aria-haspopup="dialog"
      className={cx(styles.peek, nodock && styles.nodock)}
      onClick={onOpen}
    >
      {(icon || art) && (
        <RowIcon raised className={styles.icon} {...(icon && { icon })} {...(art && { art })} />
      )}
      <span className={styles.words}>
        <span className={styles.title}>{title}</span>
        {note && <span className={styles.note}>{note}</span>}
      </span>
      {end}
      <Icon name="caretUp" size={18} className={styles.arrow} />
    </button>
  );
}
