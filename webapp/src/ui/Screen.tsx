import { type ReactNode, useLayoutEffect, useRef } from 'react';
import { cx } from './cx';
import flex from './flex.module.css';
import styles from './Screen.module.css';

type Props = {
  /** The background: map contours, the vault of the bag, the cave of the mines, golden rays. */
  ground?: 'contours' | 'vault' | 'cave' | 'golden';
  /** For screens without the tab bar: no room is left for it. */
  noTabBar?: boolean;
  /** Nothing in it may be pressed: the keyboard scrolls the whole. */
  reading?: boolean;
  /** A `<SheetHandle>` above the tab bar. */
  handle?: ReactNode;
  /** It covers another screen for a moment, which keeps the focus. */
  passing?: boolean;
  /** A bar at the bottom that stays while the rest scrolls, such as the one with Accept. */
  foot?: ReactNode;
  /** Of the part that scrolls. */
  className?: string | undefined;
  children: ReactNode;
};

/** One screen: its ground, the room Telegram's buttons and the phone's edges need, and the part that scrolls. */
export function Screen({
  ground = 'contours',
  noTabBar = false,
  reading = false,
  passing = false,
  handle,
  foot,
  className,
  children,
}: Props) {
  const main = useRef<HTMLElement>(null);
  // A new screen takes the focus, if it was lost or in the tab bar, so that a screen reader announces it.
  useLayoutEffect(() => {
    if (passing) return;
    const focused = document.activeElement;
    if (focused === document.body || focused?.closest('nav')) main.current?.focus({ preventScroll: true });
  }, [passing]);
  return (
    <div className={cx(styles.screen, styles[ground])}>
      <main
        ref={main}
        // What only scrolls must be within reach of the keyboard; above a foot it may hold nothing but words.
        tabIndex={foot === undefined && !reading ? -1 : 0}
        className={cx(
          flex.column,
          flex.roomy,
          styles.main,
          noTabBar && styles.noTabBar,
          handle !== undefined && styles.peeked,
          foot !== undefined && styles.footed,
          className,
        )}
      >
        {children}
      </main>
      {handle}
      {foot !== undefined && <div className={styles.foot}>{foot}</div>}
    </div>
  );
}
