import { useState } from 'react';
import coin from '../../art/coin-lying.svg';
import styles from './CoinPile.module.css';

/** Stacks of coins, back to front: position, and height at every size of the pile. */
const stacks: readonly { readonly x: number; readonly y: number; readonly coins: readonly number[] }[] = [
  { x: 62, y: 66, coins: [0, 0, 3, 6, 8] },
  { x: 128, y: 63, coins: [0, 4, 6, 9, 11] },
  { x: 194, y: 67, coins: [0, 1, 4, 7, 9] },
  { x: 28, y: 83, coins: [0, 0, 0, 2, 5] },
  { x: 95, y: 81, coins: [1, 3, 4, 6, 7] },
  { x: 161, y: 82, coins: [3, 4, 5, 6, 7] },
  { x: 228, y: 84, coins: [0, 0, 1, 3, 4] },
  { x: 60, y: 100, coins: [0, 0, 1, 2, 3] },
  { x: 126, y: 101, coins: [1, 2, 2, 3, 3] },
  { x: 194, y: 99, coins: [0, 1, 1, 2, 3] },
];
/** From so many TON on the pile has its next size. */
const sizes = [0, 5, 10, 50, 200];

/** The drawing's units: how wide a coin is, how high, and what one adds to a stack. */
const coinWidth = 66;
const coinHeight = 41;
const thickness = 8;

/** The coins that an amount brings: more TON, more coins, in a few steps. */
export function CoinPile({ ton, className }: { ton: number; className?: string | undefined }) {
  const size = sizes.findLastIndex((least) => ton >= least);
  const [first] = useState(size); // the first size is shown without an animation
  return (
    <svg viewBox="0 -18 322 166" className={className} preserveAspectRatio="xMidYMax" aria-hidden="true">
      {stacks.map(({ x, y, coins }) =>
        Array.from({ length: coins[size] ?? 0 }, (_, n) => (
          <image
            // biome-ignore lint/suspicious/noArrayIndexKey: a coin is its place in the stack
            key={`${x}-${n}`}
            href={coin}
            x={x + ((n * 7 + x) % 5) - 2}
            y={y - n * thickness}
            width={coinWidth}
            height={coinHeight}
            className={n < (coins[first] ?? 0) ? undefined : styles.falling}
          />
        )),
      )}
    </svg>
  );
}
