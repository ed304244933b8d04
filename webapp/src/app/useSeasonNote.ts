import { useTranslation } from 'react-i18next';
import { localDay } from '../format';
import { useLanguage, useRoot } from './RootContext';

/** What stands on a thing that can be had only in the season, out of it; null while it runs. Where there is room, it has the time too. */
export function useSeasonNote(written = localDay): string | null {
  const { settings } = useRoot();
  const { t } = useTranslation();
  const language = useLanguage();
  if (settings.season === 'ahead') return t('home.starts', { date: written(settings.startsAt, language) });
  return settings.season === 'over' ? t('home.season_over') : null;
}
