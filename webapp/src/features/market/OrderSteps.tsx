import { observer } from 'mobx-react-lite';
import { useTranslation } from 'react-i18next';
import { cx } from '../../ui/cx';
import { Icon } from '../../ui/Icon';
import { Spinner } from '../../ui/Spinner';
import text from '../../ui/text.module.css';
import styles from './OrderSteps.module.css';
import { useSale } from './SaleContext';

/** Three steps of a payment: the link is made, the wallet is waited for, what was ordered is to come. */
export const OrderSteps = observer(function OrderSteps({ mine }: { mine: boolean }) {
  const { market } = useSale();
  const { t } = useTranslation();
  return (
    <ol
      // biome-ignore lint/a11y/noRedundantRoles: to VoiceOver a list without bullets is none
      role="list"
      className={styles.steps}
    >
      <li className={cx(styles.step, styles.done)}>
        <span className={styles.mark}>
          <Icon name="check" size={16} />
        </span>
        <div>
          <b className={styles.title}>{t('order.link')}</b>
          <span className={text.sub}>{t('order.link_note', { wallet: market.walletApp })}</span>
        </div>
      </li>
      <li className={cx(styles.step, styles.now)} aria-current="step">
        <span className={styles.mark}>
          <Spinner className={styles.spinner} />
        </span>
        <div>
          <b className={styles.title}>{t('order.confirm')}</b>
          <span className={text.sub}>{t('order.confirm_note')}</span>
        </div>
      </li>
      <li className={styles.step}>
        <span className={styles.mark}>{3}</span>
        <div>
          <b className={styles.title}>{t(mine ? 'order.mine_open' : 'order.coins')}</b>
          <span className={text.sub}>{t('order.coins_note')}</span>
        </div>
      </li>
    </ol>
  );
});
