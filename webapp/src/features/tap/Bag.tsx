import { observer } from 'mobx-react-lite';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLanguage, useRoot } from '../../app/RootContext';
import coin from '../../art/coin.svg';
import bag from '../../art/money-bag.svg';
import { formatAmount, localTime, toMicro } from '../../format';
import { cx } from '../../ui/cx';
import flex from '../../ui/flex.module.css';
import { Icon } from '../../ui/Icon';
import { NextDay } from '../../ui/NextDay';
import { TapTarget } from '../digging/TapTarget';
import styles from './Bag.module.css';

/** The money bag. */
export const Bag = observer(function Bag() {
  const { tap, energy } = useRoot();
  const { t } = useTranslation();
  const language = useLanguage();
  const [tapped, setTapped] = useState(false);
  const closed = !tap.running;
  const empty = energy.value !== null && !tap.canTap;

  function onTap() {
    const result = tap.tap();
    if (result.is === 'counted' && !tapped) setTapped(true);
    return result;
  }

  return (
    <TapTarget
      art={bag}
      piece={coin}
      label={t('tap.bag')}
      reward={formatAmount(toMicro(energy.value?.mcbk_per_tap ?? 0), 3, language)}
      onTap={onTap}
      disabled={closed}
      empty={closed || empty}
    >
      {closed ? (
        <Closed />
      ) : empty ? (
        <Depleted />
      ) : energy.value === null ? null : (
        <p className={cx(styles.hint, tapped && styles.seen)} aria-hidden={tapped}>
          {t('tap.hint')}
        </p>
      )}
    </TapTarget>
  );
});

function Depleted() {
  const { t } = useTranslation();
  return (
    <p className={cx(flex.line, styles.hint, styles.night)}>
      <Icon name="moon" size={18} />
      <span>
        <span role="status">{t('tap.depleted')}</span>
        <NextDay words="tap.refill" className={styles.refill} />
      </span>
    </p>
  );
}

/** Outside the season: when it starts, or that it is over. */
const Closed = observer(function Closed() {
  const { settings } = useRoot();
  const { t } = useTranslation();
  const language = useLanguage();
  const ahead = settings.season === 'ahead';
  return (
    <p className={cx(flex.line, styles.hint, styles.night)} role="status">
      <Icon name="calendar" size={18} />
      <span>
        {t(ahead ? 'tap.season_ahead' : 'tap.season_over')}
        <span className={styles.refill}>
          {ahead ? localTime(settings.startsAt, language) : t('tap.thanks')}
        </span>
      </span>
    </p>
  );
});
