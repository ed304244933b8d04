import { useEffect, useRef, useState } from 'react';
import { haptics } from '../telegram';
import { rain } from './rain';

/** `small`: felt. `big`: pieces fly off the burst. `huge`: they rain over everything, after a heavy blow. */
export type Size = 'small' | 'big' | 'huge';

/** From the heavy blow to the success, milliseconds. */
const afterBlow = 400;

/** The haptics of a win, the sounds that follow them, and the rain of a huge one. */
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
 * Calls `begin` once for each `shown` key, however often an ad's modal covers it; null while nothing is shown. Returns the
 * key that was celebrated before: its pieces do not fly again.
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
