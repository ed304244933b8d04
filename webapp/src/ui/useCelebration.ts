import { useEffect, useRef, useState } from 'react';
import { haptics } from '../telegram';
import { rain } from './rain';

/** `small`: felt. `big`: pieces fly off the burst. `huge`: they rain over everything, after a heavy blow. */
export type Size = 'small' | 'big' | 'huge';

/** From the heavy blow to the success, milliseconds. */
const afterBlow = 400;

/** What is felt, and heard where sounds are on, of a win; the rain of a huge one is seen beside it. */
export function celebrate(size: Size, pictures: readonly string[], delay = 0): void {
  if (size !== 'huge') {
    haptics.notify('success');
    return;
  }
  rain(pictures, delay);
  setTimeout(() => haptics.impact('heavy'), delay);
  setTimeout(() => haptics.notify('success'), delay + afterBlow);
}

/**
 * Celebrates what a modal or a drawer shows once, however often it gives way to an ad; null while it shows nothing. The
 * answer is what was celebrated before it was shown this time: nothing flies off that any more.
 */
export function useCelebration<Key>(shown: Key | null, begin: () => void): Key | null {
  const [before, setBefore] = useState<Key | null>(null);
  const felt = useRef<Key | null>(null);
  const latest = useRef(begin);
  latest.current = begin;
  useEffect(() => {
    if (shown === null) return setBefore(felt.current);
    if (felt.current === shown) return;
    felt.current = shown;
    latest.current();
  }, [shown]);
  return before;
}
