import { observer } from 'mobx-react-lite';
import { useTranslation } from 'react-i18next';
import { useLanguage } from '../../app/RootContext';
import star from '../../art/star.svg';
import { formatInteger } from '../../format';
import { formatTrimmed } from '../../formatTrimmed';
import { Card } from '../../ui/Card';
import { Icon } from '../../ui/Icon';
import { List, ListRow, RowIcon } from '../../ui/List';
import { Screen } from '../../ui/Screen';
import text from '../../ui/text.module.css';
import { BuyForm } from './BuyForm';
import { Countdown } from './Countdown';
import { Goal } from './Goal';
import styles from './Market.module.css';
import { Price } from './Price';
import { useTrade } from './Trade';

/** Spec §2: what a coin costs, how many are sold, and where they are bought. */
export function Market() {
  const { t } = useTranslation();
  return (
    <Screen className={styles.market}>
      <h1 className={text.unseen}>{t('nav.market')}</h1>
      <Price />
      <OpenOrder />
      <Goal />
      <Buying />
    </Screen>
  );
}

/** An order that waits to be paid, or for an admin, whenever it was made. */
const OpenOrder = observer(function OpenOrder() {
  const { orders } = useTrade();
  const { t } = useTranslation();
  const language = useLanguage();
  const { unsettled } = orders;
  if (!unsettled) return null;
  const pending = unsettled.status === 'pending';
  return (
    <List>
      <ListRow
        lead={
          <RowIcon
            raised
            {...(!pending
              ? { icon: 'warning' }
              : unsettled.currency === 'XTR'
                ? { art: star }
                : { icon: 'wallet' })}
          />
        }
        title={t(pending ? 'market.waiting' : 'order.held')}
        note={
          <span className={styles.facts}>
            <span>
              {unsettled.currency === 'XTR'
                ? t('market.stars', { stars: formatInteger(unsettled.stars ?? 0, language) })
                : t('market.ton', {
                    ton: formatTrimmed(unsettled.held_ton ?? unsettled.ton_amount, language),
                  })}
            </span>
            {unsettled.payable && <span className={styles.dot} aria-hidden="true" />}
            {unsettled.payable && <Countdown until={Date.parse(unsettled.expires_at)} short />}
          </span>
        }
        end={<Icon name="caretRight" size={18} className={text.faint} />}
        onPress={() => orders.show()}
      />
    </List>
  );
});

const Buying = observer(function Buying() {
  const { market } = useTrade();
  const { t } = useTranslation();
  if (!market.closed) return <BuyForm />;
  return (
    <Card className={styles.closed}>
      <Icon name="lock" size={22} />
      <div>
        <h2 className={text.head}>{t('market.closed')}</h2>
        <p className={text.sub}>{t('market.closed_note')}</p>
      </div>
    </Card>
  );
});
