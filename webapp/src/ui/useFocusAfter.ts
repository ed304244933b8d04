import { type RefObject, useLayoutEffect, useRef } from 'react';

/**
 * Where the focus goes when what lay over a screen leaves: back to what opened it, or to the screen where that went away
 * meanwhile, or was the screen itself, whose first button nobody has chosen. What has the focus by then, such as what
 * opened in its place, keeps it. For Base UI's `finalFocus`.
 */
export function useFocusAfter(open: boolean, popup: RefObject<HTMLElement | null>): () => boolean {
  const opener = useRef<Element | null>(null);
  useLayoutEffect(() => {
    if (open) opener.current = document.activeElement;
  }, [open]);
  return () => {
    const now = document.activeElement;
    if (now && now !== document.body && !popup.current?.contains(now)) return false;
    const back = opener.current;
    if (back?.isConnected && back !== document.body && back.tagName !== 'MAIN') return true;
    document.querySelector('main')?.focus({ preventScroll: true });
    return false;
  };
}
