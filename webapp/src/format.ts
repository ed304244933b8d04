export type Language = 'en' | 'ru';

/** Whole millionths of a coin or a dollar; exact up to nine billion coins. */
export type Micro = number;

/** Amounts arrive as JSON numbers with up to six decimals. Their decimal text is exact; adding them as floats is not. */
export function micro(amount: number): Micro {
  return Number(amount.toFixed(6).replace('.', ''));
}

const grouping = { en: ',', ru: '\u202f' } as const;
const point = { en: '.', ru: ',' } as const;

/** 12480 → "12,480" in English, "12 480" with narrow no-break spaces in Russian. */
export function count(n: number, language: Language): string {
  return String(Math.trunc(n)).replace(/\B(?=(\d{3})+$)/g, grouping[language]);
}

/** An amount in the two sizes it is drawn in: `whole` large, `fraction` (with its point) small. */
export type Figure = { readonly whole: string; readonly fraction: string };

/** Cut, never rounded up: nobody is shown a coin they do not have. `decimals` is 1 to 6. */
export function figure(amount: Micro, decimals: number, language: Language): Figure {
  const digits = String(Math.abs(amount)).padStart(7, '0');
  const sign = amount < 0 ? '−' : '';
  const fraction = digits.slice(-6).slice(0, decimals);
  return {
    whole: sign + count(Number(digits.slice(0, -6)), language),
    fraction: point[language] + fraction,
  };
}

export function amount(value: Micro, decimals: number, language: Language): string {
  const { whole, fraction } = figure(value, decimals, language);
  return whole + fraction;
}

/** Spec §9: wallet addresses are shortened to 3+3 characters in the game. */
export function shortAddress(address: string): string {
  return address.length <= 7 ? address : `${address.slice(0, 3)}…${address.slice(-3)}`;
}

/** The letter of a player without a picture. */
export function initial(name: string): string {
  return (Array.from(name.trim())[0] ?? '?').toUpperCase();
}

/** Milliseconds as "05:07:09", for countdowns shorter than 100 hours. */
export function clock(milliseconds: number): string {
  const seconds = Math.max(0, Math.ceil(milliseconds / 1000));
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  return parts.map((part) => String(part).padStart(2, '0')).join(':');
}
