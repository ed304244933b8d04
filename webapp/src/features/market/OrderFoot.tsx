import { observer } from 'mobx-react-lite';
import { useTranslation } from 'react-i18next';
import type { Order } from '../../api/types';
import { useRoot } from '../../app/RootContext';
import pick from '../../art/pick.svg';
import { Button } from '../../ui/Button';
import { cx } from '../../ui/cx';
import flex from '../../ui/flex.module.css';
import { ForStars } from './ForStars';
import styles from './OrderSheet.module.css';
import { useTrade } from './Trade';

/** What can be done about an order. */
export const OrderFoot = observer(function OrderFoot({ order }: { order: Order }) {
  const { modals, clock, route } = useRoot();
  const { orders, market, wallet, payments, stars } = useTrade();
  const { t } = useTranslation();
  const app = { wallet: market.walletApp };
  // After a payment nothing is offered that would pay again or cancel.
  const done = !order.payable || payments.sent.includes(order.id);
  if (order.status === 'paid')
    return order.level === undefined ? (
      <Button height={56} onPress={() => modals.closeSheet()}>
        {t('order.great')}
      </Button>
    ) : (
      <Button
        height={56}
        art={pick}
        onPress={() => {
          modals.closeSheet();
          route.go('/mines');
        }}
      >
        {t('order.dig')}
      </Button>
    );
  if (done || clock.now >= Date.parse(order.expires_at))
    return (
      <Button variant="secondary" height={56} onPress={() => modals.closeSheet()}>
        {t('common.close')}
      </Button>
    );
  const cancel = (
    <Button
      variant="quaternary"
      width="full"
      loading={orders.cancelling}
      onPress={() => void orders.cancel()}
    >
      {t('order.cancel')}
    </Button>
  );
  if (order.currency === 'XTR')
    return (
      <div className={cx(flex.column, styles.actions)}>
        <Button height={56} onPress={() => void stars.pay(order)}>
          <ForStars words={t('order.pay_for')} stars={order.stars ?? 0} />
        </Button>
        {cancel}
      </div>
    );
  return (
    <div className={cx(flex.column, styles.actions)}>
      {wallet.live && (
        <Button
          height={56}
          icon="wallet"
          loading={payments.paying.includes(order.id)}
          onPress={() => void payments.pay(order)}
        >
          {t('wallet.confirm', app)}
        </Button>
      )}
      <Button
        height={wallet.live ? 48 : 56}
        variant={wallet.live ? 'secondary' : 'primary'}
        width="full"
        icon="wallet"
        onPress={() => orders.pay()}
      >
        {t('order.open', app)}
      </Button>
      {cancel}
    </div>
  );
});
