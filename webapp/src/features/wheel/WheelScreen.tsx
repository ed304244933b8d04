import { observer } from 'mobx-react-lite';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import { useLanguage, useRoot } from '../../app/RootContext';
import { fromMicro, toMicro } from '../../format';
import { Amount } from '../../ui/Amount';
import { cx } from '../../ui/cx';
import { DotStreak } from '../../ui/DotStreak';
import flex from '../../ui/flex.module.css';
import { RetryButton } from '../../ui/RetryButton';
import { Screen } from '../../ui/Screen';
import text from '../../ui/text.module.css';
import { useCount } from '../../ui/useCount';
import { SpinButtons } from './SpinButtons';
import { Wheel } from './Wheel';
import styles from './WheelScreen.module.css';
import { prizeWords } from './words';

/** Spec §9: golden spin after a 7-day streak. */
const week = 7;

export const WheelScreen = observer(function WheelScreen() {
  const { wheel } = useRoot();
  const { t } = useTranslation();
  return (
    <Screen ground={wheel.isGolden ? 'golden' : 'contours'} className={styles.screen}>
      <h1 className={cx(text.title, text.center)}>{t('screens.roulette')}</h1>
      <Won />
      <div className={styles.box}>
        <Wheel />
        <Link to="/roulette/fairness" className={cx(text.sub, styles.fair)}>
          <span>{t('wheel.fair')}</span>
        </Link>
      </div>
      {wheel.resource.state.is === 'failed' ? <Failed /> : <Streak />}
      <SpinButtons />
      <Announcement />
    </Screen>
  );
});

const Won = observer(function Won() {
  const { wheel } = useRoot();
  const { t } = useTranslation();
  // Millionths, so that what is shown on the way is as exact as the rest.
  const won = useCount(toMicro(wheel.won), true);
  const points = useCount(wheel.points, true);
  return (
    <section className={styles.won}>
      <div>
        <span className={text.over}>{t('wheel.won')}</span>
        <Amount asset="coin" size="m" value={fromMicro(Math.floor(won))} />
      </div>
      <div>
        <span className={text.over}>{t('wheel.points')}</span>
        <Amount asset="points" size="m" value={points} />
      </div>
    </section>
  );
});

const Streak = observer(function Streak() {
  const { wheel, settings } = useRoot();
  const { t } = useTranslation();
  const { status, golden, streak } = wheel;
  const done = golden ? week : Math.min(streak, week - 1);
  const over = settings.season === 'over';
  const daysLeft = status?.spun_today ? settings.daysLeft - 1 : settings.daysLeft;
  return (
    <section className={cx(flex.column, styles.streak)}>
      <DotStreak done={done} />
      <p className={cx(text.sub, styles.hint)}>
        {golden && !over ? (
          <>
            <b>{t('wheel.golden_open')}</b> {t('wheel.golden_pays')}
          </>
        ) : status ? (
          !over && week - done <= daysLeft ? (
            t('wheel.hint', { count: week - done })
          ) : (
            t('wheel.no_golden')
          )
        ) : (
          // Unseen it takes the room that it will need, so that the wheel keeps its size.
          <span className={styles.awaited} aria-hidden="true">
            {t('wheel.hint', { count: week })}
          </span>
        )}
      </p>
    </section>
  );
});

const Failed = observer(function Failed() {
  const { wheel } = useRoot();
  const { t } = useTranslation();
  return (
    <section className={cx(flex.between, flex.roomy, styles.failed)}>
      <span className={text.over}>{t('wheel.failed')}</span>
      <RetryButton onPress={() => wheel.load()} />
    </section>
  );
});

/** Announces the wheel's result to screen readers. */
const Announcement = observer(function Said() {
  const { wheel } = useRoot();
  const { t } = useTranslation();
  const language = useLanguage();
  const won = wheel.prize.spin;
  return (
    <p className={text.unseen} aria-live="polite">
      {wheel.spinning && t('wheel.turning')}
      {won && `${t('wheel.you_won')}. ${prizeWords(won.reward, t, language)}`}
    </p>
  );
});
