import { observer } from 'mobx-react-lite';
import { useTranslation } from 'react-i18next';
import { useLanguage } from '../../app/RootContext';
import { formatAmount, fromMicro } from '../../format';
import { Button } from '../../ui/Button';
import { HeroAmount } from '../../ui/HeroAmount';
import { Icon } from '../../ui/Icon';
import { Skeleton } from '../../ui/Skeleton';
import text from '../../ui/text.module.css';
import { Countdown } from './Countdown';
import styles from './Price.module.css';
import { useTrade } from './Trade';

/** Spec §9: prices have four decimals. */
export const priceDecimals = 4;
/** In place of a figure that could not be loaded. */
export const noFigure = '–';

/** What one coin costs today, what it will cost next, and when. */
export const Price = observer(function Price() {
  const { prices } = useTrade();
  const { t } = useTranslation();
  const language = useLanguage();
  const { price } = prices;
  const next = price?.next ?? null;
  return (
    <section aria-busy={price === null}>
      <h2 className={text.over}>{t('market.one')}</h2>
      {price?.approximate ? (
        <PriceFailed />
      ) : price ? (
        <HeroAmount value={fromMicro(price.usd)} decimals={priceDecimals} unit="$" className={styles.price} />
      ) : (
        <Skeleton width={220} height={44} />
      )}
      {!price?.approximate && (
        <div className={styles.next}>
          {price && (
            <span className={text.sub}>
              {next === null ? t('market.last_price') : t('market.next_price')}{' '}
              {next !== null && <b>${formatAmount(next, priceDecimals, language)}</b>}
            </span>
          )}
          {price?.changesAt != null && <Countdown until={price.changesAt} className={styles.tick} />}
        </div>
      )}
    </section>
  );
});

/** In place of a price that could not be loaded. */
export const PriceFailed = observer(function PriceFailed() {
  const { prices } = useTrade();
  const { t } = useTranslation();
  return (
    <div role="alert" className={styles.failed}>
      <Icon name="warning" size={18} />
      <span>{t('errors.price_unavailable')}</span>
      <Button
        variant="secondary"
        height={32}
        icon="retry"
        loading={prices.loadingInfo}
        onPress={() => void prices.loadInfo()}
      >
        {t('common.retry')}
      </Button>
    </div>
  );
});
