import type { Language } from './format';
import { splitNumber } from './ui/figures';

// Apart from format.ts, which the first screen loads: nothing there has so many decimals.

/** All its decimals, up to nine, and no idle nought: "5", "1,25". For TON, ore and rates in words. */
export function formatTrimmed(value: number, language: Language): string {
  const { sign, integer: digits, decimals } = splitNumber(value, decimalsOf(value), language);
  return sign + digits + decimals;
}

/** How many decimals an amount has, up to nine, so that not one of them is left out where it is to be paid. */
export function decimalsOf(value: number): number {
  return (
    value
      .toFixed(9)
      .replace(/\.?0+$/, '')
      .split('.')[1]?.length ?? 0
  );
}
