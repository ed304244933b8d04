import { observer } from 'mobx-react-lite';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLanguage, useRoot } from '../../app/RootContext';
import star from '../../art/star.svg';
import ton from '../../art/ton.svg';
import { formatAmount, formatInteger, toMicro } from '../../format';
import { Badge } from '../../ui/Badge';
import { Button } from '../../ui/Button';
import { cx } from '../../ui/cx';
import flex from '../../ui/flex.module.css';
import { HeroAmount } from '../../ui/HeroAmount';
import { Modal } from '../../ui/Modal';
import { Skeleton } from '../../ui/Skeleton';
import text from '../../ui/text.module.css';
import { inTon } from '../market/amount';
import { CoinPile } from '../market/CoinPile';
import { coinsFor } from '../market/coins';
import { HeldNote } from '../market/HeldNote';
import { left, twoDigits } from '../market/left';
import { PayWith } from '../market/PayWith';
import { priceDecimals } from '../market/Price';
import { useTrade } from '../market/Trade';
import styles from './DiscountModal.module.css';
import { discountAmount } from './DiscountStore';

/** Spec §2: while the launch price holds, 1 TON at today's price, and how long that is true. */
export const DiscountModal = observer(function DiscountModal() {
  const { modals } = useRoot();
  const trade = useTrade();
  const { discount, prices, orders, market } = trade;
  const { t } = useTranslation();
  const language = useLanguage();
  const now = prices.info.is === 'known' ? prices.info.info : null;
  // While it leaves, the modal shows its last content.
  const [last, setLast] = useState(now);
  if (now?.discount.active && now !== last) setLast(now);
  if (!last) return null;
  const price = (usd: number) => `$${formatAmount(toMicro(usd), priceDecimals, language)}`;
  const { rate } = prices;
  const { pricing } = discount;
  return (
    <Modal
      open={modals.shown?.is === 'discount'}
      onClose={() => discount.close()}
      closable
      frame={styles.frame}
      relic={<CoinPile ton={50} className={styles.pile} />}
      head={<Clock until={Date.parse(last.discount.ends_at)} />}
      title={t('discount.title')}
      text={t('discount.until')}
      className={styles.discount}
      actions={
        <>
          <Button
            height={56}
            art={market.inStars ? star : ton}
            loading={orders.buying}
            disabled={pricing !== 'fresh' && !orders.buying}
            onPress={() => void discount.buy()}
          >
            {t(discount.needsWallet ? 'discount.connect' : 'discount.buy')}
          </Button>
          <Button variant="quaternary" width="full" onPress={() => discount.dismissForDay()}>
            {t('discount.skip')}
          </Button>
        </>
      }
    >
      <PayWith market={market}>
        <div className={cx(flex.column, styles.final)}>
          <span className={text.sub}>{t('discount.price')}</span>
          <HeroAmount
            value={last.discount.price}
            decimals={priceDecimals}
            unit="$"
            center
            className={styles.price}
          />
          <span className={text.sub}>{t('discount.last', { price: price(last.discount.full_price) })}</span>
          {(pricing === 'paused' || pricing === 'missing') && (
            <span role="status" className={styles.paused}>
              {t(pricing === 'paused' ? 'market.paused' : 'errors.price_unavailable')}
            </span>
          )}
          <span className={styles.brings} aria-busy={pricing === 'awaited'}>
            {market.inStars
              ? market.quote &&
                t('discount.brings_stars', {
                  stars: t('market.stars', { stars: formatInteger(market.stars, language) }),
                  coins: formatAmount(market.quote.coins, 0, language),
                })
              : rate && !rate.approximate
                ? t('discount.brings', {
                    coins: formatAmount(
                      coinsFor(discountAmount, rate.usd, toMicro(last.discount.price)),
                      0,
                      language,
                    ),
                  })
                : t('discount.pay')}
          </span>
          {!market.inStars && <HeldNote wallet={trade.wallet} ton={inTon(discountAmount)} />}
          {pricing === 'awaited' && <Skeleton width={140} height={20} />}
        </div>
      </PayWith>
    </Modal>
  );
});

/** Days, hours, minutes and seconds in four wells. */
const Clock = observer(function Clock({ until }: { until: number }) {
  const { clock } = useRoot();
  const { t } = useTranslation();
  const { days, hours, minutes, seconds } = left(until - clock.now);
  return (
    <>
      <Badge tone="brick" className={styles.ends}>
        {t('discount.ends')}
      </Badge>
      <div role="timer" className={styles.clock}>
        {(
          [
            [days, 'discount.days'],
            [hours, 'discount.hours'],
            [minutes, 'discount.min'],
            [seconds, 'discount.sec'],
          ] as const
        ).map(([n, unit]) => (
          <span key={unit} className={styles.well}>
            <b className={text.numL}>{twoDigits(n)}</b>{' '}
            <span className={text.sub}>{t(unit, { count: n })}</span>
          </span>
        ))}
      </div>
    </>
  );
});
