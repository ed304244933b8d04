import { useLayoutEffect, useRef, useState } from 'react';
import styles from './ghostClickGuard.module.css';

/** From the first frame on, milliseconds. */
const guardedMs = 400;

/** How Base UI asks for a change. */
type Change = { readonly reason: string; readonly cancel: () => void };

/**
 * The second tap of two was meant for what was there before: whatever comes under the finger cannot be touched at first. `guard`
 * goes to what fills the screen around it; `isIntended` says whether it was dismissed by a press that began late enough, or otherwise.
 */
export function useGhostClickGuard(open: boolean) {
  const [up, raise] = useState(open);
  /** Whether the last press began while the guard was up, or even before. */
  const early = useRef(true);
  useLayoutEffect(() => {
    raise(open);
    if (!open) return;
    early.current = true;
    let standing = true;
    let timer: ReturnType<typeof setTimeout> | undefined;
    // On a busy phone the first frame may come after the second tap.
    const frame = requestAnimationFrame(() => {
      timer = setTimeout(() => {
        standing = false;
        raise(false);
      }, guardedMs);
    });
    const press = () => {
      early.current = standing;
    };
    addEventListener('pointerdown', press, true);
    return () => {
      cancelAnimationFrame(frame);
      clearTimeout(timer);
      removeEventListener('pointerdown', press, true);
    };
  }, [open]);
  const isIntended = ({ reason, cancel }: Change) => {
    const stray = reason === 'outside-press' && early.current;
    if (stray) cancel();
    return !stray;
  };
  return { guard: up ? styles.guard : undefined, isIntended };
}
