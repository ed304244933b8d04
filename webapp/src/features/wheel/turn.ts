/** Spec §9: ten segments, the first at the pointer while the wheel is not turned, the others clockwise. Degrees. */
export const segments = 10;
export const step = 360 / segments;

/** Spec §9: a spin's duration, milliseconds, and its extra turns. */
const ordinary = { duration: 5000, least: 5, most: 10 };
const golden = { duration: 7000, least: 7, most: 10 };

/** With reduced motion the wheel fades to its result; milliseconds. */
const fade = 300;

/** The minimum distance of the pointer from a border, degrees. */
const margin = 4;

/** The way of one spin, in degrees clockwise and milliseconds. */
export type Path = { readonly from: number; readonly to: number; readonly duration: number };

type Wish = {
  /** The wheel's angle, degrees. */
  readonly from: number;
  readonly segment: number;
  readonly golden: boolean;
  /** The player asked for less motion. */
  readonly prefersReducedMotion: boolean;
  /** From 0 up to 1, as Math.random. */
  readonly random: () => number;
};

/** The path from the wheel's angle to a random angle within a segment, after extra turns. */
export function pathTo({ from, segment, golden: isGolden, prefersReducedMotion, random }: Wish): Path {
  const { duration, least, most } = isGolden ? golden : ordinary;
  const rotations = least + Math.floor(random() * (most - least + 1));
  const place = (2 * random() - 1) * (step / 2 - margin);
  const rest = normalizeAngle(place - segment * step - from);
  return { from, to: from + 360 * rotations + rest, duration: prefersReducedMotion ? fade : duration };
}

/** The same direction, from 0 up to 360 degrees. */
export function normalizeAngle(angle: number): number {
  const rest = angle % 360;
  return rest < 0 ? rest + 360 : rest;
}
