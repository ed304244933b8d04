import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type Asset, assetArt } from './Amount';
import { cx } from './cx';
import { figure } from './figures';
import styles from './HeroAmount.module.css';
import text from './text.module.css';

type Props = {
  /** Without an asset the figure stands alone, such as a price with its `unit`. */
  asset?: Asset;
  value: number;
  decimals?: number;
  signed?: boolean;
  /** Written before the figure: the $ of a price, whose decimals are as large as the rest. */
  unit?: string;
  /** Counts from the last value to this one; for a claim, never for a balance at rest. */
  countUp?: boolean;
  /** The value a screen reader is told when it changes, such as the balance after a sync; by default nothing is. */
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
  center = false,
  ...rest
}: Props) {
  const { decimals = asset === 'points' ? 0 : 2, spoken, className } = rest;
  const { i18n } = useTranslation();
  const shown = useCount(value, countUp);
  const { sign, whole, decimals: tail } = figure(shown, decimals, i18n.language);
  const said = figure(spoken ?? value, decimals, i18n.language);
  return (
    <div className={cx(styles.hero, asset && styles[asset], center && styles.center, className)}>
      {asset && asset !== 'points' && <img src={assetArt[asset]} alt="" />}
      <span aria-hidden="true">
        {sign || (signed && value > 0 ? '+' : '')}
        {unit}
        {whole}
        {unit ? tail : tail && <span className={styles.decimals}>{tail}</span>}
      </span>
      <span className={text.unseen} aria-live={spoken === undefined ? undefined : 'polite'}>
        {said.sign}
        {unit}
        {said.whole}
        {said.decimals}
      </span>
    </div>
  );
}

/** The value on its way from the last one, over the time the motion tokens give a count. */
function useCount(value: number, moving: boolean): number {
  const [shown, show] = useState(value);
  const from = useRef(value);
  useEffect(() => {
    const start = from.current;
    const length = moving && start !== value ? countLength() : 0;
    if (length < 50) {
      from.current = value;
      show(value);
      return;
    }
    const began = performance.now();
    let frame = requestAnimationFrame(function step(now) {
      const left = 1 - Math.min(1, (now - began) / length);
      from.current = left === 0 ? value : value - (value - start) * left ** 3;
      show(from.current);
      if (left > 0) frame = requestAnimationFrame(step);
    });
    return () => cancelAnimationFrame(frame);
  }, [value, moving]);
  return moving ? shown : value;
}

/** Milliseconds; next to nothing when the player asked for less motion. */
function countLength(): number {
  const token = getComputedStyle(document.documentElement).getPropertyValue('--d-count').trim();
  return (Number.parseFloat(token) || 0) * (token.endsWith('ms') ? 1 : 1000);
}
