import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { cx } from './cx';
import { Icon } from './Icon';
import type { IconName } from './icons';
import styles from './List.module.css';

type ListProps = { label?: string; raised?: boolean; className?: string | undefined; children: ReactNode };

/** Rows on one card. `raised` is for a list inside a sheet, which already has the colour of a card. */
export function List({ label, raised = false, className, children }: ListProps) {
  return (
    <ul role="list" aria-label={label} className={cx(styles.list, raised && styles.raised, className)}>
      {children}
    </ul>
  );
}

type RowProps = {
  /** The square or disc at the left edge: `<RowIcon>`, `<Avatar>`, a number. */
  lead?: ReactNode;
  title: ReactNode;
  note?: ReactNode;
  /** At the right edge: an amount, a badge, a button. */
  end?: ReactNode;
  /** It is not reached yet. */
  locked?: boolean;
  onPress?: () => void;
  to?: string;
  className?: string | undefined;
  /** Below the title, such as a progress bar. */
  children?: ReactNode;
};

/** The content of a row. */
export function Row({ lead, title, note, end, locked = false, onPress, to, className, children }: RowProps) {
  const inside = (
    <>
      {lead}
      <span className={styles.words}>
        <span className={styles.title}>{title}</span>
        {note !== undefined && <span className={styles.note}>{note}</span>}
        {children !== undefined && <span className={styles.more}>{children}</span>}
      </span>
      {end}
    </>
  );
  const row = cx(
    styles.row,
    (to !== undefined || onPress) && styles.pressable,
    locked && styles.locked,
    className,
  );
  if (to !== undefined)
    return (
      <Link to={to} className={row} onClick={onPress}>
        {inside}
      </Link>
    );
  if (onPress)
    return (
      <button type="button" className={row} onClick={onPress}>
        {inside}
      </button>
    );
  return <div className={row}>{inside}</div>;
}

/** A line of a `<List>`. */
export function ListRow(props: RowProps) {
  return (
    <li className={styles.item}>
      <Row {...props} />
    </li>
  );
}

type RowIconProps = { icon?: IconName; art?: string; raised?: boolean; className?: string | undefined };

/** The 40 px square that opens a row. */
export function RowIcon({ icon, art, raised = false, className }: RowIconProps) {
  return (
    <span className={cx(styles.square, raised && styles.squareRaised, className)}>
      {icon && <Icon name={icon} size={22} />}
      {art && <img src={art} alt="" width={26} height={26} />}
    </span>
  );
}
