import type { SpinReward } from '../../api/types';
import type { Size } from '../../ui/useCelebration';
import { type Sum, sumOf } from './prize';

/** The part that a win is shown by: spins only where there is nothing else, or an ordinary bonus spin has brought them. */
export function best(reward: SpinReward): keyof Sum {
  const { coins, points } = sumOf(reward);
  if (reward.bonus_spin && !reward.is_golden) return 'spins';
  return coins > 0 ? 'coins' : points > 0 ? 'points' : 'spins';
}

/** How much is made of a win: of one in sixteen, and of all golden ones, the most; of every fifth more than of the rest. */
export function sizeOf(reward: SpinReward): Size {
  const { coins, points } = sumOf(reward);
  if (reward.is_golden || reward.chest) return 'huge';
  return coins >= 3 || points >= 100 ? 'big' : 'small';
}
