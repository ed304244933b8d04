import { observer } from 'mobx-react-lite';
import { type MouseEvent, type PointerEvent, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLanguage, useRoot } from '../../app/RootContext';
import bag from '../../art/money-bag.svg';
import { amount, clock, micro } from '../../format';
import { haptics } from '../../telegram';
import { cx } from '../../ui/cx';
import { Icon } from '../../ui/Icon';
import styles from './Bag.module.css';
import { Sparks } from './Sparks';

/** The money bag. A tap is drawn straight into the page, so that React has nothing to do for it. */
export const Bag = observer(function Bag() {
  const { tap, energy } = useRoot();
  const { t } = useTranslation();
  const language = useLanguage();
  const stage = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const sparks = useRef<Sparks>(null);
  const [tapped, setTapped] = useState(false);
  const empty = energy.info !== null && !tap.canTap;

  useEffect(() => {
    if (!stage.current || !button.current) return;
    const drawn = new Sparks(stage.current, button.current, {
      float: styles.float ?? '',
      ripple: styles.ripple ?? '',
    });
    sparks.current = drawn;
    return () => drawn.clear();
  }, []);

  function touch(x: number, y: number) {
    const result = tap.tap();
    if (result.is === 'counted' && energy.info) {
      haptics.impact('light');
      sparks.current?.show(x, y, `+${amount(micro(energy.info.mcbk_per_tap), 3, language)}`);
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
    <div ref={stage} className={cx(styles.stage, empty && styles.empty)}>
      <button
        ref={button}
        type="button"
        className={styles.bag}
        aria-label={t('tap.bag')}
        onPointerDown={press}
        onClick={click}
        onKeyDown={(event) => event.repeat && event.preventDefault()}
        onContextMenu={(event) => event.preventDefault()}
      >
        <img src={bag} alt="" draggable={false} />
      </button>
      {empty ? (
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
  const { clock: time } = useRoot();
  // After midnight the new day's energy is on its way: it must not be said to come in a day.
  const [day] = useState(time.dayStart);
  const left = time.dayStart === day ? time.untilNextDay : 0;
  return (
    <p className={cx(styles.hint, styles.night)} role="status">
      <Icon name="moon" size={18} />
      <span>
        {t('tap.depleted')}
        <span className={styles.refill} aria-hidden="true">
          {t('tap.refill', { time: clock(left) })}
        </span>
      </span>
    </p>
  );
});
