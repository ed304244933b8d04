import { segments, step, upright } from '../features/wheel/turn';

/** The segment at the pointer of a wheel that is turned by so many degrees. */
export function segmentAt(angle: number): number {
  return Math.floor(upright(step / 2 - angle) / step) % segments;
}
