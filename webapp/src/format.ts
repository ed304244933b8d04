import { splitNumber } from './ui/figures';

export type Language = 'en' | 'ru';

/** Whole millionths of a coin or a dollar; exact up to four billion coins. */
export type Micro = number;

/** Amounts arrive as JSON numbers with up to six decimals. Their decimal text is exact; adding them as floats is not. */
export function toMicro(formatAmount: number): Micro {
  return Number(formatAmount.toFixed(6).replace('.', ''));
}

/** Back to coins or dollars, for the components that draw amounts. */
export function fromMicro(value: Micro): number {
  return value / 1_000_000;
}

/** "12,480.25" in English, "12 480,25" in Russian. Truncated, never rounded up. */
export function formatAmount(value: Micro, decimals: number, language: Language): string {
  const { sign, integer: digits, decimals: fraction } = splitNumber(fromMicro(value), decimals, language);
  return sign + digits + fraction;
}

/** A whole number, grouped as the language does. */
export function formatInteger(n: number, language: Language): string {
  return splitNumber(n, 0, language).integer;
}

/** A rank's figure; without a score there is none. */
export function rankAmong(rank: number, score: number, language: Language): string {
  return score > 0 ? formatInteger(rank, language) : '–';
}

/** Spec §9: wallet addresses are shortened to 3+3 characters in the game. */
export function shortAddress(address: string): string {
  return address.length <= 7 ? address : `${address.slice(0, 3)}…${address.slice(-3)}`;
}

/** Milliseconds as "05:07:09", for countdowns shorter than 100 hours. */
export function clock(milliseconds: number): string {
  const seconds = Math.max(0, Math.ceil(milliseconds / 1000));
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  return parts.map((part) => String(part).padStart(2, '0')).join(':');
}

/** "March 4 at 14:30", "4 марта в 14:30": a moment by the player's own clock. */
export function localTime(at: number, language: Language): string {
  return new Intl.DateTimeFormat(language, {
    month: 'long',
    day: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  }).format(at);
}

/** "Mar 4", "4 мар.": the day of that moment, where there is little room. */
export function localDay(at: number, language: Language): string {
  return new Intl.DateTimeFormat(language, { month: 'short', day: 'numeric' }).format(at);
}
