import { formatAmount, formatInteger, type Language, toMicro } from '../../format';

type Bonus = { readonly bonusCoin: number; readonly bonusPoints: number };

/** A reward as words have it: "2.00" coins and "40" points. */
export function bonus({ bonusCoin, bonusPoints }: Bonus, language: Language) {
  return {
    coins: formatAmount(toMicro(bonusCoin), 2, language),
    points: formatInteger(bonusPoints, language),
  };
}
