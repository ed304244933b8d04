import { flow, makeAutoObservable, observableRef } from 'mobx';
import type { Api } from '../../api/client';
import { type ApiError, asApiError, outOfSeason } from '../../api/error';
import type { Task, TaskLists } from '../../api/types';
import type { Language } from '../../format';
import { errorKey } from '../../i18n/errors';
import { RequestSequence } from '../../stores/RequestSequence';
import type { SettingsStore } from '../../stores/SettingsStore';
import type { ToastStore } from '../../stores/ToastStore';
import type { UserStore } from '../../stores/UserStore';
import { wait } from '../../stores/wait';
import { bonus } from '../daily/bonus';

type Tasks = { is: 'loading' } | { is: 'known'; lists: TaskLists } | { is: 'failed' };

type Callbacks = {
  /** Opens a page outside of the game. */
  readonly open: (link: string) => void;
  /** A reward has come in. */
  readonly rewarded: () => void;
};

/** The tasks as the server last told them, and what the player does about one. */
export class TasksStore {
  tasks: Tasks = { is: 'loading' };
  /** Tried again by the player, who sees that. */
  retrying = false;
  /** Tasks with something under way, by `id`. */
  busy: ReadonlySet<number> = new Set();
  /** Something has moved them that no screen shows yet: whoever shows them asks for them first. */
  outdated = false;
  readonly #requests = new RequestSequence();
  /** What moved them was asked for in vain. Whoever shows them the next time asks again. */
  missed = false;

  readonly #api: Api;
  readonly #user: UserStore;
  readonly #settings: SettingsStore;
  readonly #toasts: ToastStore;
  readonly #callbacks: Callbacks;

  constructor(api: Api, user: UserStore, settings: SettingsStore, toasts: ToastStore, callbacks: Callbacks) {
    this.#api = api;
    this.#user = user;
    this.#settings = settings;
    this.#toasts = toasts;
    this.#callbacks = callbacks;
    makeAutoObservable(this, { tasks: observableRef, busy: observableRef, missed: false });
  }

  get daily(): readonly Task[] {
    return this.tasks.is === 'known' ? this.tasks.lists.tasks : [];
  }

  get permanent(): readonly Task[] {
    return this.tasks.is === 'known' ? this.tasks.lists.permanent_tasks : [];
  }

  /** How many of today's tasks are done. */
  get done(): number {
    return this.daily.filter(({ status }) => status !== 'active').length;
  }

  /** How many rewards wait to be claimed. */
  get waiting(): number {
    return [...this.daily, ...this.permanent].filter(({ status }) => status === 'completed').length;
  }

  /** Nothing can be done about them out of the season. */
  get open(): boolean {
    return this.#settings.season === 'running';
  }

  /** Nothing is left of the day's tasks. */
  get allTaken(): boolean {
    return this.daily.length > 0 && this.daily.every(({ status }) => status === 'claimed');
  }

  outdate(): void {
    this.outdated = true;
  }

  /**
   * True if this answer was taken: it came, and nothing newer had. On failure what was known stays; with nothing known yet the
   * panel offers to try again.
   */
  load = flow(function* (this: TasksStore) {
    const moved = this.outdated || this.missed;
    this.outdated = false;
    this.missed = false;
    const turn = this.#requests.next();
    try {
      const lists = yield* wait(this.#api.tasks());
      if (!this.#requests.accept(turn)) {
        this.missed ||= moved;
        return false;
      }
      this.tasks = { is: 'known', lists };
      return true;
    } catch (error) {
      asApiError(error);
      this.missed ||= moved;
      if (this.#requests.isLast(turn) && this.tasks.is === 'loading') this.tasks = { is: 'failed' };
      return false;
    }
  });

  /** Spec §2: Retry. What it cannot fetch again is said, since the panel looks the same. */
  retry = flow(function* (this: TasksStore) {
    this.retrying = true;
    yield this.load();
    this.retrying = false;
    if (this.tasks.is === 'failed') this.#toasts.show('error', 'errors.tasks_fetch');
  });

  claim(task: Task): void {
    void this.alone(task, 'errors.task_claim', async () => {
      const { user } = await this.#api.claimTask({ user_task_id: task.id });
      this.#user.take(user);
      this.put({ ...task, status: 'claimed' });
      this.#callbacks.rewarded();
      this.notify(task, user.language);
    });
  }

  /** What a reward has brought. */
  private notify({ reward_coins: bonusCoin, reward_points: bonusPoints }: Task, language: Language): void {
    const { coins, points } = bonus({ bonusCoin, bonusPoints }, language);
    if (bonusCoin === 0) this.#toasts.show('success', 'toast.points', { points });
    else if (bonusPoints === 0) this.#toasts.show('success', 'toast.won_coins', { coins });
    else this.#toasts.show('success', 'toast.bonus', { coins, points });
  }

  /** The page opens at once: a client lets nothing be opened long after the press. */
  visit(task: Task): void {
    if (!this.open) return;
    this.#callbacks.open(task.external_url);
    void this.alone(task, 'errors.task_link', async () => {
      this.put((await this.#api.trackLink({ task_id: task.task_id, external_url: task.external_url })).task);
    });
  }

  check(task: Task): void {
    void this.alone(task, null, async () => {
      const { is_subscribed, task: now } = await this.#api.checkTelegram({
        task_id: task.task_id,
        channel_url: task.external_url,
      });
      this.put(now);
      if (!is_subscribed) this.#toasts.show('info', 'toast.not_subscribed');
    });
  }

  /** Shows the channel of a task, to be joined there. */
  openChannel(task: Task): void {
    this.#callbacks.open(task.external_url);
  }

  /** One thing at a time for each task. Without a text of its own a refusal says what it is, and out of the season always. */
  private alone = flow(function* (
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
      // Another window, or the end of the day, was faster, or the answer was lost: the list tells what came of it, and
      // the figures what it has paid.
      const closed = outOfSeason(refusal);
      const own = closed ? null : text;
      if (refusal.code !== 'already_claimed') this.#toasts.show('error', own ?? errorKey(refusal.code));
      if (closed) this.#settings.load().catch(asApiError);
      void this.load();
      void this.#user.refresh();
    } finally {
      this.busy = new Set([...this.busy].filter((id) => id !== task.id));
    }
  });

  /** A task that an action has changed; whatever was asked for before knows it as it was. */
  private put(task: Task): void {
    if (this.tasks.is !== 'known') return;
    this.#requests.supersede();
    const { tasks, permanent_tasks } = this.tasks.lists;
    const put = (list: readonly Task[]) => list.map((one) => (one.id === task.id ? task : one));
    this.tasks = { is: 'known', lists: { tasks: put(tasks), permanent_tasks: put(permanent_tasks) } };
  }
}
