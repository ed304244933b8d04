import { observer } from 'mobx-react-lite';
import { useTranslation } from 'react-i18next';
import { useLanguage } from '../../app/RootContext';
import star from '../../art/star.svg';
import ton from '../../art/ton.svg';
import { formatAmount, fromMicro } from '../../format';
import { formatTrimmed } from '../../formatTrimmed';
import { Badge } from '../../ui/Badge';
import { cx } from '../../ui/cx';
import flex from '../../ui/flex.module.css';
import { HeroAmount } from '../../ui/HeroAmount';
import { Icon } from '../../ui/Icon';
import { RetryButton } from '../../ui/RetryButton';
import { Skeleton } from '../../ui/Skeleton';
import text from '../../ui/text.module.css';
import { Countdown } from './Countdown';
import styles from './Price.module.css';
import { useTrade } from './Trade';

/** Spec §9: prices have four decimals. */
export const priceDecimals = 4;
/** In place of a figure that could not be loaded. */
export const unknownFigure = '–';

/** The two prices a purchase is made of, of a coin and of TON, and when the coin's changes. */
export const Price = observer(function Price() {
  const { prices, orders } = useTrade();
  const { t } = useTranslation();
  const language = useLanguage();
  const { price } = prices;
  const next = price?.next ?? null;
  return (
    <div>
      <div className={cx(flex.between, styles.pair)}>
        <section className={styles.coin} aria-busy={price === null}>
          <h2 className={text.over}>{t('market.one')}</h2>
          {price?.approximate ? (
            <span className={text.numL}>{unknownFigure}</span>
          ) : price ? (
            <HeroAmount
              value={fromMicro(price.usd)}
              decimals={priceDecimals}
              unit="$"
              className={styles.price}
            />
          ) : (
            <Skeleton width={150} height={44} />
          )}
        </section>
        <Rate />
      </div>
      {price?.approximate ? (
        <PriceFailed />
      ) : (
        <div className={cx(flex.between, styles.next)}>
          {price && (
            <span className={text.sub}>
              {next === null ? t('market.last_price') : t('market.next_price')}{' '}
              {next !== null && <b>${formatAmount(next, priceDecimals, language)}</b>}
            </span>
          )}
          {/* An order's own countdown is the one that matters. */}
          {price?.changesAt != null && !orders.unsettled?.payable && (
            <Countdown until={price.changesAt} className={styles.tick} />
          )}
        </div>
      )}
    </div>
  );
});

/** What one costs of what the player pays with. */
const Rate = observer(function Rate() {
  const { market, prices } = useTrade();
  const { t } = useTranslation();
  const language = useLanguage();
  const { inStars, starTerms } = market;
  const { rate } = prices;
  const loaded = (inStars ? prices.price : rate) !== null;
  const inTon = !inStars && rate && !rate.fallback ? rate : null;
  const amount = inStars
    ? starTerms && `$${formatTrimmed(fromMicro(starTerms.usd), language)}`
    : inTon && t('market.usdt', { usd: formatAmount(inTon.usd, 2, language) });
  return (
    <section
      className={cx(flex.column, styles.rate)}
      aria-label={t(inStars ? 'market.star_rate' : 'market.rate')}
      aria-busy={!loaded}
    >
      <span className={cx(flex.line, styles.one, inStars && styles.star)}>
        <img src={inStars ? star : ton} alt="" width={18} height={18} />
        {inStars ? t('market.one_star') : t('market.ton', { ton: 1 })}
      </span>
      {amount || loaded ? (
        <span className={text.numS}>{amount || unknownFigure}</span>
      ) : (
        <Skeleton width={84} height={20} />
      )}
      {inTon?.approximate && (
        <Badge tone="ton" icon="warning">
          {t('market.approximate')}
        </Badge>
      )}
    </section>
  );
});

/** In place of a price that could not be loaded. */
export const PriceFailed = observer(function PriceFailed() {
  const { prices } = useTrade();
  const { t } = useTranslation();
  return (
    <div role="alert" className={cx(flex.between, styles.failed)}>
      <Icon name="warning" size={18} />
      <span>{t('errors.price_unavailable')}</span>
      <RetryButton height={32} loading={prices.loadingInfo} onPress={() => void prices.loadInfo()} />
    </div>
  );
});
