import type { TFunction } from 'i18next';
import type { SpinReward } from '../../api/types';
import { formatAmount, formatInteger, type Language, toMicro } from '../../format';
import { sumOf } from './prize';

/** What was won, in a line. */
export function prizeWords(reward: SpinReward, t: TFunction, language: Language): string {
  const { coins, points, spins } = sumOf(reward);
  const coinWords = formatAmount(toMicro(coins), Number.isInteger(coins) ? 0 : 2, language);
  const pointWords = formatInteger(points, language);
  if (reward.chest) {
    const pieces = [
      coins > 0 && `${t('wheel.coins')} ${coinWords}`,
      points > 0 && `${t('common.points')} ${pointWords}`,
      spins > 0 && `${t('wheel.spins')} ${spins}`,
    ];
    return `${t('wheel.chest')}: ${pieces.filter(Boolean).join(', ')}`;
  }
  if (reward.bonus_spin) return t('wheel.won_bonus', { count: points, points: pointWords });
  if (coins > 0) return t('wheel.won_coins', { count: coins, coins: coinWords });
  return t('wheel.won_points', { count: points, points: pointWords });
}
