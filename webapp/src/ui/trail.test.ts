import { expect, it } from 'vitest';
import { trailEnd, trailPoint, trailStart } from './trail';

it('starts at the left and ends at the X', () => {
  expect(trailPoint(0, 90)[0]).toBe(trailStart);
  expect(trailPoint(90, 90)[0]).toBe(trailEnd);
});

it('stays on the map on days that are not in the season', () => {
  expect(trailPoint(-3, 90)).toEqual(trailPoint(0, 90));
  expect(trailPoint(400, 90)).toEqual(trailPoint(90, 90));
  expect(trailPoint(5, 0)).toEqual(trailPoint(0, 90));
});

it('walks forward every day and never leaves the line', () => {
  for (let day = 1; day <= 90; day++) {
    const [x, y] = trailPoint(day, 90);
    expect(x).toBeGreaterThan(trailPoint(day - 1, 90)[0]);
    expect(y).toBeGreaterThan(6);
    expect(y).toBeLessThan(28);
  }
});

it('passes through the joints of the drawing', () => {
  // The second curve ends at 204, 18, which is 198/338 of the way.
  expect(trailPoint(198, 338)[1]).toBeCloseTo(18, 1);
});
