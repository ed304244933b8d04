import type { Language } from '../../format';
import type { ErrorKey } from '../../i18n/errors';

/** Whole billionths of a TON. */
export type Nanoton = bigint;

/** Billionths in one TON. */
export const oneTon: Nanoton = 1_000_000_000n;

/** Spec §5: the least and the most of an order. */
const orderMin = oneTon / 10n;
const orderMax = 1000n * oneTon;
/** Spec §2: the field's own least, and what its buttons add or take. */
const fieldMin = oneTon;
const fieldStep = oneTon / 10n;

/** What one press chooses, of what may be ordered. */
export const presets: readonly Nanoton[] = [1n, 5n, 10n, 50n]
  .map((ton) => ton * oneTon)
  .filter((amount) => validateField(amount) === null);

/** What a player has written, with a comma or a point and at most nine decimals; null if it is no amount. */
export function readTon(text: string): Nanoton | null {
  const [, integer = '', tail = ''] = /^(\d{0,15})(?:[.,](\d{0,9}))?$/.exec(text.trim()) ?? [];
  if (integer + tail === '') return null;
  return BigInt(integer) * oneTon + BigInt(tail.padEnd(9, '0'));
}

/** As the field shows it: "5.0", "1,25". */
export function writeTon(amount: Nanoton, language: Language): string {
  const tail = String(amount % oneTon).padStart(9, '0');
  return `${amount / oneTon}${language === 'ru' ? ',' : '.'}${tail.replace(/(.)0+$/, '$1')}`;
}

/** An amount that JSON carried, exactly. */
export function nanotons(ton: number): Nanoton {
  return BigInt(ton.toFixed(9).replace('.', ''));
}

/** The number JSON carries; a double is exact for whatever an order may be of. */
export function inTon(amount: Nanoton): number {
  return Number(writeTon(amount, 'en'));
}

/** What no order may be of (spec §5); null if it may. */
export function validateOrder(amount: Nanoton | null): ErrorKey | null {
  if (amount === null) return 'errors.invalid_amount';
  if (amount < orderMin) return 'errors.amount_too_small';
  return amount > orderMax ? 'errors.amount_too_large' : null;
}

/** The same for the field, whose own minimum is higher. */
export function validateField(amount: Nanoton | null): ErrorKey | 'market.least' | null {
  return amount !== null && amount < fieldMin ? 'market.least' : validateOrder(amount);
}

/** Spec §5, input clamps: what is no amount, or too little, becomes 1 TON, what is too much 1000. */
export function clampAmount(amount: Nanoton | null): Nanoton {
  if (amount === null || amount < fieldMin) return fieldMin;
  return amount > orderMax ? orderMax : amount;
}

/** One step of the field's buttons up or down. */
export function stepAmount(amount: Nanoton | null, up: boolean): Nanoton {
  return clampAmount((amount ?? 0n) + (up ? fieldStep : -fieldStep));
}

/** What Max writes: the whole steps of a known balance, without what sending may cost, else the most an order may be of. */
export function maxAmount(balance: Nanoton | null): Nanoton {
  return clampAmount(balance === null ? orderMax : balance - fieldStep - (balance % fieldStep));
}
