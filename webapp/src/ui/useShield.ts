import { useLayoutEffect, useRef } from 'react';
import styles from './shield.module.css';

/** A little longer than the shield in the styles, milliseconds. */
const shielded = 500;

/** How Base UI asks for a change. */
type Change = { readonly reason: string; readonly cancel: () => void };

/**
 * The second tap of two was meant for what was there before: whatever comes under the finger cannot be touched at first. `shield`
 * goes to what fills the screen around it; `meant` says whether it was dismissed by a tap that came late enough, or otherwise.
 */
export function useShield(open: boolean) {
  const opened = useRef(0);
  // Before the first press can be heard: on a busy phone an effect comes later than that.
  useLayoutEffect(() => {
    if (open) opened.current = performance.now();
  }, [open]);
  const meant = ({ reason, cancel }: Change) => {
    const early = reason === 'outside-press' && performance.now() - opened.current <= shielded;
    if (early) cancel();
    return !early;
  };
  return { shield: styles.shield, meant };
}
