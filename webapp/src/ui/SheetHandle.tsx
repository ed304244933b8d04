import { type PointerEvent, type ReactNode, useRef } from 'react';
import { cx } from './cx';
import flex from './flex.module.css';
import { Icon } from './Icon';
import type { IconName } from './icons';
import { RowIcon } from './List';
import look from './List.module.css';
import styles from './SheetHandle.module.css';

type Props = {
  title: string;
  note?: string;
  icon?: IconName;
  art?: string;
  /** In place of an icon: faces. */
  lead?: ReactNode;
  /** Before the arrow: a count badge, a stack of faces. */
  end?: ReactNode;
  onOpen: () => void;
  /** Its glyph is cream: nothing waits in the sheet to be taken. */
  quiet?: boolean;
};

/** How far a finger drags up before the sheet opens, pixels. */
const reach = 12;

/** The handle above the tab bar that opens a sheet, by a press or by pulling it up. */
export function SheetHandle({ title, note, icon, art, lead, end, onOpen, quiet = false }: Props) {
  const gripped = useRef<number>(null);
  const release = () => {
    gripped.current = null;
  };
  const pull = (event: PointerEvent) => {
    // A mouse may have let go elsewhere.
    if (event.buttons === 0) release();
    if (gripped.current === null || gripped.current - event.clientY < reach) return;
    release();
    onOpen();
  };
  return (
    <button
      type="button"
      aria-haspopup="dialog"
      className={cx(flex.line, flex.roomy, styles.peek)}
      onClick={onOpen}
      onPointerDown={(event) => {
        gripped.current = event.clientY;
      }}
      onPointerMove={pull}
      onPointerUp={release}
      onPointerCancel={release}
    >
      {(icon || art) && (
        <RowIcon
          raised
          className={cx(styles.icon, quiet && styles.calm)}
          {...(icon && { icon })}
          {...(art && { art })}
        />
      )}
      {lead}
      <span className={styles.words}>
        <span className={styles.title}>{title}</span>
        {note && <span className={look.note}>{note}</span>}
      </span>
      {end}
      <Icon name="caretUp" size={18} className={styles.arrow} />
    </button>
  );
}
