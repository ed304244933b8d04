import { observer } from 'mobx-react-lite';
import { type ReactNode, useLayoutEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useLanguage, useRoot } from '../../app/RootContext';
import { useSeasonNote } from '../../app/useSeasonNote';
import { formatInteger } from '../../format';
import { Button } from '../../ui/Button';
import { NextDay } from '../../ui/NextDay';
import { maxSpins } from './prize';
import styles from './WheelScreen.module.css';

/** Spec §5: which of them may be pressed. The golden one replaces both, unless there is no spin left to be used for it. */
export const SpinButtons = observer(function SpinButtons() {
  const { wheel } = useRoot();
  const pressed = useRef<HTMLElement>(null);
  const { spinning } = wheel;
  // A button that cannot be pressed loses the focus. It has it back before the win modal takes it, and so again after that.
  useLayoutEffect(() => {
    if (spinning) return;
    if (document.activeElement === document.body) pressed.current?.focus();
    pressed.current = null;
  }, [spinning]);
  const spin = (golden: boolean) => {
    const focused = document.activeElement;
    pressed.current = focused instanceof HTMLButtonElement ? focused : null;
    void wheel.spin(golden);
  };
  const none = wheel.status?.daily_spins === 0;
  return (
    <div className={styles.spins}>
      {(!wheel.golden || none) && <AdSpin first={none} />}
      <Spin key={String(wheel.golden)} golden={wheel.golden} onPress={() => spin(wheel.golden)} />
    </div>
  );
});

const AdSpin = observer(function AdSpin({ first }: { first: boolean }) {
  const { wheel } = useRoot();
  const { t } = useTranslation();
  return (
    <Button
      variant={first ? 'primary' : 'secondary'}
      height={56}
      width="grow"
      icon="play"
      disabled={!wheel.canTakeAdSpin}
      onPress={() => wheel.takeAdSpin()}
    >
      <TwoLines over={t('wheel.ad')} under={useAdNote()} />
    </Button>
  );
});

/** Why the wheel cannot be spun at all. */
function useClosedNote(): string | null {
  const { wheel } = useRoot();
  const { t } = useTranslation();
  return useSeasonNote() ?? (wheel.closed ? t('errors.maintenance') : null);
}

function useAdNote(): string {
  const { wheel, ads } = useRoot();
  const { t } = useTranslation();
  const closed = useClosedNote();
  const { status } = wheel;
  if (!status) return '…';
  if (closed !== null) return closed;
  if (ads.isUnavailable) return t('ads.off');
  if (wheel.adSpinDue) return t('ads.awaited');
  if (status.ad_spins > 0 && status.daily_spins >= maxSpins) return t('wheel.full', { most: maxSpins });
  return t('wheel.ad_left', { count: status.ad_spins });
}

type SpinProps = { golden: boolean; onPress: () => void };

const Spin = observer(function Spin({ golden, onPress }: SpinProps) {
  const { wheel } = useRoot();
  const { t } = useTranslation();
  const language = useLanguage();
  const left = wheel.status?.daily_spins;
  const words = (count: number) =>
    golden
      ? t('wheel.golden_left', { count })
      : t('wheel.free_left', { count, left: formatInteger(count, language) });
  return (
    <Button
      variant={left === 0 ? 'secondary' : 'primary'}
      height={56}
      width="grow"
      loading={wheel.turn.is === 'asking'}
      disabled={golden ? !wheel.canSpinGolden : !wheel.canSpin}
      onPress={onPress}
    >
      <TwoLines
        over={t(golden ? 'wheel.golden' : 'wheel.free')}
        under={left === undefined ? '…' : <SpinsLeft left={left} words={words(left)} />}
      />
    </Button>
  );
});

/** How many spins there are; without any, when there are new ones. */
const SpinsLeft = observer(function Left({ left, words }: { left: number; words: string }) {
  const closed = useClosedNote();
  if (closed !== null) return closed;
  return left === 0 ? <NextDay words="wheel.refill" otherwise={words} /> : words;
});

function TwoLines({ over, under }: { over: string; under: ReactNode }) {
  return (
    <span className={styles.two}>
      <b>{over}</b>
      <small>{under}</small>
    </span>
  );
}
