import { observer } from 'mobx-react-lite';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import { useLanguage, useRoot } from '../../app/RootContext';
import { useSeasonNote } from '../../app/useSeasonNote';
import copper from '../../art/ore-copper.svg';
import { clock, formatInteger, localDay } from '../../format';
import { Badge } from '../../ui/Badge';
import text from '../../ui/text.module.css';
import { mineCalls, mineState } from './MineState';
import styles from './Tiles.module.css';

/** Milliseconds. */
const day = 86_400_000;

/** The way into the mines. */
export function MinesTile() {
  const { t } = useTranslation();
  return (
    <Link to="/mines" className={styles.tile}>
      <img src={copper} alt="" />
      <Call />
      <b className={text.row}>{t('home.mines')}</b>
      <span className={text.sub}>
        <MinesNote />
      </span>
    </Link>
  );
}

/** What there is to do. */
const Call = observer(function Call() {
  const { t } = useTranslation();
  const { is } = mineState(useRoot());
  if (is !== 'full' && is !== 'digging' && is !== 'result') return null;
  return (
    <Badge tone="gold" className={styles.badge}>
      {t(mineCalls[is])}
    </Badge>
  );
});

/** The state of the player's mine and their ore, or of the tournament for players without a mine. */
const MinesNote = observer(function MinesNote() {
  const root = useRoot();
  const { t } = useTranslation();
  const language = useLanguage();
  const season = useSeasonNote();
  const mine = mineState(root);
  const { tournament, tournament_mcbk: dug = 0 } = root.minesSummary.value ?? {};
  const ore = t('home.ore', { ore: formatInteger(dug, language) });
  if (mine.is === 'result') return ore;
  if (season !== null) return season;
  if (!tournament || mine.is === 'unknown') return t('home.mines_note');
  if (mine.is === 'scheduled')
    return t('home.starts', { date: localDay(Date.parse(tournament.starts_at), language) });
  if (mine.is === 'over') return t('home.mines_over');
  if (mine.is === 'none')
    return t('home.left', { count: Math.ceil((Date.parse(tournament.ends_at) - root.clock.now) / day) });
  if (mine.is === 'empty')
    return (
      <>
        {ore}
        <br />
        {t('home.mines_refills', { time: clock(mine.fullAt - root.clock.now) })}
      </>
    );
  return ore;
});
