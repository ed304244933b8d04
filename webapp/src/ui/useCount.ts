import { useEffect, useRef, useState } from 'react';
import { milliseconds } from './milliseconds';

/** The value on its way from the last one, over the time the motion tokens give a count; at first from `opening`. */
export function useCount(value: number, moving: boolean, opening = value): number {
  const [shown, show] = useState(opening);
  const from = useRef(opening);
  useEffect(() => {
    const start = from.current;
    const length = moving && start !== value ? milliseconds('--d-count') : 0;
    if (length < 50) {
      from.current = value;
      show(value);
      return;
    }
    const [least, most] = start < value ? [start, value] : [value, start];
    let began: number | null = null;
    let frame = requestAnimationFrame(function step(now) {
      began ??= now; // the frame may have begun before this effect ran
      const left = 1 - Math.min(1, (now - began) / length);
      const reached = left === 0 ? value : start + (value - start) * (1 - left ** 5); // as --e-out runs
      from.current = Math.min(most, Math.max(least, reached)); // floats overshoot
      show(from.current);
      if (left > 0) frame = requestAnimationFrame(step);
    });
    return () => cancelAnimationFrame(frame);
  }, [value, moving]);
  return moving ? shown : value;
}
