import { observer } from 'mobx-react-lite';
import { useTranslation } from 'react-i18next';
import { useLanguage } from '../../app/RootContext';
import { useSeasonNote } from '../../app/useSeasonNote';
import pick from '../../art/pick.svg';
import trophy from '../../art/trophy.svg';
import { formatInteger, fromMicro } from '../../format';
import { formatTrimmed } from '../../formatTrimmed';
import { errorKey } from '../../i18n/errors';
import { Badge } from '../../ui/Badge';
import { Button } from '../../ui/Button';
import { Chip } from '../../ui/Chip';
import { cx } from '../../ui/cx';
import { HeroAmount } from '../../ui/HeroAmount';
import { Progress } from '../../ui/Progress';
import { Screen } from '../../ui/Screen';
import { SheetHandle } from '../../ui/SheetHandle';
import text from '../../ui/text.module.css';
import { Countdown } from '../market/Countdown';
import styles from './Mine.module.css';
import { MineOffer } from './MineOffer';
import { useMines } from './MinesContext';
import { Ore } from './Ore';
import { oreOf } from './ores';
import { Result } from './Result';
import { Upgrades } from './Upgrades';

/** Spec §2: the ore to dig, how much of it is left, and the way to the next mine. */
export const Mine = observer(function Mine() {
  const mines = useMines();
  const { t } = useTranslation();
  if (mines.over) return <Result />;
  return (
    <>
      <Screen ground="cave" className={styles.screen} handle={<UpgradeHandle />}>
        <nav className={styles.links} aria-label={t('home.mines')}>
          <Chip icon="rules" to="/mines-rules" className={styles.chip}>
            {t('mines.rules')}
          </Chip>
          <Chip art={trophy} to="/mines-leaderboard" className={styles.chip}>
            {t('mines.leaderboard')}
          </Chip>
        </nav>
        <section className={styles.purse}>
          <h1 className={text.over}>{t('mines.mined')}</h1>
          <HeroAmount asset="coin" value={fromMicro(mines.dug)} spoken={fromMicro(mines.confirmed)} center />
          <Daily />
          <Waiting />
        </section>
        <Ore />
        <Energy />
      </Screen>
      <Upgrades />
      <MineOffer />
    </>
  );
});

/** Where the player stands with what the ore of daily diggers becomes. */
const Daily = observer(function Daily() {
  const { daily, status } = useMines();
  const { t } = useTranslation();
  if (!status || daily === null) return null;
  const { words, ...appearance } = said[daily];
  return (
    <Badge {...appearance} className={styles.daily}>
      {t(words, { times: status.rules.daily_factor })}
    </Badge>
  );
});

const said = {
  kept: { words: 'mines.daily_kept', tone: 'moss', icon: 'check' },
  due: { words: 'mines.daily_due', tone: 'veil', icon: 'bolt' },
  open: { words: 'mines.daily_open', tone: 'veil', icon: 'calendar' },
  lost: { words: 'mines.daily_lost', tone: 'veil' },
} as const;

/** An order of a mine that is not paid yet, or that an admin has to look at. */
const Waiting = observer(function Waiting() {
  const { order, trade } = useMines();
  const { t } = useTranslation();
  if (!order || !trade) return null;
  return (
    <Chip icon="wallet" tone="ton" className={styles.waiting} onPress={() => trade.orders.show()}>
      {t(order.payable ? 'mines.waiting' : 'mines.held')}
    </Chip>
  );
});

const Energy = observer(function Energy() {
  const mines = useMines();
  const { t } = useTranslation();
  const language = useLanguage();
  const { loaded, status } = mines;
  if (loaded.is === 'failed')
    return (
      <section className={cx(styles.energy, styles.failed)}>
        <span className={text.over}>{t(errorKey(loaded.code))}</span>
        <Button variant="secondary" height={40} icon="retry" onPress={() => void mines.load()}>
          {t('common.retry')}
        </Button>
      </section>
    );
  // Without a mine the bar tells what the first one holds.
  const most = mines.top?.energy ?? status?.available_levels[0]?.energy;
  const left = status ? formatInteger(mines.energyLeft, language) : '…';
  const max = most === undefined ? '…' : formatInteger(most, language);
  return (
    <section className={styles.energy}>
      <div className={styles.line}>
        <span className={styles.label}>
          <img src={pick} alt="" width={22} height={22} />
          {t('mines.ores')}
        </span>
        <span className={text.numS}>
          {left} <span className={styles.of}>{t('mines.of', { max })}</span>
        </span>
      </div>
      <Progress
        tone="ember"
        size="l"
        value={mines.energyLeft}
        max={most ?? 1}
        label={t('mines.ores_of', { energy: left, max })}
      />
      <Times />
    </section>
  );
});

/** When the mine is full again, and when all of this ends or begins. */
const Times = observer(function Times() {
  const { status, running, top } = useMines();
  const { t } = useTranslation();
  if (!status) return <div className={styles.times} />;
  const { tournament, energy_info } = status;
  const scheduled = tournament.status === 'scheduled';
  return (
    <div className={styles.times}>
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

const UpgradeHandle = observer(function UpgradePeek() {
  const mines = useMines();
  const { t } = useTranslation();
  const language = useLanguage();
  const season = useSeasonNote();
  const { next, status, sold } = mines;
  const note = !status
    ? '…'
    : !next
      ? t('mines.upgrade_last')
      : sold
        ? t('mines.upgrade_next', {
            ore: t(oreOf(next.level).name),
            ton: formatTrimmed(next.cost, language),
          })
        : (season ?? t(mines.closedWords ?? 'mines.upgrade_closed'));
  return (
    <SheetHandle
      art={oreOf(next?.level ?? (status ? 10 : 1)).art}
      title={t('mines.upgrade')}
      note={note}
      onOpen={() => mines.openUpgrades()}
    />
  );
});
