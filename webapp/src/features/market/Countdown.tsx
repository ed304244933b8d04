import { observer } from 'mobx-react-lite';
import { useTranslation } from 'react-i18next';
import { useRoot } from '../../app/RootContext';
import { left, twoDigits } from './left';

type Props = {
  /** Milliseconds since 1970, by the server's clock. */
  until: number;
  /** Leaves out the hours while there are none, as for an order's quarter of an hour. */
  short?: boolean;
  className?: string | undefined;
};

/** The time left, ticking: "9 d 21:48:09", "21:48:09", or "14:59". */
export const Countdown = observer(function Countdown({ until, short = false, className }: Props) {
  const { clock } = useRoot();
  const { t } = useTranslation();
  const { days, hours, minutes, seconds } = left(until - clock.now);
  const parts = short && hours === 0 ? [minutes, seconds] : [hours, minutes, seconds];
  const time = parts.map(twoDigits).join(':');
  return (
    <span role="timer" className={className}>
      {days > 0 && `${t('market.days', { count: days })} `}
      {time}
    </span>
  );
});
