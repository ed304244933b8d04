import type { Micro } from '../../format';
import type { Nanoton } from './amount';

/** What the server would give for this many nanotons at these prices of 1 TON and 1 MCBK in US dollars: it rounds down. */
export function coinsFor(amount: Nanoton, ton: Micro, mcbk: Micro): Micro {
  if (mcbk <= 0) return 0;
  return Number((amount * BigInt(ton)) / (1000n * BigInt(mcbk)));
}

/** What coins are worth in US dollars at this price of one; rounded down. */
export function worth(coins: Micro, mcbk: Micro): Micro {
  return Number((BigInt(coins) * BigInt(mcbk)) / 1_000_000n);
}

/** How much of the goal is sold, in whole per cent; sales go on beyond it, the bar does not (spec §9). */
export function percentSold(sold: number, goal: number): number {
  return goal > 0 ? Math.min(100, Math.floor((sold / goal) * 100)) : 0;
}
