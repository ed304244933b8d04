import type { ReactNode } from 'react';
import { cx } from './cx';
import styles from './RewardList.module.css';
import text from './text.module.css';

/** What was won, piece beside piece. */
export function RewardList({ className, children }: { className?: string | undefined; children: ReactNode }) {
  return <div className={cx(styles.loot, className)}>{children}</div>;
}

/** One piece: its picture, how much of it, and what it is called. */
export function Piece({ art, name, children }: { art: string; name: string; children: ReactNode }) {
  return (
    <div>
      <img src={art} alt="" />
      {children}
      <span className={text.sub}>{name}</span>
    </div>
  );
}
