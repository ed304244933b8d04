import { observer } from 'mobx-react-lite';
import { useTranslation } from 'react-i18next';
import type { Task } from '../../api/types';
import { GameSheet } from '../../app/GameSheet';
import { useLanguage, useRoot } from '../../app/RootContext';
import type { Path } from '../../app/routes';
import { useSeasonNote } from '../../app/useSeasonNote';
import gift from '../../art/wrapped-gift.svg';
import { formatInteger, localTime } from '../../format';
import { Amount } from '../../ui/Amount';
import { Badge } from '../../ui/Badge';
import { Button } from '../../ui/Button';
import { cx } from '../../ui/cx';
import { Empty } from '../../ui/Empty';
import flex from '../../ui/flex.module.css';
import { Icon } from '../../ui/Icon';
import { List, ListRow, RowIcon } from '../../ui/List';
import { NextDay } from '../../ui/NextDay';
import { Progress } from '../../ui/Progress';
import { Skeleton } from '../../ui/Skeleton';
import text from '../../ui/text.module.css';
import { Waiting } from '../../ui/Waiting';
import { picture } from './pictures';
import styles from './Tasks.module.css';

/** Claimable tasks first, claimed ones last. */
const order = { completed: 0, active: 1, claimed: 2 } as const;

export function Tasks() {
  const { t } = useTranslation();
  return (
    <GameSheet name="tasks" title={t('home.tasks')} end={<Count />}>
      <Content />
    </GameSheet>
  );
}

/** How many of the day's tasks are done. */
const Count = observer(function Count() {
  const { tasks } = useRoot();
  const { t } = useTranslation();
  if (!tasks.open || tasks.daily.length === 0) return null;
  return <Badge>{t('tasks.of', { done: tasks.done, total: tasks.daily.length })}</Badge>;
});

const Content = observer(function Content() {
  const { tasks, settings } = useRoot();
  const { t } = useTranslation();
  if (tasks.resource.state.is === 'loading')
    return (
      <div className={styles.loading}>
        <SkeletonRows />
        <Waiting className={styles.spinner} />
      </div>
    );
  if (tasks.resource.state.is === 'failed')
    return <Empty icon="offline" title={t('errors.tasks_load')} onRetry={() => void tasks.retry()} />;
  return (
    <>
      <SeasonNote />
      {tasks.daily.length === 0 ? (
        <Empty
          art={gift}
          title={t('tasks.none')}
          {...(settings.tomorrow && { text: t('tasks.none_note') })}
        />
      ) : (
        <Rows label={t('home.tasks')} tasks={tasks.daily} />
      )}
      {tasks.permanent.length > 0 && (
        <>
          <h3 className={cx(text.over, styles.section)}>{t('tasks.special')}</h3>
          <Rows label={t('tasks.special')} tasks={tasks.permanent} />
        </>
      )}
      {tasks.allClaimed && (
        <p className={cx(text.sub, text.center)}>
          <NextDay words="tasks.next" />
        </p>
      )}
    </>
  );
});

/** Why nothing can be done, and what becomes of what was. */
const SeasonNote = observer(function SeasonNote() {
  const { tasks } = useRoot();
  const { t } = useTranslation();
  const season = useSeasonNote(localTime);
  if (season === null) return null;
  return (
    <p className={cx(flex.column, text.center, styles.season)}>
      <b className={text.row}>{season}</b>
      {tasks.waiting > 0 && <span className={text.sub}>{t('tasks.paid_anyway')}</span>}
    </p>
  );
});

function Rows({ label, tasks }: { label: string; tasks: readonly Task[] }) {
  const rows = tasks
    .map((task, place) => ({ task, art: picture(task, place) }))
    .sort((one, other) => order[one.task.status] - order[other.task.status]);
  return (
    <List raised label={label} className={styles.list}>
      {rows.map(({ task, art }) => (
        <TaskRow key={task.id} task={task} art={art} />
      ))}
    </List>
  );
}

/** Skeletons of two tasks. */
function SkeletonRows() {
  return (
    <div aria-hidden="true">
      <List raised className={styles.list}>
        {[1, 2].map((n) => (
          <ListRow
            key={n}
            className={styles.row}
            lead={<Skeleton width={40} height={40} radius={12} />}
            title={<Skeleton width="62%" className={styles.line} />}
            note={<Skeleton width="88%" height={12} className={styles.line} />}
            end={<Skeleton width={84} height={40} radius={12} />}
          >
            <Skeleton width={72} className={styles.line} />
          </ListRow>
        ))}
      </List>
    </div>
  );
}

/** Where a task is done; one without a place is done in its row. */
const places: Partial<Record<Task['action_type'], Path>> = {
  roulette_spin: '/roulette',
  watch_ads: '/roulette',
  tap_count: '/tap',
  energy_spend: '/tap',
  get_prediction: '/',
  invite_friends: '/referral',
};

const TaskRow = observer(function TaskRow({ task, art }: { task: Task; art: string }) {
  const { tasks, modals } = useRoot();
  const place = task.status === 'active' ? places[task.action_type] : undefined;
  return (
    <ListRow
      className={styles.row}
      lead={<RowIcon art={art} />}
      title={<span className={styles.title}>{task.title}</span>}
      {...(task.description && { note: <span className={styles.about}>{task.description}</span> })}
      {...(place === undefined
        ? { end: <Action task={task} /> }
        : tasks.open && {
            to: place,
            onPress: () => modals.closeSheet(),
            end: <Icon name="caretRight" size={18} className={text.faint} />,
          })}
    >
      {place !== undefined && tasks.open && <Done task={task} />}
      <Rewards task={task} />
    </ListRow>
  );
});

function Done({ task }: { task: Task }) {
  const language = useLanguage();
  const { current, target } = task.progress;
  return (
    <span className={flex.line}>
      <Progress
        value={current}
        max={target}
        tone="cream"
        size="s"
        label={task.title}
        className={styles.bar}
      />
      <span className={text.sub}>
        {formatInteger(current, language)}/{formatInteger(target, language)}
      </span>
    </span>
  );
}

function Rewards({ task }: { task: Task }) {
  return (
    <span className={styles.rewards}>
      {task.reward_coins > 0 && <Amount asset="coin" value={task.reward_coins} trim />}
      {task.reward_points > 0 && <Amount asset="points" value={task.reward_points} />}
    </span>
  );
}

/** The one thing to do about a task. */
const Action = observer(function Action({ task }: { task: Task }) {
  const { tasks } = useRoot();
  const { t } = useTranslation();
  const appearance = {
    height: 40,
    className: styles.action,
    loading: tasks.busy.has(task.id),
    disabled: !tasks.open,
  } as const;
  if (task.status === 'completed')
    return (
      <Button
        {...appearance}
        label={t('tasks.claim_of', { title: task.title })}
        onPress={() => tasks.claim(task)}
      >
        {t('tasks.claim')}
      </Button>
    );
  if (task.status === 'claimed')
    return (
      <Button {...appearance} variant="secondary" icon="check" disabled onPress={() => undefined}>
        {t('tasks.claimed')}
      </Button>
    );
  if (task.action_type === 'exchange_join')
    return (
      <Button
        {...appearance}
        variant="tertiary"
        label={t('tasks.visit_of', { title: task.title })}
        onPress={() => tasks.visit(task)}
      >
        {t('tasks.visit')}
      </Button>
    );
  return (
    <span className={styles.actions}>
      <Button
        {...appearance}
        variant="tertiary"
        label={t('tasks.check_of', { title: task.title })}
        onPress={() => tasks.check(task)}
      >
        {t('tasks.check')}
      </Button>
      <button type="button" className={cx(text.link, styles.channel)} onClick={() => tasks.openChannel(task)}>
        {t('tasks.channel')}
      </button>
    </span>
  );
});
