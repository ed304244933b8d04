import { Fragment } from 'react';
import { useTranslation } from 'react-i18next';
import crown from '../art/crown.svg';
import { Amount } from './Amount';
import { cx } from './cx';
import styles from './DotStreak.module.css';
import { Icon } from './Icon';

type Props = {
  /** Days in a row so far, 0 to 7; on the seventh the crown is open. */
  done: number;
  /** Picture of what waits on the seventh day; without it the crown of a golden spin. */
  end?: string;
  /** What each of the days pays. */
  rewards?: readonly { readonly coins: number; readonly points: number }[] | undefined;
  className?: string | undefined;
};

// spec §9: golden spin after a 7-day streak.
const days = [1, 2, 3, 4, 5, 6, 7];

/** Seven dots on a dotted line: done, the next one, those ahead, and the crown at the end. */
export function DotStreak({ done, end = crown, rewards = [], className }: Props) {
  const { t } = useTranslation();
  const label = t('common.streak', { done: Math.min(Math.max(done, 0), days.length), total: days.length });
  return (
    <div
      role="img"
      aria-label={label}
      className={cx(styles.streak, rewards.length > 0 && styles.paying, className)}
    >
      {days.map((day) => (
        <Fragment key={day}>
          {day > 1 && <span className={cx(styles.line, day <= done && styles.lineOn)} />}
          <span
            className={cx(
              styles.dot,
              day <= done && styles.on,
              day === done + 1 && styles.today,
              day === days.length && styles.last,
            )}
          >
            {day === days.length ? (
              <img src={end} alt="" width={22} height={22} />
            ) : day <= done ? (
              <Icon name="check" size={14} />
            ) : (
              day
            )}
            <Pay {...rewards[day - 1]} />
          </span>
        </Fragment>
      ))}
    </div>
  );
}

/** Below its dot. */
function Pay({ coins = 0, points = 0 }: { coins?: number; points?: number }) {
  return (
    <span className={styles.pay}>
      {coins > 0 && <Amount asset="coin" value={coins} trim />}
      {points > 0 && <Amount asset="points" value={points} />}
    </span>
  );
}
