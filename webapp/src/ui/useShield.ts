import { useEffect, useRef } from 'react';
import styles from './shield.module.css';

/** A little longer than the shield in the styles, milliseconds. */
const shielded = 500;

/**
 * The second tap of two was meant for what was there before: whatever comes under the finger cannot be touched at first. `shield`
 * goes to what fills the screen around it; `meant` says whether it was dismissed by a tap that came late enough, or otherwise.
 */
export function useShield(open: boolean) {
  const opened = useRef(0);
  useEffect(() => {
    if (open) opened.current = performance.now();
  }, [open]);
  return {
    shield: styles.shield,
    meant: (reason: string) => reason !== 'outside-press' || performance.now() - opened.current > shielded,
  };
}
