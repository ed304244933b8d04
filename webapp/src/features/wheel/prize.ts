import type { SpinAnswer, SpinReward } from '../../api/types';
import type { Path } from './turn';

/** A spin as it is shown and remembered; the player's figures in its answer are of that moment only. */
export type Spin = Pick<SpinAnswer, 'spin_id' | 'status' | 'reward'>;

/** What a prize comes to. */
export type Sum = { readonly coins: number; readonly points: number; readonly spins: number };

/** `since` is when the wheel began to turn, by `elapsed`. */
export type Turn =
  | { is: 'resting' }
  | { is: 'asking'; golden: boolean }
  | { is: 'turning'; spin: Spin; path: Path; since: number };

/** Spec §9: free spins that a player may hold. */
export const mostSpins = 20;

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

/** Spec §9: how many times the ordinary prize is paid in all after an ad. A golden spin's is ten, never three. */
export function timesWithAd({ is_golden, type, chest }: SpinReward): number {
  if (is_golden) return 10;
  return threefold.includes(chest?.type ?? type) ? 3 : 2;
}

/** By how much an ad makes more of what the prize comes to. */
export function growth(reward: SpinReward): number {
  return timesWithAd(reward) / reward.multiplier;
}
