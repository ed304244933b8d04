import type { TFunction } from 'i18next';
import type { Fairness } from '../../api/types';
import chest from '../../art/chest.svg';
import coin from '../../art/coin.svg';
import star from '../../art/points.svg';
import spin from '../../art/spin.svg';

type SpinType = Fairness['odds'][number]['type'];
type ChestType = Fairness['chest_odds'][number]['type'];

type Prize = { readonly art: string; readonly words: (t: TFunction) => string };

type Holds = { readonly coins?: number; readonly points?: number; readonly spins?: number };

const of = (art: string, holds: Holds): Prize => ({ art, words: (t) => parts(t, holds) });

function parts(t: TFunction, { coins, points, spins }: Holds): string {
  return [
    ...(coins === undefined ? [] : [t('fairness.coins', { count: coins })]),
    ...(points === undefined ? [] : [t('fairness.points', { count: points })]),
    ...(spins === undefined ? [] : [t('fairness.spins', { count: spins })]),
  ]
    .map((part) => part.replaceAll(' ', '\u00a0')) // a figure stays with its word
    .join(' + ');
}

/** Spec §9: what there is to be won, with the picture of its most. */
const prizes: Readonly<Record<SpinType | ChestType, Prize>> = {
  chest: { art: chest, words: (t) => t('fairness.chest') },
  points_100: of(star, { points: 100 }),
  coins_2: of(coin, { coins: 2 }),
  points_200: of(star, { points: 200 }),
  coins_3: of(coin, { coins: 3 }),
  points_10: of(star, { points: 10 }),
  bonus_spin: { art: spin, words: (t) => t('fairness.bonus_spin') },
  points_50: of(star, { points: 50 }),
  coins_1: of(coin, { coins: 1 }),
  points_20: of(star, { points: 20 }),
  coin_2_points_75: of(coin, { coins: 2, points: 75 }),
  coins_5: of(coin, { coins: 5 }),
  points_150: of(star, { points: 150 }),
  spins_2: of(spin, { spins: 2 }),
  coin_3_spin_1: of(coin, { coins: 3, spins: 1 }),
};

/** A prize that this build does not know yet is called as the server calls it. */
export function prizeOf(type: string): Prize {
  if (!Object.hasOwn(prizes, type)) return { art: chest, words: () => type };
  return prizes[type as keyof typeof prizes];
}

type Won = { readonly type: string | undefined; readonly chest_type?: string | undefined };

/** What a spin has brought, such as "Chest: 5 coins". */
export function wonWords(t: TFunction, { type, chest_type }: Won): string {
  if (type === undefined) return t('fairness.nothing');
  if (chest_type === undefined) return prizeOf(type).words(t);
  return t('fairness.chest_of', { prize: prizeOf(chest_type).words(t) });
}
