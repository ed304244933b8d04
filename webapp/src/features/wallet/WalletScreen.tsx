import { observer } from 'mobx-react-lite';
import { useTranslation } from 'react-i18next';
import { useLanguage, useRoot } from '../../app/RootContext';
import coin from '../../art/coin.svg';
import parachute from '../../art/parachute.svg';
import ton from '../../art/ton.svg';
import { formatAmount, fromMicro, type Micro, shortAddress, toMicro } from '../../format';
import { formatTrimmed } from '../../formatTrimmed';
import { Badge } from '../../ui/Badge';
import { Button } from '../../ui/Button';
import { Card } from '../../ui/Card';
import { cx } from '../../ui/cx';
import flex from '../../ui/flex.module.css';
import { HeroAmount } from '../../ui/HeroAmount';
import { IconButton } from '../../ui/IconButton';
import { List, ListRow, RowIcon } from '../../ui/List';
import { Screen } from '../../ui/Screen';
import { SheetHandle } from '../../ui/SheetHandle';
import { Skeleton } from '../../ui/Skeleton';
import { Figure, Total, Totals } from '../../ui/Totals';
import text from '../../ui/text.module.css';
import { worth } from '../market/coins';
import { PriceFailed, priceDecimals, unknownFigure } from '../market/Price';
import type { Rate } from '../market/PriceStore';
import { useTrade } from '../market/Trade';
import { History } from './History';
import { Manage } from './Manage';
import { assets } from './TransactionRow';
import { WalletButton } from './WalletButton';
import styles from './WalletScreen.module.css';

/** Spec §2: the connected wallet, and everything the player owns. */
export function WalletScreen() {
  return (
    <>
      <Screen handle={<HistoryHandle />}>
        <Head />
        <Price />
        <Balances />
        <Information />
        <AirDrop />
      </Screen>
      <Manage />
      <History />
    </>
  );
}

const Head = observer(function Head() {
  const { modals } = useRoot();
  const { wallet } = useTrade();
  const { t } = useTranslation();
  const { address } = wallet;
  return (
    <header className={cx(flex.line, styles.head)}>
      <div className={styles.name}>
        <h1 className={text.title}>{t('nav.wallet')}</h1>
        {address !== null && <span className={text.sub}>{shortAddress(address)}</span>}
      </div>
      <WalletButton />
      {address !== null && (
        <IconButton
          icon="manage"
          variant="well"
          label={t('wallet.manage')}
          onPress={() => modals.openSheet('wallet')}
        />
      )}
    </header>
  );
});

const Price = observer(function Price() {
  const { prices } = useTrade();
  const { t } = useTranslation();
  const { walletPrice: price } = prices;
  return (
    <section aria-busy={price === null}>
      <div className={cx(flex.line, styles.one)}>
        <span className={text.over}>{`${t('market.one')} ≈`}</span>
        {price?.approximate && !price.fallback && <Badge icon="warning">{t('market.approximate')}</Badge>}
      </div>
      {price?.fallback ? (
        <PriceFailed />
      ) : price ? (
        <HeroAmount value={fromMicro(price.usd)} decimals={priceDecimals} unit="$" className={styles.price} />
      ) : (
        <Skeleton width={220} height={44} />
      )}
    </section>
  );
});

/** Spec §2: the row of TON shows its rate until the wallet's balance is loaded. */
const Balances = observer(function Balances() {
  const { tap, user } = useRoot();
  const { wallet, prices } = useTrade();
  const { t } = useTranslation();
  const language = useLanguage();
  const { rate, walletPrice: price } = prices;
  const { address } = wallet;
  const { held } = wallet;
  const usd = (value: Micro, { usd, approximate, fallback }: Rate) =>
    fallback ? unknownFigure : `${approximate ? '≈ ' : ''}$${formatAmount(worth(value, usd), 2, language)}`;
  const coins = tap.total;
  return (
    <section className={cx(flex.column, flex.roomy, styles.section)}>
      <h2 className={text.over}>{t('wallet.balance')}</h2>
      <List>
        <ListRow
          lead={<RowIcon art={ton} />}
          title={held === null ? `1 ${t('common.ton')}` : t('common.ton')}
          note={
            <span className={styles.worth}>
              <span>{rate ? usd(toMicro(held ?? 1), rate) : '…'}</span>
              {/* That of MCBK stands at its price above. */}
              {rate?.approximate && !rate.fallback && <span>{t('market.approximate')}</span>}
            </span>
          }
          end={
            held === null ? (
              address !== null && <UnknownBalance awaited={wallet.balance.awaits(address)} />
            ) : (
              <Figure asset="coin" value={held} trim={false} />
            )
          }
        />
        <ListRow
          lead={<RowIcon art={coin} />}
          title={t('common.mcbk')}
          note={price ? usd(coins, price) : '…'}
          end={user.user && <Figure asset="coin" value={fromMicro(coins)} trim={false} />}
        />
      </List>
    </section>
  );
});

function UnknownBalance({ awaited }: { awaited: boolean }) {
  const { t } = useTranslation();
  if (!awaited) return <span className={text.sub}>{t('wallet.unknown')}</span>;
  return (
    <span className={cx(flex.line, styles.awaited)}>
      <span className={text.unseen}>{t('common.wait')}</span>
      <Skeleton width={96} height={10} />
    </span>
  );
}

const Information = observer(function Information() {
  const { user, tap } = useRoot();
  const { t } = useTranslation();
  const player = user.user;
  if (!player) return null;
  const { balance, stats } = player;
  return (
    <section className={cx(flex.column, flex.roomy, styles.section)}>
      <h2 className={text.over}>{t('wallet.information')}</h2>
      <Totals>
        <Total label={t('wallet.total')}>
          <Figure asset="coin" value={fromMicro(tap.total + toMicro(balance.purchased_mcbk))} />
        </Total>
        <Total label={t('profile.purchased')}>
          <Figure asset="coin" value={balance.purchased_mcbk} />
        </Total>
        <Total label={t('profile.won')}>
          <Figure asset="coin" value={stats.won_mcbk} />
        </Total>
        <Total label={t('profile.points')}>
          <Figure asset="points" value={user.points} />
        </Total>
      </Totals>
    </section>
  );
});

function AirDrop() {
  const { t } = useTranslation();
  return (
    <Card className={cx(flex.line, flex.roomy, styles.air)}>
      <img src={parachute} alt="" width={44} height={44} />
      <p>{t('wallet.airdrop_note')}</p>
      <Button variant="secondary" height={40} disabled onPress={() => undefined}>
        {t('wallet.airdrop')}
      </Button>
    </Card>
  );
}

const HistoryHandle = observer(function HistoryHandle() {
  const { modals } = useRoot();
  const { history } = useTrade();
  const { t } = useTranslation();
  const language = useLanguage();
  const { last } = history;
  const sign = last?.is_withdraw ? '−' : '+';
  return (
    <SheetHandle
      icon="history"
      quiet
      title={t('wallet.transactions')}
      {...(last && {
        note: t('wallet.last', {
          amount: sign + formatTrimmed(last.amount, language),
          asset: t(assets[last.asset].name),
        }),
      })}
      onOpen={() => modals.openSheet('history')}
    />
  );
});
