import { useEffect, useRef } from 'react';
import { cx } from '../../ui/cx';
import styles from './Burst.module.css';
import { scatter } from './scatter';

/** Rays from the middle of the picture, in units of the drawing. */
const rays = Array.from({ length: 16 }, (_, ray) => {
  const at = (offset: number) => {
    const angle = ((ray * 22.5 + offset) * Math.PI) / 180;
    return `${(150 + 230 * Math.cos(angle)).toFixed(0)} ${(95 + 230 * Math.sin(angle)).toFixed(0)}`;
  };
  return `M150 95L${at(-4)}L${at(4)}Z`;
});

const pieces = 14;

/** The prize before its rays, over the upper half of the modal. */
export function Burst({ tone, picture }: { tone: 'gold' | 'jade'; picture: string }) {
  return (
    <div className={cx(styles.burst, styles[tone])}>
      <svg viewBox="0 0 300 190" preserveAspectRatio="xMidYMid slice" aria-hidden="true">
        <path fill="currentColor" d={rays.join('')} />
      </svg>
      <img src={picture} alt="" />
    </div>
  );
}

/** What flies off the burst, over the modal's edge. */
export function BurstPieces({ picture, still }: { picture: string; still: boolean }) {
  const stage = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (stage.current && !still) scatter(stage.current, [picture], pieces, 120);
  }, [picture, still]);
  return <div ref={stage} className={styles.pieces} />;
}
