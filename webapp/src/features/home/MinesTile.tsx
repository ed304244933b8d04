import { observer } from 'mobx-react-lite';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import { useLanguage, useRoot } from '../../app/RootContext';
import { useSeasonNote } from '../../app/useSeasonNote';
import copper from '../../art/ore-copper.svg';
import { clock, formatInteger, localDay } from '../../format';
import { Badge } from '../../ui/Badge';
import text from '../../ui/text.module.css';
import styles from './Home.module.css';

/** Milliseconds. */
const day = 86_400_000;

/** The way into the mines. */
export function MinesTile() {
  const { t } = useTranslation();
  return (
    <Link to="/mines" className={styles.tile}>
      <img src={copper} alt="" />
      <MinesState />
      <b className={text.row}>{t('home.mines')}</b>
      <span className={text.sub}>
        <MinesNote />
      </span>
    </Link>
  );
}

/** Ore can be dug now. */
const MinesState = observer(function MinesState() {
  const { t } = useTranslation();
  const ore = useOre();
  if (!ore || ore.left === 0) return null;
  return (
    <Badge tone="gold" className={styles.badge}>
      {t('home.mines_ready')}
    </Badge>
  );
});

/** How the player's mine stands, or the tournament for who has none. */
const MinesNote = observer(function MinesNote() {
  const { clock: time, minesSummary } = useRoot();
  const { t } = useTranslation();
  const language = useLanguage();
  const season = useSeasonNote();
  const ore = useOre();
  const { tournament } = minesSummary.value ?? {};
  if (season !== null) return season;
  if (!tournament) return t('home.mines_note');
  if (tournament.status === 'scheduled')
    return t('home.starts', { date: localDay(Date.parse(tournament.starts_at), language) });
  const ends = Date.parse(tournament.ends_at) - time.now;
  if (tournament.status !== 'running' || ends <= 0) return t('home.mines_over');
  if (!ore) return t('home.left', { count: Math.ceil(ends / day) });
  if (ore.left === 0) return t('home.advice_next', { time: clock(ore.fullAt - time.now) });
  return t('home.energy', {
    energy: formatInteger(ore.left, language),
    max: formatInteger(ore.max, language),
  });
});

/** What the player can dig; null where they cannot. */
function useOre() {
  const { clock: time, minesSummary, settings } = useRoot();
  const { current_mine_level = 0, energy_info, tournament } = minesSummary.value ?? {};
  if (!energy_info || current_mine_level === 0 || settings.season !== 'running') return null;
  if (tournament?.status !== 'running' || Date.parse(tournament.ends_at) <= time.now) return null;
  const { current, max, full_at } = energy_info;
  const fullAt = Date.parse(full_at);
  return { left: time.now >= fullAt ? max : current, max, fullAt };
}
