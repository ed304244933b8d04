import { expect, it } from 'vitest';
import { nanotons } from './amount';
import { clampStars, coinsForStars, starPresets, starsFor } from './stars';

it.each([
  [{ min: 1, max: 10_000 }, [50, 100, 250, 500, 1000, 2500]],
  [{ min: 75, max: 600 }, [75, 100, 250, 500, 600]],
  [{ min: 5000, max: 10_000 }, [5000]],
  [{ min: 1, max: 20 }, [20]],
])('within %o the amounts are %o', (bounds, amounts) => {
  expect(starPresets(bounds)).toEqual(amounts);
  expect(amounts).toContain(clampStars(100, bounds));
});

it.each([
  [500, 13_000, 5000, 1_300_000_000],
  [1, 13_000, 7000, 1_857_142],
  [10_000, 13_000, 3, 43_333_333_333_333],
  [100, 13_000, 0, 0],
])('%d Stars at %d bring coins at %d, rounded down', (stars, star, mcbk, coins) => {
  expect(coinsForStars(stars, star, mcbk)).toBe(coins);
});

it.each([
  [1, 2_500_000, 13_000, 193],
  [1.5, 2_500_000, 13_000, 289],
  [0.0052, 2_500_000, 13_000, 1],
  [0.005200001, 2_500_000, 13_000, 2],
])('%d TON at %d are Stars at %d, rounded up', (ton, usd, star, stars) => {
  expect(starsFor(nanotons(ton), usd, star)).toBe(stars);
});
