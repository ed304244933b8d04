import { observer } from 'mobx-react-lite';
import { useTranslation } from 'react-i18next';
import { useRoot } from '../../app/RootContext';
import { useSeasonNote } from '../../app/useSeasonNote';
import { Badge } from '../../ui/Badge';
import { SheetHandle } from '../../ui/SheetHandle';

/** Home's handle of the panel: how far the day's tasks are, and what waits to be taken. */
export const TasksHandle = observer(function TasksHandle() {
  const { modals, tasks } = useRoot();
  const { t } = useTranslation();
  const season = useSeasonNote();
  const { done, daily } = tasks;
  // Out of the season nothing is to be taken: what waits is paid by itself.
  const waiting = tasks.open ? tasks.waiting : 0;
  const sum = t('tasks.done', { done, total: daily.length });
  const notes = {
    loading: t('tasks.every_day'),
    failed: t('errors.tasks_load'),
    ready: waiting > 0 ? `${sum}, ${t('tasks.waiting', { count: waiting })}` : sum,
  };
  return (
    <SheetHandle
      icon="checklist"
      title={t('home.tasks')}
      note={season ?? notes[tasks.resource.state.is]}
      quiet={!tasks.open}
      {...(waiting > 0 ? { end: <Badge tone="count">{waiting}</Badge> } : {})}
      onOpen={() => modals.openSheet('tasks')}
    />
  );
});
