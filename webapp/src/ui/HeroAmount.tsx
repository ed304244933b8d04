import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { type Asset, assetArt } from './Amount';
import { cx } from './cx';
import { splitNumber } from './figures';
import styles from './HeroAmount.module.css';
import text from './text.module.css';
import { useCount } from './useCount';

type Props = {
  /** Without an asset the figure stands alone, such as a price with its `unit`. */
  asset?: Asset;
  value: number;
  decimals?: number;
  signed?: boolean;
  /** Written before the figure: the $ of a price, whose decimals are as large as the rest. */
  unit?: string;
  /** Counts from the last value to this one, such as after a claim; the first value is shown at once. */
  countUp?: boolean;
  /** Where the count begins when it opens. */
  from?: number;
  /** The digits that a new value has changed jump, such as with each tap. */
  lively?: boolean;
  /** The value that a screen reader announces when it changes, such as the balance after a sync; by default none. */
  spoken?: number;
  center?: boolean;
  className?: string | undefined;
};

/** The largest figure on a screen: the balance, a price, a win. */
export function HeroAmount({
  asset,
  value,
  signed = false,
  unit = '',
  countUp = false,
  lively = false,
  center = false,
  ...rest
}: Props) {
  const { decimals = asset === 'points' ? 0 : 2, spoken, from = value, className } = rest;
  const { i18n } = useTranslation();
  const shown = useCount(value, countUp, from);
  const { sign, integer, decimals: tail } = splitNumber(shown, decimals, i18n.language);
  const said = splitNumber(spoken ?? value, decimals, i18n.language);
  return (
    <div className={cx(styles.hero, asset === 'points' && styles.points, center && styles.center, className)}>
      {asset && asset !== 'points' && <img src={assetArt[asset]} alt="" />}
      <span aria-hidden="true">
        {sign || (signed && value > 0 ? '+' : '')}
        {unit}
        {lively ? <Lively integer={integer} tail={tail} /> : integer}
        {!lively && (unit ? tail : tail && <span className={styles.decimals}>{tail}</span>)}
      </span>
      <span className={text.unseen} aria-live={spoken === undefined ? undefined : 'polite'}>
        {said.sign}
        {unit}
        {said.integer}
        {said.decimals}
      </span>
    </div>
  );
}

/** How many characters two figures begin with alike; one that is longer or shorter is new as a whole. */
function alike(one: string, other: string): number {
  if (one.length !== other.length) return 0;
  let at = 0;
  while (at < one.length && one[at] === other[at]) at += 1;
  return at;
}

/** A figure whose changed digits jump: a new key restarts the CSS animation without a forced layout. */
function Lively({ integer, tail }: { integer: string; tail: string }) {
  const digits = integer + tail;
  const last = useRef({ digits, from: digits.length, turn: 0 });
  if (last.current.digits !== digits)
    last.current = { digits, from: alike(last.current.digits, digits), turn: last.current.turn + 1 };
  const { from, turn } = last.current;
  const jump = (changed: string) =>
    changed && (
      <span key={turn} className={styles.jump}>
        {changed}
      </span>
    );
  const at = from - integer.length;
  return (
    <>
      {integer.slice(0, from)}
      {jump(integer.slice(from))}
      <span className={styles.decimals}>
        {tail.slice(0, Math.max(0, at))}
        {jump(tail.slice(Math.max(0, at)))}
      </span>
    </>
  );
}
