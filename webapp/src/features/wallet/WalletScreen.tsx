import { observer } from 'mobx-react-lite';
import { useTranslation } from 'react-i18next';
import { useLanguage, useRoot } from '../../app/RootContext';
import coin from '../../art/coin.svg';
import parachute from '../../art/parachute.svg';
import ton from '../../art/ton.svg';
import { amount, type Micro, micro, shortAddress, whole } from '../../format';
import { trimmed } from '../../trimmed';
import { Amount } from '../../ui/Amount';
import { Badge } from '../../ui/Badge';
import { Button } from '../../ui/Button';
import { Card } from '../../ui/Card';
import { Chip } from '../../ui/Chip';
import { HeroAmount } from '../../ui/HeroAmount';
import { IconButton } from '../../ui/IconButton';
import { List, ListRow, RowIcon } from '../../ui/List';
import { Peek } from '../../ui/Peek';
import { Screen } from '../../ui/Screen';
import { Skeleton } from '../../ui/Skeleton';
import { Total, Totals } from '../../ui/Totals';
import text from '../../ui/text.module.css';
import { worth } from '../market/coins';
import { noFigure, PriceFailed, priceDecimals } from '../market/Price';
import type { Rate } from '../market/PriceStore';
import type { Sale } from '../market/Sale';
import { SaleContext, useSale } from '../market/SaleContext';
import { History } from './History';
import { Manage } from './Manage';
import styles from './WalletScreen.module.css';

/** Spec §2: the connected wallet, and everything the player owns. */
export function WalletScreen({ sale }: { sale: Sale }) {
  return (
    <SaleContext value={sale}>
      <Screen className={styles.wallet} peek={<HistoryPeek />}>
        <Head />
        <Price />
        <Balances />
        <Information />
        <AirDrop />
      </Screen>
      <Manage />
      <History />
    </SaleContext>
  );
}

const Head = observer(function Head() {
  const { modals } = useRoot();
  const { wallet } = useSale();
  const { t } = useTranslation();
  const { address } = wallet;
  return (
    <header className={styles.head}>
      <h1 className={text.title}>{t('nav.wallet')}</h1>
      <div className={styles.actions}>
        {address === null ? (
          <Chip tone="ton" art={ton} className={styles.chip} onPress={() => void wallet.connect()}>
            {t('home.connect')}
          </Chip>
        ) : (
          <>
            <Chip
              tone="ton"
              art={ton}
              className={styles.chip}
              label={t('home.wallet', { address: shortAddress(address) })}
              onPress={() => modals.openSheet('wallet')}
            >
              {shortAddress(address)}
            </Chip>
            <IconButton
              icon="manage"
              look="well"
              label={t('wallet.manage')}
              onPress={() => modals.openSheet('wallet')}
            />
          </>
        )}
      </div>
    </header>
  );
});

const Price = observer(function Price() {
  const { prices } = useSale();
  const { t } = useTranslation();
  const { walletPrice: price } = prices;
  return (
    <section aria-busy={price === null}>
      <div className={styles.one}>
        <span className={text.over}>{`${t('market.one')} ≈`}</span>
        {price?.approximate && !price.fallback && <Badge icon="warning">{t('market.approximate')}</Badge>}
      </div>
      {price?.fallback ? (
        <PriceFailed />
      ) : price ? (
        <HeroAmount value={whole(price.usd)} decimals={priceDecimals} unit="$" className={styles.price} />
      ) : (
        <Skeleton width={220} height={44} />
      )}
    </section>
  );
});

/** Spec §2: the row of TON tells what one costs until it is known what the connected wallet holds. */
const Balances = observer(function Balances() {
  const { tap, user } = useRoot();
  const { wallet, prices } = useSale();
  const { t } = useTranslation();
  const language = useLanguage();
  const { rate, walletPrice: price } = prices;
  const { address } = wallet;
  const { held } = wallet;
  const shown = held ?? 1;
  const usd = (value: Micro, { usd, approximate, fallback }: Rate) =>
    fallback ? noFigure : `${approximate ? '≈ ' : ''}$${amount(worth(value, usd), 2, language)}`;
  const coins = tap.total;
  return (
    <section className={styles.section}>
      <h2 className={text.over}>{t('wallet.balance')}</h2>
      <List>
        <ListRow
          lead={<RowIcon art={ton} />}
          title={t('common.ton')}
          note={
            <span className={styles.worth}>
              <span>{rate ? usd(micro(shown), rate) : '…'}</span>
              {/* That of MCBK stands at its price above. */}
              {rate?.approximate && !rate.fallback && <span>{t('market.approximate')}</span>}
            </span>
          }
          end={
            <span className={styles.held}>
              <Figure value={shown} />
              {address !== null && held === null && <Untold awaited={wallet.balance.awaits(address)} />}
            </span>
          }
        />
        <ListRow
          lead={<RowIcon art={coin} />}
          title={t('common.mcbk')}
          note={price ? usd(coins, price) : '…'}
          end={user.user && <Figure value={whole(coins)} />}
        />
      </List>
    </section>
  );
});

/** Below the rate, lest it be taken for what the wallet holds. */
function Untold({ awaited }: { awaited: boolean }) {
  const { t } = useTranslation();
  if (!awaited) return <span className={text.sub}>{t('wallet.unknown')}</span>;
  return (
    <span className={styles.awaited}>
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
    <section className={styles.section}>
      <h2 className={text.over}>{t('wallet.information')}</h2>
      <Totals>
        <Total label={t('wallet.total')}>
          <Figure value={whole(tap.total + micro(balance.purchased_mcbk))} trim />
        </Total>
        <Total label={t('profile.purchased')}>
          <Figure value={balance.purchased_mcbk} trim />
        </Total>
        <Total label={t('profile.won')}>
          <Figure value={stats.won_mcbk} trim />
        </Total>
        <Total label={t('profile.points')}>
          <Amount
            asset="points"
            value={user.points}
            size={user.points < wide ? 'm' : 's'}
            className={styles.figure}
          />
        </Total>
      </Totals>
    </section>
  );
});

/** From here on a figure is written smaller, so that half of a narrow screen holds it. */
const wide = 100_000;

function Figure({ value, trim = false }: { value: number; trim?: boolean }) {
  return (
    <Amount
      asset="coin"
      bare
      value={value}
      trim={trim}
      size={value < wide ? 'm' : 's'}
      className={styles.figure}
    />
  );
}

function AirDrop() {
  const { t } = useTranslation();
  return (
    <Card className={styles.air}>
      <img src={parachute} alt="" width={44} height={44} />
      <p>{t('wallet.airdrop_note')}</p>
      <Button variant="secondary" height={40} disabled onPress={() => undefined}>
        {t('wallet.airdrop')}
      </Button>
    </Card>
  );
}

const HistoryPeek = observer(function HistoryPeek() {
  const { modals } = useRoot();
  const { history } = useSale();
  const { t } = useTranslation();
  const language = useLanguage();
  const { last } = history;
  const sign = last?.is_withdraw ? '−' : '+';
  return (
    <Peek
      icon="history"
      calm
      title={t('wallet.transactions')}
      {...(last && {
        note: t('wallet.last', {
          amount: sign + trimmed(last.amount, language),
          asset: t(last.asset === 'TON' ? 'common.ton' : 'common.mcbk'),
        }),
      })}
      onOpen={() => modals.openSheet('history')}
    />
  );
});
