import type { Micro } from '../../format';
import { type Nanoton, oneTon } from './amount';

/** Telegram Stars, which are whole. */
export type Stars = number;

/** What one press chooses, where an order may be of it. */
const presets: readonly Stars[] = [50, 100, 250, 500, 1000, 2500];

export type Bounds = { readonly min: Stars; readonly max: Stars };

/** Telegram's own bounds, until the server's are loaded. */
export const everyAmount: Bounds = { min: 1, max: 10_000 };

export const clampStars = (stars: Stars, { min, max }: Bounds): Stars => Math.min(max, Math.max(min, stars));

/** The presets, each within the bounds of an order. */
export function starPresets(bounds: Bounds): readonly Stars[] {
  return [...new Set(presets.map((stars) => clampStars(stars, bounds)))];
}

/** What the server would give for so many Stars at these prices of one and of 1 MCBK in US dollars: it rounds down. */
export function coinsForStars(stars: Stars, star: Micro, mcbk: Micro): Micro {
  if (mcbk <= 0) return 0;
  return Number((BigInt(stars) * BigInt(star) * 1_000_000n) / BigInt(mcbk));
}

/** What the server would ask in Stars for an amount of TON: it rounds up. */
export function starsFor(amount: Nanoton, ton: Micro, star: Micro): Stars {
  const unit = oneTon * BigInt(star);
  return Number((amount * BigInt(ton) + unit - 1n) / unit);
}
