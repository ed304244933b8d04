import { observer } from 'mobx-react-lite';
import { useTranslation } from 'react-i18next';
import { useSeasonNote } from '../../app/useSeasonNote';
import pick from '../../art/pick.svg';
import star from '../../art/star.svg';
import trophy from '../../art/trophy.svg';
import { fromMicro } from '../../format';
import { errorKey } from '../../i18n/errors';
import { Badge } from '../../ui/Badge';
import { Chip } from '../../ui/Chip';
import { cx } from '../../ui/cx';
import flex from '../../ui/flex.module.css';
import { HeroAmount } from '../../ui/HeroAmount';
import { Screen } from '../../ui/Screen';
import { SheetHandle } from '../../ui/SheetHandle';
import text from '../../ui/text.module.css';
import layout from '../digging/digging.module.css';
import { EnergyCard } from '../digging/EnergyCard';
import { Countdown } from '../market/Countdown';
import styles from './Mine.module.css';
import { MineOffer } from './MineOffer';
import { useMinePrice } from './MinePrice';
import { useMines } from './Mines';
import { Ore } from './Ore';
import { oreOf } from './ores';
import { Result } from './Result';
import { Upgrades } from './Upgrades';

/** Spec §2: the ore to dig, how much of it is left, and the way to the next mine. */
export const Mine = observer(function Mine() {
  const { tournament, digging } = useMines();
  const { t } = useTranslation();
  if (tournament.over) return <Result />;
  return (
    <>
      <Screen ground="cave" className={layout.screen} handle={<UpgradeHandle />}>
        <nav className={flex.between} aria-label={t('home.mines')}>
          <Chip icon="rules" to="/mines-rules" className={styles.chip}>
            {t('mines.rules')}
          </Chip>
          <Chip art={trophy} to="/mines-leaderboard" className={styles.chip}>
            {t('mines.leaderboard')}
          </Chip>
        </nav>
        <section className={layout.balance}>
          <h1 className={text.over}>{t('mines.mined')}</h1>
          <HeroAmount
            asset="coin"
            value={fromMicro(digging.dug)}
            spoken={fromMicro(digging.confirmed)}
            lively
            center
          />
          <Daily />
          <Waiting />
        </section>
        <Ore />
        <MineEnergy />
      </Screen>
      <Upgrades />
      <MineOffer />
    </>
  );
});

/** The state of the x2 for digging daily. */
const Daily = observer(function Daily() {
  const { tournament, digging } = useMines();
  const { t } = useTranslation();
  const { status } = tournament;
  const { daily } = digging;
  if (!status || daily === null) return null;
  const { words, ...appearance } = dailyBadges[daily];
  return (
    <Badge {...appearance} className={styles.daily}>
      {t(words, { times: status.rules.daily_factor })}
    </Badge>
  );
});

const dailyBadges = {
  kept: { words: 'mines.daily_kept', tone: 'moss', icon: 'check' },
  due: { words: 'mines.daily_due', tone: 'veil', icon: 'bolt' },
  open: { words: 'mines.daily_open', tone: 'veil', icon: 'calendar' },
  lost: { words: 'mines.daily_lost', tone: 'veil' },
} as const;

/** An order of a mine that is not paid yet, or held for an admin. */
const Waiting = observer(function Waiting() {
  const { order, trade } = useMines().purchase;
  const { t } = useTranslation();
  if (!order || !trade) return null;
  return (
    <Chip
      {...(order.currency === 'XTR' ? { art: star } : { icon: 'wallet', tone: 'ton' })}
      className={styles.waiting}
      onPress={() => trade.orders.show()}
    >
      {t(order.payable ? 'mines.waiting' : 'mines.held')}
    </Chip>
  );
});

const MineEnergy = observer(function MineEnergy() {
  const { tournament, digging } = useMines();
  const { state } = tournament.resource;
  const { status, top } = tournament;
  return (
    <EnergyCard
      art={pick}
      words={{ title: 'mines.ores', max: 'mines.of', progress: 'mines.ores_of' }}
      left={status && digging.counter.energyLeft}
      max={(top ?? status?.available_levels[0])?.energy ?? null}
      error={state.is === 'failed' ? errorKey(state.error.code) : null}
      onRetry={() => void tournament.load()}
      className={styles.energy}
    >
      <Times />
    </EnergyCard>
  );
});

/** When the mine is full again, and when the tournament ends or begins. */
const Times = observer(function Times() {
  const { status, running, top } = useMines().tournament;
  const { t } = useTranslation();
  if (!status) return <div className={cx(flex.between, styles.times)} />;
  const { tournament, energy_info } = status;
  const scheduled = tournament.status === 'scheduled';
  return (
    <div className={cx(flex.between, styles.times)}>
      {running && top && (
        <span>
          {t('mines.full_in')} <Countdown until={Date.parse(energy_info.full_at)} />
        </span>
      )}
      {(running || scheduled) && (
        <span>
          {t(scheduled ? 'mines.starts_in' : 'mines.ends_in')}{' '}
          <Countdown until={Date.parse(scheduled ? tournament.starts_at : tournament.ends_at)} />
        </span>
      )}
    </div>
  );
});

const UpgradeHandle = observer(function UpgradeHandle() {
  const { tournament, digging, purchase } = useMines();
  const { t } = useTranslation();
  const price = useMinePrice();
  const season = useSeasonNote();
  const { next, status } = tournament;
  const note = !status
    ? '…'
    : !next
      ? t('mines.upgrade_last')
      : purchase.sold
        ? t('mines.upgrade_next', {
            ore: t(oreOf(next.level).name),
            price: price(next).words,
          })
        : (season ?? t(digging.closedMessage ?? 'mines.upgrade_closed'));
  return (
    <SheetHandle
      art={oreOf(next?.level ?? (status ? 10 : 1)).art}
      title={t('mines.upgrade')}
      note={note}
      onOpen={() => purchase.openUpgrades()}
    />
  );
});
