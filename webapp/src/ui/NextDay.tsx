import { observer } from 'mobx-react-lite';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useRoot } from '../app/RootContext';
import { clock } from '../format';
import text from './text.module.css';

type Props = {
  /** What the next day brings, and when. */
  words: 'home.advice_next' | 'tap.refill' | 'tasks.next' | 'wheel.refill';
  /** Shown on the season's last day; within a button screen readers read it instead of the seconds. */
  otherwise?: string;
  className?: string | undefined;
};

/** The time left until 00:00 UTC, when the game's next day begins. */
export const NextDay = observer(function NextDay({ words, otherwise = '', className }: Props) {
  const { clock: time, settings } = useRoot();
  const { t } = useTranslation();
  // After midnight the new day is loading: a countdown of 24 hours would be wrong.
  const [day] = useState(time.dayStart);
  if (!settings.tomorrow) return otherwise;
  const left = time.dayStart === day ? time.untilNextDay : 0;
  const label = t(words, { time: clock(left) });
  if (!otherwise)
    return (
      <span role="timer" className={className}>
        {label}
      </span>
    );
  return (
    <>
      <span className={className} aria-hidden="true">
        {label}
      </span>
      <span className={text.unseen}>{otherwise}</span>
    </>
  );
});
