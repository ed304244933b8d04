import { observer } from 'mobx-react-lite';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Order } from '../../api/types';
import { GameSheet } from '../../app/GameSheet';
import { useLanguage, useRoot } from '../../app/RootContext';
import coin from '../../art/coin.svg';
import pile from '../../art/coin-pile.svg';
import { decimalsOf, formatTrimmed } from '../../formatTrimmed';
import { Amount } from '../../ui/Amount';
import { Burst } from '../../ui/Burst';
import { cx } from '../../ui/cx';
import flex from '../../ui/flex.module.css';
import { HeroAmount } from '../../ui/HeroAmount';
import { Icon } from '../../ui/Icon';
import text from '../../ui/text.module.css';
import { celebrate, useCelebration } from '../../ui/useCelebration';
import { oreOf } from '../mines/ores';
import { WalletButton } from '../wallet/WalletButton';
import { Countdown } from './Countdown';
import { HeldNote } from './HeldNote';
import { OrderFoot } from './OrderFoot';
import styles from './OrderSheet.module.css';
import { OrderSteps } from './OrderSteps';
import { OtherWays } from './OtherWays';
import { useTrade } from './Trade';

/** When the picture lands; that the payment was credited is felt before, milliseconds. */
const landedMs = 300;

const titles = {
  pending: 'order.pending',
  paid: 'order.paid',
  expired: 'order.expired',
  cancelled: 'order.cancelled',
  held: 'order.held',
  refunded: 'order.refunded',
} as const;

/** What Telegram said when its payment was closed; the server has not confirmed it. */
const telegramSaid = {
  paid: 'order.stars_paid',
  pending: 'order.stars_pending',
  failed: 'order.stars_failed',
  cancelled: 'order.stars_cancelled',
} as const;

function title({ kind, status }: Order, sent: boolean) {
  if (kind === 'mine' && status === 'paid') return 'order.mine_open';
  return status === 'pending' && sent ? 'order.on_its_way' : titles[status];
}

/** Spec §2: the way of an order from its link to the coins. */
export const OrderSheet = observer(function OrderSheet() {
  const trade = useTrade();
  const { t } = useTranslation();
  const { order } = trade.orders;
  // While it leaves, the drawer shows its last content.
  const [last, setLast] = useState<Order | null>(order);
  if (order && order !== last) setLast(order);
  if (!last) return null;
  return (
    <GameSheet
      name="order"
      title={t(title(last, trade.payments.sent.includes(last.id)))}
      foot={<OrderFoot order={last} />}
      className={styles.order}
    >
      {last.status === 'paid' ? <Paid order={last} /> : <Swap order={last} />}
      {last.payable && last.currency === 'TON' && trade.wallet.live && <Payer />}
      {/* What was said of money that came is read before what is still to be done. */}
      {last.payable && last.held_ton !== undefined && <Held ton={last.held_ton} />}
      {last.payable && <Waiting order={last} />}
      {last.status === 'refunded' && last.kind === 'purchase' && <p>{t('order.refunded_note')}</p>}
      {last.status === 'expired' && last.held_ton === undefined && last.currency === 'TON' && (
        <p>{t('toast.no_payment')}</p>
      )}
      {(last.status === 'expired' || last.status === 'cancelled') && <p>{t(tooLate(last))}</p>}
      {!last.payable && (last.status === 'held' || last.held_ton !== undefined) && (
        <Held ton={last.held_ton} />
      )}
    </GameSheet>
  );
});

/** The wallet that the payment is requested from. */
function Payer() {
  const { t } = useTranslation();
  return (
    <div className={flex.between}>
      <span className={text.sub}>{t('nav.wallet')}</span>
      <WalletButton />
    </div>
  );
}

function Swap({ order }: { order: Order }) {
  const { t } = useTranslation();
  const { label, get, coins } = summaryOf(order);
  return (
    <div className={cx(flex.between, styles.swap)}>
      <div className={cx(flex.column, styles.side)}>
        <span className={text.sub}>{t(label)}</span>
        <Given order={order} size="m" />
      </div>
      <div className={cx(flex.line, styles.into)}>
        <Icon name="arrowRight" size={22} className={text.faint} />
        <div className={cx(flex.column, styles.side)}>
          <span className={text.sub}>{t(get)}</span>
          {order.level === undefined ? (
            <Amount asset="coin" value={coins} size="m" trim />
          ) : (
            <Ore level={order.level} />
          )}
        </div>
      </div>
    </div>
  );
}

/** What is paid, or was. */
function Given({ order, size = 's' }: { order: Order; size?: 's' | 'm' }) {
  const { ton } = summaryOf(order);
  if (order.currency === 'XTR') return <Amount asset="star" value={order.stars ?? 0} size={size} />;
  return (
    <Amount
      asset="ton"
      value={ton}
      decimals={decimalsOf(ton)}
      size={size}
      className={size === 'm' ? styles.given : undefined}
    />
  );
}

/** What happens to a payment for an ended order. */
function tooLate({ kind, status, currency }: Order) {
  if (currency === 'XTR') return 'order.late_stars';
  if (kind !== 'mine') return 'order.late';
  return status === 'cancelled' ? 'order.mine_cancelled' : 'order.mine_late';
}

/** The mine that the order is for. */
function Ore({ level }: { level: number }) {
  const { t } = useTranslation();
  const { art, name } = oreOf(level);
  return (
    <span className={cx(flex.line, styles.ore)}>
      <img src={art} alt="" width={32} height={32} />
      <b className={text.head}>{t(name)}</b>
    </span>
  );
}

/** The amount ordered, what was credited, or, if nothing was, what the order was for. */
function summaryOf(order: Order) {
  const { kind, status, payable, currency, ton_amount, mcbk_amount, paid_mcbk } = order;
  // In Stars exactly what was ordered is paid.
  const paid_ton = currency === 'XTR' && status === 'paid' ? 0 : order.paid_ton;
  if (payable) return { label: 'order.pay', get: 'market.get', ton: ton_amount, coins: mcbk_amount } as const;
  if (paid_ton !== undefined && (paid_mcbk !== undefined || kind === 'mine'))
    return {
      label: 'order.paid_ton',
      get: 'order.paid_coins',
      ton: paid_ton,
      coins: paid_mcbk ?? 0,
    } as const;
  const get = kind === 'mine' ? 'order.mine_ordered' : 'order.ordered';
  return { label: 'order.price', get, ton: ton_amount, coins: mcbk_amount } as const;
}

const Waiting = observer(function Waiting({ order }: { order: Order }) {
  const { clock } = useRoot();
  const { wallet, payments, stars } = useTrade();
  const { t } = useTranslation();
  const sent = payments.sent.includes(order.id);
  const mine = order.kind === 'mine';
  const inStars = order.currency === 'XTR';
  const said = stars.statusOf(order);
  const expiresAt = Date.parse(order.expires_at);
  const over = clock.now >= expiresAt;
  return (
    <>
      {said !== null && (
        <p role="status" className={styles.said}>
          {t(mine && said === 'paid' ? 'order.stars_paid_mine' : telegramSaid[said])}
        </p>
      )}
      <OrderSteps mine={mine} inStars={inStars} sent={sent && said !== 'pending'} />
      {over ? (
        <p role="alert" className={styles.over}>
          {t(mine ? 'order.mine_time_over' : 'order.time_over')}
        </p>
      ) : (
        <p className={flex.between}>
          <span className={text.over}>{t(mine ? 'order.open_for' : 'order.locked')}</span>
          <Countdown until={expiresAt} short className={styles.tick} />
        </p>
      )}
      {!over && !sent && !inStars && <HeldNote wallet={wallet} ton={order.ton_amount} />}
      {!over && !sent && !inStars && <OtherWays key={order.id} order={order} />}
    </>
  );
});

/** What a payment has brought, and what it was. */
const Paid = observer(function Paid({ order }: { order: Order }) {
  const { user, modals } = useRoot();
  const { t } = useTranslation();
  const language = useLanguage();
  const { level, ton_amount, currency } = order;
  const { label, get, ton, coins } = summaryOf(order);
  const ore = level === undefined ? null : oreOf(level);
  // A second payment of the same order is celebrated, too.
  const shown = modals.sheet === 'order' ? `${order.id} ${coins}` : null;
  useCelebration(shown, () => celebrate('huge', ore ? [ore.art, coin] : [coin], landedMs));
  const purchased = user.user?.balance.purchased_mcbk;
  return (
    <>
      <Burst tone="gold" picture={ore?.art ?? pile} size="huge" inset />
      <div className={cx(flex.column, text.center, styles.won)}>
        {ore ? (
          <b className={styles.mine}>{t('mines.mine', { ore: t(ore.name) })}</b>
        ) : (
          <>
            <span className={text.over}>{t(get)}</span>
            <HeroAmount
              asset="coin"
              value={coins}
              decimals={Number.isInteger(coins) ? 0 : 2}
              signed
              countUp
              from={0}
              center
            />
          </>
        )}
        <p>{t('order.paid_note')}</p>
      </div>
      <dl className={cx(flex.column, styles.receipt)}>
        <div>
          <dt>{t(label)}</dt>
          <dd>
            <Given order={order} />
          </dd>
        </div>
        {purchased !== undefined && !ore && (
          <div>
            <dt>{t('profile.purchased')}</dt>
            <dd>
              <Amount asset="coin" value={purchased} />
            </dd>
          </div>
        )}
      </dl>
      {currency === 'TON' && ton !== ton_amount && (
        <p>{t('order.not_as_ordered', { ton: formatTrimmed(ton_amount, language) })}</p>
      )}
    </>
  );
});

/** A payment that is held for an admin. */
function Held({ ton }: { ton: number | undefined }) {
  const { t } = useTranslation();
  const language = useLanguage();
  return (
    <div className={styles.paid}>
      <Icon name="warning" size={28} className={styles.held} />
      <div>
        {ton !== undefined && (
          <p className={styles.came}>{t('order.held_ton', { ton: formatTrimmed(ton, language) })}</p>
        )}
        <p>{t('order.held_note')}</p>
      </div>
    </div>
  );
}
