import { useTranslation } from 'react-i18next';
import coin from '../art/coin.svg';
import points from '../art/points.svg';
import star from '../art/star.svg';
import ton from '../art/ton.svg';
import styles from './Amount.module.css';
import { cx } from './cx';
import { splitNumber } from './figures';

export type Asset = 'coin' | 'points' | 'ton' | 'star';
export const assetArt: Readonly<Record<Asset, string>> = { coin, points, ton, star };
/** The picture's label for screen readers; TON's name is in the text. */
const names = { coin: 'common.mcbk', points: 'common.points', star: 'common.stars' } as const;
/** Those that are whole. */
const isWhole = (asset: Asset) => asset === 'points' || asset === 'star';

type Props = {
  asset: Asset;
  /** Coins, points, TON or Telegram Stars, as the server sends them. */
  value: number;
  size?: 's' | 'm' | 'l';
  /** Writes a plus before what came in; what went out always has its minus. */
  signed?: boolean;
  /** How many decimals to show; coins have 2, points and Stars none, TON at most 2. */
  decimals?: number;
  /** Leaves out decimals that are all zero. */
  trim?: boolean;
  /** Without the asset's picture. */
  bare?: boolean;
  className?: string | undefined;
};

/** What something is worth: a disc and cream digits for coins, four points and jade for points, the mark and blue for TON, a star of five for Telegram's. */
export function Amount({
  asset,
  value,
  size = 's',
  signed = false,
  bare = false,
  className,
  ...rest
}: Props) {
  const { t, i18n } = useTranslation();
  const { decimals = isWhole(asset) ? 0 : 2, trim = asset === 'ton' } = rest;
  const { sign, integer, decimals: tail } = splitNumber(value, decimals, i18n.language, trim);
  return (
    <span className={cx(styles.amount, styles[asset], styles[size], className)}>
      {!bare && <img src={assetArt[asset]} alt={asset === 'ton' ? '' : t(names[asset])} />}
      <span>
        {sign || (signed && value > 0 ? '+' : '')}
        {integer}
        {tail && <span className={styles.decimals}>{tail}</span>}
        {asset === 'ton' && `\u00a0${t('common.ton')}`}
      </span>
    </span>
  );
}
