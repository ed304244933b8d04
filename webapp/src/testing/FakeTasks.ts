import type { LinkVisit, SubscriptionCheck, Task, TaskClaim, TaskClaimed, TaskLists } from '../api/types';
import type { FakePlayer } from './FakePlayer';

/** A task that asks for a spin, unless it says otherwise. */
export function aTask(change: Partial<Task> = {}): Task {
  return {
    id: 1,
    task_id: 11,
    title: 'Spin the wheel 10 times',
    description: '',
    action_type: 'roulette_spin',
    status: 'active',
    progress: { current: 3, target: 10, percentage: 30 },
    reward_coins: 1,
    reward_points: 50,
    image_url: '',
    image: '',
    external_url: '',
    task_date: '2026-03-01',
    isPermanent: false,
    claimed_at: null,
    ...change,
  };
}

/** The tasks of the fake server, the same for each player. */
export class FakeTasks {
  lists: TaskLists = { tasks: [], permanent_tasks: [] };
  /** What Telegram says when it is asked. */
  subscribed = false;

  answer(call: string, body: unknown, player: FakePlayer): unknown {
    switch (call) {
      case 'GET /tasks':
        return this.lists;
      case 'POST /tasks/claim': {
        const { user_task_id } = body as TaskClaim;
        const task = this.change((one) => one.id === user_task_id, { status: 'claimed' });
        const { balance } = player.user;
        const game_points = balance.game_points + task.reward_points;
        player.user = { ...player.user, balance: { ...balance, game_points } };
        return { isPermanent: task.isPermanent, user: player.user } satisfies TaskClaimed;
      }
      case 'POST /tasks/track-link':
        return { success: true, task: this.complete((body as LinkVisit).task_id) };
      case 'POST /tasks/check-telegram': {
        const { task_id } = body as SubscriptionCheck;
        if (this.subscribed) this.complete(task_id);
        return { is_subscribed: this.subscribed, task: this.change((one) => one.task_id === task_id, {}) };
      }
      default:
        return undefined;
    }
  }

  private complete(id: number): Task {
    return this.change((one) => one.task_id === id, { status: 'completed' });
  }

  private change(which: (task: Task) => boolean, change: Partial<Task>): Task {
    const put = (task: Task): Task => (which(task) ? { ...task, ...change } : task);
    const { tasks, permanent_tasks } = this.lists;
    this.lists = { tasks: tasks.map(put), permanent_tasks: permanent_tasks.map(put) };
    const task = [...this.lists.tasks, ...this.lists.permanent_tasks].find(which);
    if (!task) throw new Error('no such task');
    return task;
  }
}
