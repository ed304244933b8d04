import { encode } from 'uqr';

export type Qr = {
  /** Modules a side, without the quiet zone. */
  size: number;
  /** One square for each dark module. */
  path: string;
  /** Modules a side of the cleared square in the middle, for the coin. */
  clearing: number;
};

/**
 * A code with its middle left clear for the coin. The correction survives a quarter of the code missing, or more where the
 * size allows it for nothing; the clearing is under 8 %.
 */
export function qr(url: string): Qr {
  const { data, size } = encode(url, { ecc: 'Q', boostEcc: true, border: 0 });
  const clearing = oddAtMost(size * 0.27);
  const from = (size - clearing) / 2;
  const clear = (n: number) => n >= from && n < from + clearing;
  let path = '';
  data.forEach((row, y) => {
    row.forEach((dark, x) => {
      if (dark && !(clear(x) && clear(y))) path += `M${x} ${y}h1v1h-1z`;
    });
  });
  return { size, path, clearing };
}

function oddAtMost(n: number): number {
  const integer = Math.floor(n);
  return integer % 2 === 1 ? integer : integer - 1;
}
