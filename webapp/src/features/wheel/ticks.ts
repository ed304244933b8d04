import { type Path, step } from './turn';

/** The look's easing of the wheel: control points of a cubic Bézier from 0, 0 to 1, 1. */
const bezier = { x1: 0.12, y1: 0.72, x2: 0.08, y2: 1 };

export const easing = `cubic-bezier(${bezier.x1}, ${bezier.y1}, ${bezier.x2}, ${bezier.y2})`;

/** The look: at most 12 ticks a second. Milliseconds. */
const pace = 1000 / 12;

/** When a peg passes the pointer, in milliseconds from the start; where they pass too quickly, only some of them. */
export function ticks({ from, to, duration }: Path): number[] {
  const times: number[] = [];
  let last = Number.NEGATIVE_INFINITY;
  for (let peg = firstPeg(from); peg < to; peg += step) {
    const time = duration * timeOf((peg - from) / (to - from));
    if (time - last < pace) continue;
    times.push(time);
    last = time;
  }
  return times;
}

/** The pegs stand on the borders, half a segment beside the middles. */
function firstPeg(from: number): number {
  return (Math.floor((from - step / 2) / step) + 1) * step + step / 2;
}

/** At which share of the time this share of the way is done. The curve only ever rises, so it can be halved towards. */
function timeOf(progress: number): number {
  let [low, high] = [0, 1];
  for (let n = 0; n < 40; n += 1) {
    const middle = (low + high) / 2;
    if (curve(middle, bezier.y1, bezier.y2) < progress) low = middle;
    else high = middle;
  }
  return curve(low, bezier.x1, bezier.x2);
}

function curve(s: number, first: number, second: number): number {
  const left = 1 - s;
  return 3 * left * left * s * first + 3 * left * s * s * second + s * s * s;
}
