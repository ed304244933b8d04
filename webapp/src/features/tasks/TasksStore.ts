import { flow, makeAutoObservable, observableRef } from 'mobx';
import { type ApiError, asApiError, isOutOfSeason } from '../../api/error';
import type { Task, TaskLists } from '../../api/types';
import type { RootStore } from '../../app/RootStore';
import type { Language } from '../../format';
import { errorKey } from '../../i18n/errors';
import { Resource } from '../../stores/Resource';
import { wait } from '../../stores/wait';
import { bonus } from '../daily/bonus';

/** The tasks, and what the player does about them. */
export class TasksStore {
  readonly resource: Resource<TaskLists>;
  /** Tasks with a call in flight, by `id`. */
  busy: ReadonlySet<number> = new Set();
  /** Their progress has changed since they were loaded. */
  isStale = false;
  /** Loading a change has failed; the next screen that shows them tries again. */
  hasMissedChange = false;
  readonly #root: RootStore;

  constructor(root: RootStore) {
    this.#root = root;
    this.resource = new Resource(() => root.api.tasks());
    makeAutoObservable(this, { resource: false, busy: observableRef, hasMissedChange: false });
  }

  get daily(): readonly Task[] {
    return this.resource.value?.tasks ?? [];
  }

  get permanent(): readonly Task[] {
    return this.resource.value?.permanent_tasks ?? [];
  }

  /** How many of today's tasks are done. */
  get done(): number {
    return this.daily.filter(({ status }) => status !== 'active').length;
  }

  /** How many rewards wait to be claimed. */
  get waiting(): number {
    return [...this.daily, ...this.permanent].filter(({ status }) => status === 'completed').length;
  }

  get open(): boolean {
    return this.#root.settings.season === 'running';
  }

  get allClaimed(): boolean {
    return this.daily.length > 0 && this.daily.every(({ status }) => status === 'claimed');
  }

  markStale(): void {
    this.isStale = true;
  }

  /** True if this answer was taken. */
  load = flow(function* (this: TasksStore) {
    const moved = this.isStale || this.hasMissedChange;
    this.isStale = false;
    this.hasMissedChange = false;
    const taken = yield* wait(this.resource.load());
    if (!taken) this.hasMissedChange ||= moved;
    return taken;
  });

  /** Spec §2: Retry. */
  retry = flow(function* (this: TasksStore) {
    yield this.load();
    if (this.resource.state.is === 'failed') this.#root.toasts.show('error', 'errors.tasks_fetch');
  });

  claim(task: Task): void {
    void this.runExclusive(task, 'errors.task_claim', async () => {
      const { user } = await this.#root.api.claimTask({ user_task_id: task.id });
      this.#root.user.accept(user);
      this.replaceTask({ ...task, status: 'claimed' });
      this.#root.rewarded();
      this.notify(task, user.language);
    });
  }

  private notify({ reward_coins: bonusCoin, reward_points: bonusPoints }: Task, language: Language): void {
    const { coins, points } = bonus({ bonusCoin, bonusPoints }, language);
    if (bonusCoin === 0) this.#root.toasts.show('success', 'toast.points', { points });
    else if (bonusPoints === 0) this.#root.toasts.show('success', 'toast.won_coins', { coins });
    else this.#root.toasts.show('success', 'toast.bonus', { coins, points });
  }

  /** Opens the page at once: a client blocks what is opened long after the press. */
  visit(task: Task): void {
    if (!this.open) return;
    this.#root.platform.host.openPage(task.external_url);
    void this.runExclusive(task, 'errors.task_link', async () => {
      this.replaceTask(
        (await this.#root.api.trackLink({ task_id: task.task_id, external_url: task.external_url })).task,
      );
    });
  }

  check(task: Task): void {
    void this.runExclusive(task, null, async () => {
      const { is_subscribed, task: now } = await this.#root.api.checkTelegram({
        task_id: task.task_id,
        channel_url: task.external_url,
      });
      this.replaceTask(now);
      if (!is_subscribed) this.#root.toasts.show('info', 'toast.not_subscribed');
    });
  }

  /** Shows the channel of a task, to be joined there. */
  openChannel(task: Task): void {
    this.#root.platform.host.openPage(task.external_url);
  }

  /** One call at a time for each task. A refusal shows `text`, without it, and out of the season, the code's own text. */
  private runExclusive = flow(function* (
    this: TasksStore,
    task: Task,
    text: 'errors.task_claim' | 'errors.task_link' | null,
    act: () => Promise<void>,
  ) {
    if (!this.open || this.busy.has(task.id)) return;
    this.busy = new Set([...this.busy, task.id]);
    try {
      yield act();
    } catch (error) {
      const refusal: ApiError = asApiError(error);
      // Another window or the day's end was faster, or the answer was lost: both are loaded again.
      const closed = isOutOfSeason(refusal);
      const own = closed ? null : text;
      if (refusal.code !== 'already_claimed') this.#root.toasts.show('error', own ?? errorKey(refusal.code));
      if (closed) this.#root.settings.load().catch(asApiError);
      void this.load();
      void this.#root.user.refresh();
    } finally {
      this.busy = new Set([...this.busy].filter((id) => id !== task.id));
    }
  });

  private replaceTask(task: Task): void {
    const lists = this.resource.value;
    if (!lists) return;
    const put = (list: readonly Task[]) => list.map((one) => (one.id === task.id ? task : one));
    this.resource.replace({ tasks: put(lists.tasks), permanent_tasks: put(lists.permanent_tasks) });
  }
}
