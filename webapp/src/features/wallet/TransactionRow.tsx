import { useTranslation } from 'react-i18next';
import type { Transaction } from '../../api/types';
import { useLanguage } from '../../app/RootContext';
import { formatAmount, type Language, localDay, toMicro } from '../../format';
import { decimalsOf } from '../../formatTrimmed';
import { Amount } from '../../ui/Amount';
import { cx } from '../../ui/cx';
import { Row, RowIcon } from '../../ui/List';
import text from '../../ui/text.module.css';
import styles from './TransactionRow.module.css';

/**
 * One thing that came or went: what it was, when, and what it was worth on its day. Less than one is told to its last
 * decimal, or a few taps would have brought nothing.
 */
export function TransactionRow({ one }: { one: Transaction }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const referral = one.type === 'referral';
  const ton = one.asset === 'TON';
  const what = referral ? 'wallet.referral' : ton ? 'common.ton' : 'common.mcbk';
  const icon = one.is_withdraw ? 'sent' : referral ? 'people' : 'received';
  return (
    <Row
      lead={<RowIcon icon={icon} />}
      title={one.name}
      note={`${t(what)} · ${localDay(Date.parse(one.created_at), language)}`}
      end={
        <span className={styles.sum}>
          <Amount
            asset={ton ? 'ton' : 'coin'}
            value={one.is_withdraw ? -one.amount : one.amount}
            signed
            decimals={one.amount < 1 ? Math.max(2, decimalsOf(one.amount)) : 2}
            trim
            className={cx(styles.figure, one.is_withdraw && styles.out)}
          />
          <span className={text.sub}>{dollars(one.amount_usd, language)}</span>
        </span>
      }
    />
  );
}

/** `+2.50` of the server, in the player's language. */
function dollars(signed: string, language: Language): string {
  const value = Number(signed);
  return `${value < 0 || signed.startsWith('-') ? '−' : '+'}$${formatAmount(toMicro(Math.abs(value)), 2, language)}`;
}
