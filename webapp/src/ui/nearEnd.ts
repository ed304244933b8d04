import { type RefObject, useEffect, useRef } from 'react';

/** Spec §9: how much of the rows is scrolled past when the next page is due. */
const threshold = 0.8;
/** Spec §9: the throttle of scroll events, milliseconds. */
const pace = 150;

/**
 * Calls `onNear` while the lower edge of the box is past the threshold of the content in it, so also when the content
 * does not fill the box. Checked when the player scrolls and when the content changes; without `onNear` never.
 */
export function useNearEnd(
  content: RefObject<HTMLElement | null>,
  box: HTMLElement | null,
  inside: unknown,
  onNear: (() => void) | null,
): void {
  const looked = useRef(Number.NEGATIVE_INFINITY);
  // biome-ignore lint/correctness/useExhaustiveDependencies: changed content is checked again
  useEffect(() => {
    if (!box || !onNear) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const check = () => {
      timer = undefined;
      looked.current = performance.now();
      if (!content.current) return;
      const { top, height } = content.current.getBoundingClientRect();
      if (box.getBoundingClientRect().bottom >= top + height * threshold) onNear();
    };
    const checkSoon = () => {
      timer ??= setTimeout(check, Math.max(0, looked.current + pace - performance.now()));
    };
    checkSoon();
    box.addEventListener('scroll', checkSoon, { passive: true });
    window.addEventListener('resize', checkSoon);
    return () => {
      clearTimeout(timer);
      box.removeEventListener('scroll', checkSoon);
      window.removeEventListener('resize', checkSoon);
    };
  }, [content, box, inside, onNear]);
}
