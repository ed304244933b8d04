type Point = readonly [x: number, y: number];
/** Its start, two control points and its end, each as x and y. */
type Curve = readonly [number, number, number, number, number, number, number, number];

/** The dashed trail across a 358 x 34 map, as the curves it is made of. */
const curves: readonly Curve[] = [
  [6, 20, 40, 4, 66, 30, 104, 20],
  [104, 20, 142, 10, 168, 6, 204, 18],
  [204, 18, 240, 30, 270, 30, 300, 16],
  [300, 16, 330, 2, 336, 14, 344, 16],
];

export const trailStart = 6;
export const trailEnd = 344;
export const trailPath = curves.reduce(
  (path, [, , ...rest]) => `${path}C${rest.join(' ')}`,
  `M${trailStart} 20`,
);

/** The marker's position on a day. */
export function trailPoint(day: number, total: number): Point {
  const share = total > 0 ? Math.min(1, Math.max(0, day / total)) : 0;
  const x = trailStart + (trailEnd - trailStart) * share;
  const curve = curves.find((one) => x <= one[6]) ?? curves[curves.length - 1];
  if (!curve) return [x, 20];
  const [x0, y0, x1, y1, x2, y2, x3, y3] = curve;
  // x grows along each curve, so halving finds the place.
  let low = 0;
  let high = 1;
  for (let i = 0; i < 20; i++) {
    const middle = (low + high) / 2;
    if (along(middle, x0, x1, x2, x3) < x) low = middle;
    else high = middle;
  }
  return [x, along(low, y0, y1, y2, y3)];
}

function along(t: number, a: number, b: number, c: number, d: number): number {
  const left = 1 - t;
  return left ** 3 * a + 3 * left ** 2 * t * b + 3 * left * t ** 2 * c + t ** 3 * d;
}
