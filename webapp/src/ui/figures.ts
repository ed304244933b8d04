/** How figures look on every screen. Amounts come from the server as exact decimals and are only cut, never rounded up. */
export type Figure = { sign: '' | '−'; integer: string; decimals: string };

const separators: Record<string, { group: string; point: string }> = {
  en: { group: ',', point: '.' },
  // A no-break space; the fonts have no narrow one.
  ru: { group: '\u00a0', point: ',' },
};

/**
 * Splits an amount into a grouped whole part and exactly `places` decimals with their point, which are drawn smaller.
 * `trim` leaves the decimals out when they are all zero.
 */
export function splitNumber(value: number, places: number, language = 'en', trim = false): Figure {
  const { group, point } = separators[language.slice(0, 2)] ?? { group: ',', point: '.' };
  const plain = decimal(Math.abs(value));
  const [digits = '0', tail = ''] = plain.split('.');
  const cut = tail.padEnd(places, '0').slice(0, places);
  const nothing = !/[1-9]/.test(cut);
  return {
    sign: value < 0 && !(nothing && /^0+$/.test(digits)) ? '−' : '',
    integer: digits.replace(/\B(?=(\d{3})+$)/g, group),
    decimals: places === 0 || (trim && nothing) ? '' : point + cut,
  };
}

/** The shortest decimal that is this number: 0.1 + 0.2 aside, what the server wrote. Never in powers of ten. */
function decimal(value: number): string {
  if (!Number.isFinite(value)) return '0';
  const shortest = String(value);
  return shortest.includes('e') ? value.toFixed(9) : shortest;
}
