import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { oneTon } from './amount';
import { coinsFor, percentSold, worth } from './coins';
import { left } from './left';
import { addressIn } from './link';

describe('coins for TON', () => {
  it('are what the pages say: 5 TON at 2.50 and 0.0050 bring 2500', () => {
    expect(coinsFor(5n * oneTon, 2_500_000, 5000)).toBe(2_500_000_000);
    expect(worth(2_500_000_000, 5000)).toBe(12_500_000);
  });

  it('are never one too many nor one too few, over the whole range', () => {
    const figures = [
      fc.bigInt(1n, 10n ** 12n),
      fc.integer({ min: 1, max: 10 ** 8 }),
      fc.integer({ min: 1, max: 10 ** 4 }),
    ] as const;
    fc.assert(
      fc.property(...figures, (nanotons, ton, mcbk) => {
        const coins = BigInt(coinsFor(nanotons, ton, mcbk));
        fc.pre(coins <= BigInt(Number.MAX_SAFE_INTEGER));
        const paid = nanotons * BigInt(ton);
        const price = 1000n * BigInt(mcbk);
        // The most coins that are paid for: these are, one more would not be.
        expect(coins * price <= paid && (coins + 1n) * price > paid).toBe(true);
      }),
      { numRuns: 5000 },
    );
  });

  it('are none at no price', () => {
    expect(coinsFor(oneTon, 2_500_000, 0)).toBe(0);
  });
});

it('the bar stops at 100 %, and is full only when all is sold', () => {
  expect(
    [0, 18_402_118, 29_999_999.9, 30_000_000, 41_000_000].map((sold) => percentSold(sold, 30_000_000)),
  ).toEqual([0, 61, 99, 100, 100]);
});

describe('a countdown', () => {
  it('counts days, hours, minutes and seconds down to nothing, and stays there', () => {
    expect(left(86_400_000 * 7 + 21 * 3_600_000 + 48 * 60_000 + 9000)).toEqual({
      days: 7,
      hours: 21,
      minutes: 48,
      seconds: 9,
    });
    expect(left(1)).toEqual({ days: 0, hours: 0, minutes: 0, seconds: 1 });
    expect([left(0), left(-5000)]).toEqual(Array(2).fill({ days: 0, hours: 0, minutes: 0, seconds: 0 }));
  });
});

it('the address is read out of a payment link, and out of nothing else', () => {
  const address = 'UQBvQ8m1tttttttttttttttttttttttttttttttttttttttt';
  expect(addressIn(`https://wallet.example/transfer/${address}?amount=1&text=MC-A`)).toBe(address);
  expect(addressIn(`ton://transfer/${address}?amount=1`)).toBe(address);
  expect([addressIn('https://wallet.example/transfer/'), addressIn('no link')]).toEqual([null, null]);
});
