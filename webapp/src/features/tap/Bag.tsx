import { observer } from 'mobx-react-lite';
import { type MouseEvent, type PointerEvent, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLanguage, useRoot } from '../../app/RootContext';
import bag from '../../art/money-bag.svg';
import { formatAmount, localTime, toMicro } from '../../format';
import { haptics } from '../../telegram';
import { cx } from '../../ui/cx';
import { Icon } from '../../ui/Icon';
import { NextDay } from '../../ui/NextDay';
import { TapEffects } from '../digging/TapEffects';
import styles from './Bag.module.css';

/** The money bag. A tap is drawn straight into the page, so that React has nothing to do for it. */
export const Bag = observer(function Bag() {
  const { tap, energy } = useRoot();
  const { t } = useTranslation();
  const language = useLanguage();
  const stage = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const effects = useRef<TapEffects>(null);
  const [tapped, setTapped] = useState(false);
  const closed = !tap.running;
  const empty = energy.info !== null && !tap.canTap;

  useEffect(() => {
    if (!stage.current || !button.current) return;
    const drawn = new TapEffects(stage.current, button.current, {
      float: styles.float ?? '',
      ripple: styles.ripple ?? '',
    });
    effects.current = drawn;
    return () => drawn.clear();
  }, []);

  function touch(x: number, y: number) {
    const result = tap.tap();
    if (result.is === 'counted' && energy.info) {
      haptics.impact('light');
      effects.current?.show(x, y, `+${formatAmount(toMicro(energy.info.mcbk_per_tap), 3, language)}`);
      if (!tapped) setTapped(true);
    } else if (result.is === 'no energy' && result.first) {
      haptics.notify('warning');
    }
  }

  // Each finger is a pointer of its own and may tap in turn; one within 100 ms of another is ignored (spec §4).
  function press(event: PointerEvent) {
    if (event.button === 0) touch(event.clientX, event.clientY);
  }

  // A keyboard or a screen reader clicks without a pointer.
  function click(event: MouseEvent<HTMLButtonElement>) {
    if (event.detail > 0) return;
    const box = event.currentTarget.getBoundingClientRect();
    touch(box.left + box.width / 2, box.top + box.height / 3);
  }

  return (
    <div ref={stage} className={cx(styles.stage, (closed || empty) && styles.empty)}>
      <button
        ref={button}
        type="button"
        className={styles.bag}
        aria-label={t('tap.bag')}
        disabled={closed}
        onPointerDown={press}
        onClick={click}
        onKeyDown={(event) => event.repeat && event.preventDefault()}
        onContextMenu={(event) => event.preventDefault()}
      >
        <img src={bag} alt="" draggable={false} />
      </button>
      {closed ? (
        <Closed />
      ) : empty ? (
        <Depleted />
      ) : energy.info === null ? null : (
        <p className={cx(styles.hint, tapped && styles.seen)} aria-hidden={tapped}>
          {t('tap.hint')}
        </p>
      )}
    </div>
  );
});

const Depleted = observer(function Depleted() {
  const { t } = useTranslation();
  return (
    <p className={cx(styles.hint, styles.night)}>
      <Icon name="moon" size={18} />
      <span>
        <span role="status">{t('tap.depleted')}</span>
        <NextDay words="tap.refill" className={styles.refill} />
      </span>
    </p>
  );
});

/** Out of the season: when it starts, or that it is over. */
const Closed = observer(function Closed() {
  const { settings } = useRoot();
  const { t } = useTranslation();
  const language = useLanguage();
  const ahead = settings.season === 'ahead';
  return (
    <p className={cx(styles.hint, styles.night)} role="status">
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
