type Point = readonly [x: number, y: number];
type Curve = readonly [Point, Point, Point, Point];

/** The dashed trail across a 358 x 34 map, as the curves it is made of. */
const curves: readonly Curve[] = [
  [
    [6, 20],
    [40, 4],
    [66, 30],
    [104, 20],
  ],
  [
    [104, 20],
    [142, 10],
    [168, 6],
    [204, 18],
  ],
  [
    [204, 18],
    [240, 30],
    [270, 30],
    [300, 16],
  ],
  [
    [300, 16],
    [330, 2],
    [336, 14],
    [344, 16],
  ],
];

export const trailStart = 6;
export const trailEnd = 344;
export const trailPath = curves.reduce(
  (path, [, a, b, end]) => `${path}C${a.join(' ')} ${b.join(' ')} ${end.join(' ')}`,
  `M${trailStart} 20`,
);

/** The marker's position on a day. */
export function trailPoint(day: number, total: number): Point {
  const share = total > 0 ? Math.min(1, Math.max(0, day / total)) : 0;
  const x = trailStart + (trailEnd - trailStart) * share;
  const curve = curves.find(([, , , end]) => x <= end[0]) ?? curves[curves.length - 1];
  if (!curve) return [x, 20];
  // x grows along each curve, so halving finds the place.
  let low = 0;
  let high = 1;
  for (let i = 0; i < 20; i++) {
    const middle = (low + high) / 2;
    if (along(curve, middle, 0) < x) low = middle;
    else high = middle;
  }
  return [x, along(curve, low, 1)];
}

function along([a, b, c, d]: Curve, t: number, axis: 0 | 1): number {
  const left = 1 - t;
  return left ** 3 * a[axis] + 3 * left ** 2 * t * b[axis] + 3 * left * t ** 2 * c[axis] + t ** 3 * d[axis];
}
