import { observer } from 'mobx-react-lite';
import { type MouseEvent, type PointerEvent, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useLanguage } from '../../app/RootContext';
import { formatAmount, toMicro } from '../../format';
import { formatTrimmed } from '../../formatTrimmed';
import { haptics } from '../../telegram';
import { cx } from '../../ui/cx';
import { Icon } from '../../ui/Icon';
import { TapEffects } from '../digging/TapEffects';
import bag from '../tap/Bag.module.css';
import type { Mines } from './Mines';
import { useMines } from './MinesContext';
import styles from './Ore.module.css';
import { oreOf } from './ores';

/** The ore of the highest mine between the timber. A dig is drawn straight into the page, as a tap on the bag is. */
export const Ore = observer(function Ore() {
  const mines = useMines();
  const { t } = useTranslation();
  const language = useLanguage();
  const stage = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const effects = useRef<TapEffects>(null);
  const { status, top } = mines;
  const shown = top ?? status?.available_levels[0] ?? null;
  const { art, name } = oreOf(shown?.level ?? 1);

  useEffect(() => {
    if (!stage.current || !button.current) return;
    const drawn = new TapEffects(stage.current, button.current, {
      float: bag.float ?? '',
      ripple: bag.ripple ?? '',
    });
    effects.current = drawn;
    return () => drawn.clear();
  }, []);

  function touch(x: number, y: number) {
    const result = mines.dig();
    if (result.is === 'counted' && top) {
      haptics.impact('light');
      effects.current?.show(x, y, `+${formatAmount(toMicro(top.mcbk_per_tap), 2, language)}`);
    } else if (result.is === 'no energy' && result.first) {
      haptics.notify('warning');
    }
  }

  // Each finger is a pointer of its own and may dig in turn; one within 100 ms of another is ignored (spec §9).
  function press(event: PointerEvent) {
    // Without a mine a press asks a question, which may not come under a finger that is still down.
    if (event.button === 0 && top) touch(event.clientX, event.clientY);
  }

  // A keyboard or a screen reader clicks without a pointer.
  function click(event: MouseEvent<HTMLButtonElement>) {
    if (event.detail > 0 && top) return;
    const box = event.currentTarget.getBoundingClientRect();
    touch(box.left + box.width / 2, box.top + box.height / 3);
  }

  const hint = hintOf(mines);
  return (
    <div ref={stage} className={cx(bag.stage, styles.stage, hint !== null && bag.empty)}>
      <button
        ref={button}
        type="button"
        className={cx(bag.bag, styles.ore)}
        aria-label={t('mines.dig', { ore: t(name) })}
        onPointerDown={press}
        onClick={click}
        onKeyDown={(event) => event.repeat && event.preventDefault()}
        onContextMenu={(event) => event.preventDefault()}
      >
        <img src={art} alt="" draggable={false} />
        {status && !top && <Icon name="lock" size={44} className={styles.lock} />}
      </button>
      <div className={styles.plate}>
        <b>{t('mines.mine', { ore: t(name) })}</b>
        <span>
          {shown ? t('mines.per_tap', { value: formatTrimmed(shown.mcbk_per_tap, language) }) : '…'}
        </span>
      </div>
      {hint && (
        <p className={styles.hint} role="status">
          {t(hint)}
        </p>
      )}
    </div>
  );
});

/** Why the ore cannot be dug; null where it can, or nobody knows yet. */
function hintOf(mines: Mines) {
  const { status, running, closedWords, top, sold, canDig } = mines;
  if (!status) return null;
  if (status.tournament.status === 'scheduled') return 'mines.hint_scheduled';
  if (!running) return 'mines.hint_closed';
  if (closedWords) return closedWords;
  if (!top) return sold ? 'mines.hint_locked' : 'mines.upgrade_closed';
  return canDig ? null : 'mines.hint_empty';
}
