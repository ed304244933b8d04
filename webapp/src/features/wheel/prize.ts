import type { SpinAnswer, SpinReward } from '../../api/types';
import type { Path } from './turn';

/** A spin as it is shown and remembered; the player's figures in its answer are of that moment only. */
export type Spin = Pick<SpinAnswer, 'spin_id' | 'status' | 'reward'>;

/** The sum of a prize's parts. */
export type Sum = { readonly coins: number; readonly points: number; readonly spins: number };

/** `since` is when the wheel began to turn, by `elapsed`. */
export type Turn =
  | { is: 'resting' }
  | { is: 'asking'; golden: boolean }
  | { is: 'turning'; spin: Spin; path: Path; since: number };

/** Spec §9: free spins that a player may hold. */
export const maxSpins = 20;

/** Decision "Double": three times in all for these, twice for the others. */
const threefold: readonly string[] = ['coin_2_points_75', 'points_200'];

export function sumOf({ coins = 0, points = 0, bonus_spin, additional_reward, chest }: SpinReward): Sum {
  if (chest) return { coins: chest.coins, points: chest.points, spins: chest.spins };
  if (bonus_spin) {
    return { coins: additional_reward?.coins ?? 0, points: additional_reward?.points ?? 0, spins: 1 };
  }
  return { coins, points, spins: 0 };
}

/** Spec §5: only coins, so credited by the spin itself: it closes without a claim. */
export function isCredited({ reward }: Spin): boolean {
  return reward.coins !== undefined;
}

/** Spec §5: an ad is offered only when the prize can be doubled and is no bonus spin. */
export function canDouble({ canDoubleWithAd, bonus_spin, chest }: SpinReward): boolean {
  return (chest?.canDoubleWithAd ?? canDoubleWithAd) && !bonus_spin;
}

/** Spec §9: by how much an ad multiplies the prize that is shown. An ordinary prize is paid ten times in all for a golden spin. */
export function adMultiplier({ is_golden, multiplier, type, chest }: SpinReward): number {
  const inAll = threefold.includes(chest?.type ?? type) ? 3 : 2;
  return (is_golden ? 10 : inAll) / multiplier;
}
