import { useTranslation } from 'react-i18next';
import type { Transaction } from '../../api/types';
import { useLanguage } from '../../app/RootContext';
import chest from '../../art/chest.svg';
import pile from '../../art/coin-pile.svg';
import crystal from '../../art/crystal-ball.svg';
import handshake from '../../art/handshake.svg';
import bag from '../../art/money-bag.svg';
import ore from '../../art/ore-copper.svg';
import pick from '../../art/pick.svg';
import scroll from '../../art/scroll.svg';
import spin from '../../art/spin.svg';
import star from '../../art/star.svg';
import starBack from '../../art/star-back.svg';
import trophy from '../../art/trophy.svg';
import gift from '../../art/wrapped-gift.svg';
import { formatAmount, type Language, localDay, toMicro } from '../../format';
import { decimalsOf } from '../../formatTrimmed';
import { Amount } from '../../ui/Amount';
import { cx } from '../../ui/cx';
import { Row, RowIcon } from '../../ui/List';
import text from '../../ui/text.module.css';
import styles from './TransactionRow.module.css';

/** What a row's amount is of. */
export const assets = {
  MCBK: { asset: 'coin', name: 'common.mcbk' },
  TON: { asset: 'ton', name: 'common.ton' },
  XTR: { asset: 'star', name: 'common.stars' },
} as const;

const arts: Readonly<Record<Transaction['kind'], string>> = {
  purchase: pile,
  refund: starBack,
  referral: handshake,
  prize: trophy,
  ore: pick,
  mine: ore,
  checkin: chest,
  task: scroll,
  prediction: crystal,
  loyalty: gift,
  roulette: spin,
  tap: bag,
};

/**
 * One thing that came or went: what it was, when, and what it was worth on its day. Less than one is told to its last
 * decimal, or a few taps would have brought nothing.
 */
export function TransactionRow({ one }: { one: Transaction }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const referral = one.type === 'referral';
  const { asset, name } = assets[one.asset];
  const what = referral ? 'wallet.referral' : name;
  return (
    <Row
      lead={<RowIcon art={one.asset === 'XTR' && one.kind === 'mine' ? star : arts[one.kind]} />}
      title={one.name}
      note={`${t(what)} · ${localDay(Date.parse(one.created_at), language)}`}
      end={
        <span className={styles.sum}>
          <Amount
            asset={asset}
            value={one.is_withdraw ? -one.amount : one.amount}
            signed
            decimals={asset === 'star' ? 0 : one.amount < 1 ? Math.max(2, decimalsOf(one.amount)) : 2}
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
