import type { ReactNode } from 'react';
import { Amount, type Asset, assetArt } from './Amount';
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

type AmountProps = { asset: Asset; value: number; name: string; signed?: boolean };

export function AmountPiece({ asset, value, name, signed = true }: AmountProps) {
  return (
    <Piece art={assetArt[asset]} name={name}>
      <Amount asset={asset} value={value} size="m" signed={signed} bare trim />
    </Piece>
  );
}
