import { observer } from 'mobx-react-lite';
import { useTranslation } from 'react-i18next';
import { useLanguage } from '../../app/RootContext';
import { formatAmount, toMicro } from '../../format';
import { formatTrimmed } from '../../formatTrimmed';
import { Icon } from '../../ui/Icon';
import { TapTarget } from '../digging/TapTarget';
import type { Mines } from './Mines';
import { useMines } from './Mines';
import styles from './Ore.module.css';
import { oreOf } from './ores';

/** The ore of the highest mine between the timber; of the first one while the player has none. */
export const Ore = observer(function Ore() {
  const mines = useMines();
  const { t } = useTranslation();
  const language = useLanguage();
  const { status, top } = mines.tournament;
  const mine = top ?? status?.available_levels[0] ?? null;
  const { art, name } = oreOf(mine?.level ?? 1);
  const hint = hintOf(mines);
  return (
    <TapTarget
      art={art}
      piece={art}
      label={t('mines.dig', { ore: t(name) })}
      reward={formatAmount(toMicro(top?.mcbk_per_tap ?? 0), 2, language)}
      onTap={() => mines.dig()}
      tapOn={top ? 'pointerdown' : 'click'}
      empty={hint !== null}
      className={styles.stage}
      targetClassName={styles.ore}
      overlay={status && !top && <Icon name="lock" size={44} className={styles.lock} />}
    >
      <div className={styles.plate}>
        <b>{t('mines.mine', { ore: t(name) })}</b>
        <span>{mine ? t('mines.per_tap', { value: formatTrimmed(mine.mcbk_per_tap, language) }) : '…'}</span>
      </div>
      {hint && (
        <p className={styles.hint} role="status">
          {t(hint)}
        </p>
      )}
    </TapTarget>
  );
});

/** Why the ore cannot be dug; null where it can, or the status is not loaded. */
function hintOf({ tournament, digging, purchase }: Mines) {
  const { status, running, top } = tournament;
  if (!status) return null;
  if (status.tournament.status === 'scheduled') return 'mines.hint_scheduled';
  if (!running) return 'mines.hint_closed';
  if (digging.closedMessage) return digging.closedMessage;
  if (!top) return purchase.sold ? 'mines.hint_locked' : 'mines.upgrade_closed';
  return digging.canDig ? null : 'mines.hint_empty';
}
