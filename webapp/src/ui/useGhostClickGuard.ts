import { useLayoutEffect, useRef, useState } from 'react';
import styles from './ghostClickGuard.module.css';

/** From the first frame on, milliseconds. */
const guardedMs = 400;

/**
 * The second tap of two was meant for what was there before, so whatever opens under the finger cannot be touched at first. Ref and
 * class go to what fills the screen around it. A press counts by when it was made: a busy phone delivers it later.
 */
export function useGhostClickGuard(open: boolean) {
  const [up, raise] = useState(open);
  const ref = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    raise(open);
    if (!open) return;
    let loweredAt = Number.POSITIVE_INFINITY;
    const isGhost = ({ timeStamp }: Event) => timeStamp < loweredAt;
    /** Whether the press whose click is still to follow is one. */
    let ghostPress: boolean | null = null;
    let timer: ReturnType<typeof setTimeout> | undefined;
    // On a busy phone the first frame may come after the second tap.
    const frame = requestAnimationFrame(() => {
      timer = setTimeout(() => {
        loweredAt = performance.now();
        raise(false);
      }, guardedMs);
    });
    const press = (event: Event) => {
      ghostPress = isGhost(event);
    };
    const click = (event: MouseEvent) => {
      const ghost = ghostPress ?? isGhost(event);
      ghostPress = null;
      if (!ghost || !ref.current?.contains(event.target as Node)) return;
      if (event.detail === 0) return; // a key's click has no count
      event.preventDefault();
      event.stopPropagation();
    };
    addEventListener('pointerdown', press, true);
    addEventListener('click', click, true);
    return () => {
      cancelAnimationFrame(frame);
      clearTimeout(timer);
      removeEventListener('pointerdown', press, true);
      removeEventListener('click', click, true);
    };
  }, [open]);
  return { ref, className: up ? styles.guard : undefined };
}
