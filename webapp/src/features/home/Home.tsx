import { observer } from 'mobx-react-lite';
import { Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import { lazyPart } from '../../app/lazyPart';
import { useLanguage, useRoot } from '../../app/RootContext';
import { useSeasonNote } from '../../app/useSeasonNote';
import crystal from '../../art/crystal-ball.svg';
import bag from '../../art/money-bag.svg';
import ton from '../../art/ton.svg';
import trophy from '../../art/trophy.svg';
import gift from '../../art/wrapped-gift.svg';
import {
  formatAmount,
  formatInteger,
  fromMicro,
  localTime,
  rankAmong,
  shortAddress,
  toMicro,
} from '../../format';
import { haptics } from '../../telegram';
import { Amount } from '../../ui/Amount';
import { Avatar } from '../../ui/Avatar';
import { Badge } from '../../ui/Badge';
import { Button } from '../../ui/Button';
import { Chip } from '../../ui/Chip';
import { cx } from '../../ui/cx';
import { DayTrail } from '../../ui/DayTrail';
import flex from '../../ui/flex.module.css';
import { HeroAmount } from '../../ui/HeroAmount';
import { Icon } from '../../ui/Icon';
import { NextDay } from '../../ui/NextDay';
import { PlayerName } from '../../ui/PlayerName';
import { Screen } from '../../ui/Screen';
import { Skeleton } from '../../ui/Skeleton';
import text from '../../ui/text.module.css';
import { TasksHandle } from '../tasks/TasksHandle';
import styles from './Home.module.css';
import { MinesTile } from './MinesTile';
import tiles from './Tiles.module.css';

const RecapCard = lazyPart(
  () => import('../recap/RecapCard').then((code) => code.RecapCard),
  () => <BagCard />,
);
/** The height of its skeleton, pixels. */
const recapHeight = 368;

/** From a million coins on the balance is written smaller. */
const long = toMicro(1_000_000);

export function Home() {
  const { t } = useTranslation();
  return (
    <Screen className={styles.home} handle={<TasksHandle />}>
      <Player />
      <Purse />
      <Day />
      <Scene />
      <Tiles />
      <Button variant="tertiary" width="full" icon="telegram" disabled onPress={() => undefined}>
        {t('home.community')}
      </Button>
    </Screen>
  );
}

const Player = observer(function Player() {
  const root = useRoot();
  const { user, modals } = root;
  const { t } = useTranslation();
  const player = user.user;
  if (!player) return null;
  const days = player.stats.total_days_in_game;
  const address = player.wallet_address && shortAddress(player.wallet_address);
  return (
    <header className={cx(flex.line, styles.player)}>
      <button
        type="button"
        className={styles.face}
        aria-label={t('home.profile')}
        aria-haspopup="dialog"
        onClick={() => modals.openSheet('profile')}
      >
        <Avatar id={player.id} name={player.first_name} photo={player.photo_url} size={44} />
        <span className={styles.edit}>
          <Icon name="manage" size={12} />
        </span>
      </button>
      <PlayerName name={player.first_name} premium={player.is_premium} crowded>
        <span className={cx(flex.line, text.sub, styles.days)}>
          <Icon name="calendar" size={14} />
          <span className={cx(text.ellipsis, styles.daysLong)}>{t('home.days', { count: days })}</span>
          <span className={cx(text.ellipsis, styles.daysShort)}>{t('home.days_short', { count: days })}</span>
        </span>
      </PlayerName>
      {address ? (
        <Chip tone="ton" art={ton} to="/wallet" label={t('home.wallet', { address })}>
          {address}
        </Chip>
      ) : (
        <Chip tone="ton" art={ton} onPress={() => void root.connectWallet()}>
          {t('home.connect')}
        </Chip>
      )}
    </header>
  );
});

const Purse = observer(function Purse() {
  const { user, tap, daily } = useRoot();
  const { t } = useTranslation();
  const language = useLanguage();
  const player = user.user;
  if (!player) return null;
  const rank = player.stats.leaderboard_rank;
  const usdt = formatAmount(toMicro(player.balance.usdt_balance), 2, language);
  return (
    <section data-balance>
      <h1>
        <span className={text.over}>{t('home.total')}</span>
      </h1>
      <HeroAmount
        asset="coin"
        value={fromMicro(tap.total - daily.unclaimed)}
        spoken={fromMicro(tap.confirmedTotal - daily.unclaimed)}
        countUp
        className={cx(styles.total, tap.total >= long && styles.long)}
      />
      {player.balance.purchased_mcbk > 0 && (
        <p className={cx(text.sub, styles.purchased)}>
          {t('home.purchased', { coins: formatAmount(toMicro(player.balance.purchased_mcbk), 0, language) })}
        </p>
      )}
      <p className={cx(flex.line, styles.points)}>
        <Amount asset="points" value={user.points} />
        <span className={text.sub}>{t('home.points_for')}</span>
      </p>
      <div className={styles.facts}>
        <Link to="/leaderboard" className={cx(flex.column, styles.fact)}>
          <span className={text.over}>{t('home.place')}</span>
          <span className={cx(text.numM, styles.figure)}>
            {rank === null ? (
              <span className={cx(text.sub, styles.awaited)}>{t('home.rank_awaited')}</span>
            ) : (
              t('home.rank', { rank: rankAmong(rank, player.balance.game_mcbk, language) })
            )}
            <Icon name="caretRight" size={14} />
          </span>
        </Link>
        <div className={cx(flex.column, styles.fact)}>
          <span className={text.over}>{t('home.usdt')}</span>
          <span className={cx(text.numM, styles.figure)}>
            <span>
              ${usdt.slice(0, -3)}
              <span className={styles.decimals}>{usdt.slice(-3)}</span>
            </span>
          </span>
        </div>
        <Chip art={trophy} label={t('home.leaderboard')} to="/leaderboard" className={styles.board}>
          {t('home.leaders')}
        </Chip>
      </div>
    </section>
  );
});

const Day = observer(function Day() {
  const {
    ads,
    daily,
    loyalty,
    settings: { settings, season, startsAt, day },
  } = useRoot();
  const { t } = useTranslation();
  const language = useLanguage();
  if (!settings) return null;
  const { total_days: total } = settings;
  const running = season === 'running';
  const doublable = running && daily.doublable !== null && !ads.isUnavailable;
  const bonus = running && loyalty.claimable;
  // The figure is highlighted, wherever the language puts it.
  const [before, after] = {
    ahead: t('home.starts', { date: '|' }),
    running: t('home.day', { day: '|', total }),
    over: '|',
  }[season].split('|');
  const fact = { ahead: localTime(startsAt, language), running: day, over: t('home.season_over') }[season];
  return (
    <section>
      <div className={cx(flex.between, flex.roomy)}>
        <span className={text.over}>
          {before}
          <b className={styles.today}>{fact}</b>
          {after}
        </span>
        {doublable || bonus ? (
          <span className={styles.again}>
            {bonus && (
              <Chip
                art={gift}
                label={t('home.bonus')}
                className={doublable ? styles.beside : undefined}
                onPress={() => loyalty.open()}
              >
                <span>{t('home.bonus')}</span>
              </Chip>
            )}
            {doublable && (
              <Chip icon="play" onPress={() => daily.open()}>
                {t('daily.again')}
              </Chip>
            )}
          </span>
        ) : running ? (
          <span className={text.over}>{t('home.left', { count: Math.max(0, total - day) })}</span>
        ) : null}
      </div>
      <DayTrail
        day={{ ahead: 0, running: day, over: total }[season]}
        total={total}
        label={running ? undefined : `${before}${fact}${after}`}
        className={styles.trail}
      />
    </section>
  );
});

/** What there is to do, and once that is nothing, what was done. */
const Scene = observer(function Scene() {
  if (useRoot().settings.season !== 'over') return <BagCard />;
  return (
    <Suspense fallback={<Skeleton height={recapHeight} radius={16} />}>
      <RecapCard />
    </Suspense>
  );
});

const BagCard = observer(function BagCard() {
  const { tap, energy, settings, user } = useRoot();
  const { t } = useTranslation();
  const language = useLanguage();
  const open = settings.season === 'running';
  const level = (
    <Badge tone="veil" size="l" icon="bolt" className={styles.energy}>
      {energy.value
        ? t('home.energy', {
            energy: formatInteger(tap.counter.energyLeft, language),
            max: formatInteger(energy.value.max_energy, language),
          })
        : '…'}
    </Badge>
  );
  if (open && energy.value && !tap.counter.hasEnergy)
    return (
      <section className={cx(styles.scene, styles.empty)}>
        <Link to="/tap" className={cx(flex.column, styles.sceneWords)}>
          <h2 className={cx(text.title, styles.sceneTitle)}>{t('tap.depleted')}</h2>
          {level}
          <NextDay words="tap.refill" className={text.sub} />
          <img src={bag} alt="" className={styles.bag} />
        </Link>
        <Link
          to="/roulette"
          className={cx(flex.line, styles.start, !user.user?.balance.daily_spins && styles.calm)}
          onClick={() => haptics.press()}
        >
          {t('tap.wheel')}
        </Link>
      </section>
    );
  return (
    <Link to="/tap" className={cx(styles.scene, !open && styles.shut)} onClick={() => haptics.press()}>
      <div className={cx(flex.column, styles.sceneWords)}>
        <h2 className={cx(text.title, styles.sceneTitle)}>{t(open ? 'home.bag' : 'home.bag_closed')}</h2>
        {level}
        {/* The whole card is the link; this only looks like the button it is. */}
        <span className={cx(flex.line, styles.start, !open && styles.calm)}>
          {t(open ? 'home.start' : 'home.look')}
        </span>
      </div>
      <img src={bag} alt="" className={styles.bag} />
    </Link>
  );
});

const Tiles = observer(function Tiles() {
  const { advice } = useRoot();
  const { t } = useTranslation();
  return (
    <div className={tiles.tiles}>
      <MinesTile />
      <button
        type="button"
        className={tiles.tile}
        aria-haspopup="dialog"
        aria-busy={advice.doing === 'asking'}
        disabled={!advice.ready}
        onClick={() => advice.request()}
      >
        <img src={crystal} alt="" />
        {advice.ready && (
          <Badge tone="jade" className={tiles.badge}>
            {t('home.advice_ready')}
          </Badge>
        )}
        {advice.done && (
          <Badge tone="moss" icon="check" className={tiles.badge}>
            {t('home.advice_done')}
          </Badge>
        )}
        <b className={text.row}>{t('home.advice')}</b>
        <span className={text.sub}>
          <AdviceNote />
        </span>
      </button>
    </div>
  );
});

/** When there is advice. */
const AdviceNote = observer(function AdviceNote() {
  const { advice } = useRoot();
  const { t } = useTranslation();
  const season = useSeasonNote();
  if (season !== null) return season;
  if (advice.done) return <NextDay words="home.advice_next" otherwise={t('home.advice_note')} />;
  return t('home.advice_note');
});
