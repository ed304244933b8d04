import { observer } from 'mobx-react-lite';
import { useTranslation } from 'react-i18next';
import type { EnergyInfo } from '../../api/types';
import { GameSheet } from '../../app/GameSheet';
import { useLanguage, useRoot } from '../../app/RootContext';
import { formatInteger } from '../../format';
import { Badge } from '../../ui/Badge';
import { Button } from '../../ui/Button';
import { cx } from '../../ui/cx';
import flex from '../../ui/flex.module.css';
import { Icon } from '../../ui/Icon';
import { List, ListRow } from '../../ui/List';
import look from '../../ui/List.module.css';
import { Progress } from '../../ui/Progress';
import text from '../../ui/text.module.css';
import { levels } from './energyLevels';
import styles from './Levels.module.css';

export function Levels() {
  const { t } = useTranslation();
  return (
    <GameSheet name="levels" title={t('tap.progress')}>
      <Rows />
    </GameSheet>
  );
}

/** Spec §3: the energy of each level and the spins it takes; the player's own is marked once loaded. */
const Rows = observer(function Rows() {
  const { energy } = useRoot();
  const { t } = useTranslation();
  const language = useLanguage();
  const own = energy.value?.level_info.current_level ?? null;
  return (
    <>
      {energy.value && <Now info={energy.value} />}
      <List raised className={look.numbered}>
        {levels.map(({ level, energy: max, spins: needed }) => (
          <ListRow
            key={level}
            lead={
              <span
                className={cx(
                  look.number,
                  level === own && styles.current,
                  own !== null && level > own && text.faint,
                )}
              >
                {level}
              </span>
            }
            title={t('tap.level_energy', { energy: formatInteger(max, language) })}
            note={
              needed === 0
                ? t('tap.from_start')
                : t('tap.level_spins', { count: needed, spins: formatInteger(needed, language) })
            }
            locked={own !== null && level > own}
            end={
              own === null ? null : level < own ? (
                <Badge tone="moss" icon="check">
                  {t('tap.level_done')}
                </Badge>
              ) : level === own ? (
                <Badge tone="gold">{t('tap.level_now')}</Badge>
              ) : (
                <span className={text.faint}>
                  <Icon name="lock" size={18} />
                  <span className={text.unseen}>{t('tap.level_locked')}</span>
                </span>
              )
            }
          />
        ))}
      </List>
      <Button height={56} to="/roulette">
        {t('tap.wheel')}
      </Button>
    </>
  );
});

/** How far the next level is. */
function Now({ info }: { info: EnergyInfo }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const { level_info: now, total_roulette_spins: spins } = info;
  if (now.is_max_level) return <p className={text.over}>{t('tap.max', { level: now.current_level })}</p>;
  const goal = spins + now.spins_to_next_level;
  const words = t('tap.to_level', { level: now.current_level + 1 });
  return (
    <div className={cx(flex.column, styles.now)}>
      <div className={cx(flex.between, flex.roomy, styles.line)}>
        <span className={text.over}>{words}</span>
        <span className={text.numS}>
          {formatInteger(spins, language)}{' '}
          <span className={text.over}>{t('tap.of_spins', { spins: formatInteger(goal, language) })}</span>
        </span>
      </div>
      <Progress value={Math.round(now.progress_to_next * 1000)} max={1000} label={words} />
    </div>
  );
}
