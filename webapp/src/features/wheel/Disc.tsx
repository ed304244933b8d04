import { memo, type Ref } from 'react';
import { useTranslation } from 'react-i18next';
import chest from '../../art/chest.svg';
import coin from '../../art/coin.svg';
import star from '../../art/points.svg';
import { icons } from '../../ui/icons';
import { figures, goldenPaints, type Paint, wood } from './paints';
import { step } from './turn';
import styles from './Wheel.module.css';

/** The wheel's middle and the radius of its segments, in units of the drawing. */
const middle = 200;
const radius = 172;

/** Spec §9: what the wheel shows, in its order. */
const shown: readonly (readonly [
  paint: Paint,
  art: 'chest' | 'points' | 'coin' | 'spin',
  figure?: string,
])[] = [
  ['brick', 'chest'],
  ['jade', 'points', '100'],
  ['gold', 'coin', '2'],
  ['jadeDeep', 'points', '200'],
  ['gold', 'coin', '3'],
  ['jade', 'points', '10'],
  ['cream', 'spin'],
  ['jadeDeep', 'points', '50'],
  ['gold', 'coin', '1'],
  ['jade', 'points', '20'],
];

type Props = {
  ref: Ref<SVGSVGElement>;
  golden: boolean;
  /** How far it is turned while it rests, in degrees. */
  angle: number;
};

/** The rotating layer; it must not change while it turns. */
export function Disc({ ref, golden, angle }: Props) {
  return (
    <svg
      ref={ref}
      viewBox="0 0 400 400"
      className={styles.disc}
      aria-hidden="true"
      style={{ transform: `rotate(${angle}deg)` }}
    >
      <Segments golden={golden} />
    </svg>
  );
}

const Segments = memo(function Segments({ golden }: { golden: boolean }) {
  const { t } = useTranslation();
  const { halves, border, halo } = golden ? goldenPaints : wood;
  return (
    <>
      {shown.map(([paint, ...prize], segment) => (
        <g key={prize.join()}>
          <path fill={halves[paint].lit} d={wedge(segment - 0.5, segment)} />
          <path fill={halves[paint].shaded} d={wedge(segment, segment + 0.5)} />
        </g>
      ))}
      {shown.map((prize, segment) => (
        <path
          key={prize.join()}
          stroke={border}
          strokeWidth="3"
          d={`M${middle} ${middle}L${rim(segment - 0.5)}`}
        />
      ))}
      {shown.map(([, art, value], segment) => (
        <g key={`${art} ${value}`} transform={`rotate(${segment * step} ${middle} ${middle})`}>
          {art === 'chest' && <image href={chest} x="170" y="54" width="60" height="60" />}
          {art === 'points' && <image href={star} x="185" y="72" width="30" height="30" />}
          {art === 'coin' && (
            <>
              <circle cx="200" cy="88" r="19" fill={halo} opacity=".55" />
              <image href={coin} x="183" y="70" width="34" height="34" />
            </>
          )}
          {art === 'spin' && (
            <>
              <text x="200" y="52" className={styles.words} fill={figures.onGold}>
                {t('wheel.bonus_over')}
              </text>
              <text x="200" y="66" className={styles.words} fill={figures.onGold}>
                {t('wheel.bonus_under')}
              </text>
              <path transform="translate(184 72) scale(.125)" fill={figures.again} d={icons.retry} />
            </>
          )}
          {value && (
            <text
              x="200"
              y="64"
              className={styles.figure}
              fill={art === 'coin' ? figures.onGold : figures.onJade}
            >
              {value}
            </text>
          )}
        </g>
      ))}
    </>
  );
});

/** From the middle to the rim between two places, counted in segments clockwise from the top. */
function wedge(from: number, to: number): string {
  return `M${middle} ${middle}L${rim(from)}A${radius} ${radius} 0 0 1 ${rim(to)}Z`;
}

function rim(place: number): string {
  const angle = (place * step * Math.PI) / 180;
  return `${(middle + radius * Math.sin(angle)).toFixed(1)} ${(middle - radius * Math.cos(angle)).toFixed(1)}`;
}
