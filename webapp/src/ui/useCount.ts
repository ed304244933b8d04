import { useEffect, useRef, useState } from 'react';

/** The value on its way from the last one, over the time the motion tokens give a count. */
export function useCount(value: number, moving: boolean): number {
  const [shown, show] = useState(value);
  const from = useRef(value);
  useEffect(() => {
    const start = from.current;
    const length = moving && start !== value ? countLength() : 0;
    if (length < 50) {
      from.current = value;
      show(value);
      return;
    }
    const began = performance.now();
    let frame = requestAnimationFrame(function step(now) {
      const left = 1 - Math.min(1, (now - began) / length);
      from.current = left === 0 ? value : value - (value - start) * left ** 3;
      show(from.current);
      if (left > 0) frame = requestAnimationFrame(step);
    });
    return () => cancelAnimationFrame(frame);
  }, [value, moving]);
  return moving ? shown : value;
}

/** Milliseconds; next to nothing when the player asked for less motion. */
function countLength(): number {
  const token = getComputedStyle(document.documentElement).getPropertyValue('--d-count').trim();
  return (Number.parseFloat(token) || 0) * (token.endsWith('ms') ? 1 : 1000);
}
