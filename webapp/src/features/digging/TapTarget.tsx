import { type CSSProperties, type MouseEvent, type PointerEvent, type ReactNode, useRef } from 'react';
import { haptics } from '../../telegram';
import { cx } from '../../ui/cx';
import type { TapResult } from './TapCounter';
import { TapEffects } from './TapEffects';
import styles from './TapTarget.module.css';

type Props = {
  art: string;
  label: string;
  /** What one tap brings; floats off the target. */
  reward: string;
  /** The picture of what leaps out with each tap. */
  piece: string;
  onTap: () => TapResult | { is: 'locked' };
  /** `click`: the tap opens a modal, which must not appear under a finger that is still down. */
  tapOn?: 'pointerdown' | 'click';
  disabled?: boolean;
  /** There is nothing to tap. */
  empty: boolean;
  className?: string | undefined;
  targetClassName?: string | undefined;
  /** Lies over the target, and is pressed with it. */
  overlay?: ReactNode;
  /** Stands below the target. */
  children: ReactNode;
};

/** The bag or the ore. A tap is drawn straight into the page, so that React does not render for it. */
export function TapTarget(props: Props) {
  const { reward, onTap, tapOn = 'pointerdown' } = props;
  const stage = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const effects = useRef<TapEffects>(null);

  function tap(x: number, y: number) {
    const result = onTap();
    if (stage.current && button.current)
      effects.current ??= new TapEffects(stage.current, button.current, styles);
    if (result.is === 'counted') {
      haptics.impact('light');
      effects.current?.show(x, y, `+${reward}`);
    } else if (result.is === 'too soon') {
      effects.current?.ripple(x, y);
    } else if (result.is === 'no energy' && result.first) {
      haptics.notify('warning');
    }
  }

  // Each finger is a pointer of its own and may tap in turn; one within 100 ms of another is ignored (spec §4 and §9).
  function press(event: PointerEvent) {
    if (event.button === 0 && tapOn === 'pointerdown') tap(event.clientX, event.clientY);
  }

  // A keyboard or a screen reader clicks without a pointer.
  function click(event: MouseEvent<HTMLButtonElement>) {
    if (event.detail > 0 && tapOn === 'pointerdown') return;
    const box = event.currentTarget.getBoundingClientRect();
    tap(box.left + box.width / 2, box.top + box.height / 3);
  }

  return (
    <div
      ref={stage}
      className={cx(styles.stage, props.className, props.empty && styles.empty)}
      style={{ '--piece': `url("${props.piece}")` } as CSSProperties}
    >
      <button
        ref={button}
        type="button"
        className={cx(styles.target, props.targetClassName)}
        aria-label={props.label}
        disabled={props.disabled}
        onPointerDown={press}
        onClick={click}
        onKeyDown={(event) => event.repeat && event.preventDefault()}
        onContextMenu={(event) => event.preventDefault()}
      >
        <img src={props.art} alt="" draggable={false} />
        {props.overlay}
      </button>
      {props.children}
    </div>
  );
}
