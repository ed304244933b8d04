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
  /** Counts from the last value to this one, such as after a claim; what it opens with stands at once. */
  countUp?: boolean;
  /** Where the count begins when it opens. */
  from?: number;
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
  const { decimals = asset === 'points' ? 0 : 2, spoken, from = value, className } = rest;
  const { i18n } = useTranslation();
  const shown = useCount(value, countUp, from);
  const { sign, integer, decimals: tail } = splitNumber(shown, decimals, i18n.language);
  const said = splitNumber(spoken ?? value, decimals, i18n.language);
  return (
    <div className={cx(styles.hero, asset && styles[asset], center && styles.center, className)}>
      {asset && asset !== 'points' && <img src={assetArt[asset]} alt="" />}
      <span aria-hidden="true">
        {sign || (signed && value > 0 ? '+' : '')}
        {unit}
        {integer}
        {unit ? tail : tail && <span className={styles.decimals}>{tail}</span>}
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
