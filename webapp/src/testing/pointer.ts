import { normalizeAngle, segments, step } from '../features/wheel/turn';

/** The segment at the pointer of a wheel that is turned by so many degrees. */
export function segmentAt(angle: number): number {
  return Math.floor(normalizeAngle(step / 2 - angle) / step) % segments;
}
