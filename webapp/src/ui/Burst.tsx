import { useEffect, useRef } from 'react';
import styles from './Burst.module.css';
import { cx } from './cx';
import { scatter } from './scatter';
import type { Size } from './useCelebration';

/** Rays from the middle of the picture, in units of the drawing. */
const rays = Array.from({ length: 16 }, (_, ray) => {
  const at = (offset: number) => {
    const angle = ((ray * 22.5 + offset) * Math.PI) / 180;
    return `${(150 + 230 * Math.cos(angle)).toFixed(0)} ${(95 + 230 * Math.sin(angle)).toFixed(0)}`;
  };
  return `M150 95L${at(-4)}L${at(4)}Z`;
});

/** How many pieces fly off. */
const pieces: Readonly<Record<Size, number>> = { small: 5, big: 14, huge: 22 };

type Props = {
  tone: 'gold' | 'jade' | 'ember';
  picture: string;
  size: Size;
  /** As a card; by default the upper half of a modal. */
  inset?: boolean;
};

/** The picture of what was won, for a big win with rays, which rotate for a huge one. */
export function Burst({ tone, picture, size, inset = false }: Props) {
  return (
    <div className={cx(styles.burst, styles[tone], styles[size], inset && styles.inset)}>
      <svg viewBox="0 0 300 190" preserveAspectRatio="xMidYMid slice" aria-hidden="true">
        <path fill="currentColor" d={rays.join('')} />
      </svg>
      <img src={picture} alt="" />
    </div>
  );
}

/** What flies off the burst, over the modal's edge. */
export function BurstPieces({ picture, size, still }: { picture: string; size: Size; still: boolean }) {
  const stage = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (stage.current && !still) scatter(stage.current, [picture], pieces[size], 120);
  }, [picture, size, still]);
  return <div ref={stage} className={styles.pieces} />;
}
