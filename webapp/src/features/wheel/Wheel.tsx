import { observer } from 'mobx-react-lite';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useRoot } from '../../app/RootContext';
import coin from '../../art/coin.svg';
import { Disc } from './Disc';
import { play } from './motion';
import { bed, goldenPaints, pointer as hand, wood } from './paints';
import styles from './Wheel.module.css';

/** The lights on the rim: two to a segment, between its middle and its borders. */
const lights = Array.from({ length: 20 }, (_, light) => {
  const angle = ((light * 18 + 9) * Math.PI) / 180;
  const [x, y] = [200 + 185 * Math.sin(angle), 200 - 185 * Math.cos(angle)];
  return { x: x.toFixed(1), y: y.toFixed(1), paint: light % 2 };
});

export const Wheel = observer(function Wheel() {
  const { wheel } = useRoot();
  const { t } = useTranslation();
  const disc = useRef<SVGSVGElement>(null);
  const pointer = useRef<SVGSVGElement>(null);
  const { turn } = wheel;
  const paints = wheel.isGolden ? goldenPaints : wood;

  useEffect(() => {
    if (turn.is !== 'turning' || !disc.current?.animate || !pointer.current) return;
    return play(disc.current, pointer.current, turn.path, performance.now() - turn.since);
  }, [turn]);

  return (
    <div role="img" aria-label={t('nav.wheel')} className={styles.wheel}>
      <svg viewBox="0 0 400 412" aria-hidden="true" className={styles.layer}>
        <ellipse cx="200" cy="394" rx="150" ry="16" opacity=".4" />
        <circle cx="200" cy="207" r="196" fill={paints.edge} />
        <circle cx="200" cy="200" r="196" fill={paints.rim} />
        <path d="M200 4A196 196 0 0 0 61 339L339 61A196 196 0 0 0 200 4Z" fill={paints.rimLit} />
        <circle cx="200" cy="200" r="175" fill={bed} />
        {lights.map(({ x, y, paint }) => (
          <circle key={`${x} ${y}`} cx={x} cy={y} r="5" fill={paints.lights[paint]} />
        ))}
      </svg>
      <div className={styles.bed}>
        <Disc ref={disc} golden={wheel.isGolden} angle={wheel.angle} />
      </div>
      <svg viewBox="0 0 400 412" aria-hidden="true" className={styles.layer}>
        <circle cx="200" cy="200" r="172" fill="none" stroke="black" strokeOpacity=".25" strokeWidth="5" />
        <circle cx="200" cy="205" r="44" fill={bed} opacity=".55" />
        <circle cx="200" cy="200" r="43" fill={paints.rim} />
        <image href={coin} x="162" y="163" width="76" height="76" />
      </svg>
      <svg ref={pointer} viewBox="175 -8 50 66" aria-hidden="true" className={styles.pointer}>
        <path d="M200 54 179 14Q179 0 200 0T221 14Z" fill={hand.edge} />
        <path d="M200 50 179 10Q179-4 200-4Z" fill={hand.lit} />
        <path d="M200 50 221 10Q221-4 200-4Z" fill={hand.shaded} />
        <circle cx="200" cy="12" r="6" fill={hand.pin} />
      </svg>
    </div>
  );
});
