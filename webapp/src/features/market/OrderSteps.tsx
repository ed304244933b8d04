import { observer } from 'mobx-react-lite';
import { useTranslation } from 'react-i18next';
import { cx } from '../../ui/cx';
import { Icon } from '../../ui/Icon';
import { Spinner } from '../../ui/Spinner';
import text from '../../ui/text.module.css';
import styles from './OrderSteps.module.css';
import { useTrade } from './Trade';

type StepsProps = { mine: boolean; inStars: boolean; sent: boolean };

type StepProps = { is: 'done' | 'now' | 'next'; title: string; note: string };

/** A name, in every language. */
const telegram = 'Telegram';

/**
 * Three steps of a payment: the link is made, Telegram or the wallet is waited for, what was ordered is to come. `sent` says that
 * it has done its part.
 */
export const OrderSteps = observer(function OrderSteps({ mine, inStars, sent }: StepsProps) {
  const { market } = useTrade();
  const { t } = useTranslation();
  return (
    <ol role="list">
      <Step
        is="done"
        title={t('order.link')}
        note={t('order.link_note', { wallet: inStars ? telegram : market.walletApp })}
      />
      <Step
        is={sent ? 'done' : 'now'}
        title={t(inStars ? 'order.confirm_stars' : 'order.confirm')}
        note={t('order.confirm_note')}
      />
      <Step
        is={sent ? 'now' : 'next'}
        title={t(mine ? 'order.mine_open' : 'order.coins')}
        note={t('order.coins_note')}
      />
    </ol>
  );
});

function Step({ is, title, note }: StepProps) {
  return (
    <li
      className={cx(styles.step, is === 'done' && styles.done, is === 'now' && styles.now)}
      aria-current={is === 'now' ? 'step' : undefined}
    >
      <span className={styles.mark}>
        {is === 'done' && <Icon name="check" size={16} />}
        {is === 'now' && <Spinner className={styles.spinner} />}
        {is === 'next' && 3}
      </span>
      <div>
        <b className={styles.title}>{title}</b>
        <span className={text.sub}>{note}</span>
      </div>
    </li>
  );
}
