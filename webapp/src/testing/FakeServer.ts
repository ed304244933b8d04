import type {
  EnergyInfo,
  LinkVisit,
  Settings,
  SubscriptionCheck,
  TapAnswer,
  TapBatch,
  Task,
  TaskClaim,
  TaskClaimed,
  TaskLists,
  User,
} from '../api/types';

function aUser(change: Partial<User> = {}): User {
  return {
    id: 7,
    telegram_id: 700,
    first_name: 'Marina',
    username: 'marina',
    photo_url: '',
    is_premium: false,
    referral_code: 'abc',
    wallet_address: null,
    wallet_proven: false,
    age_consent_accepted: true,
    can_get_prediction: true,
    daily_reward: null,
    language: 'en',
    notifications: true,
    balance: {
      game_mcbk: 0,
      referral_game_mcbk: 0,
      game_points: 0,
      referral_game_points: 0,
      purchased_mcbk: 0,
      usdt_balance: 0,
      daily_spins: 10,
      ad_spins: 10,
    },
    stats: { leaderboard_rank: null, total_days_in_game: 1, won_mcbk: 0 },
    ...change,
  } as User;
}

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

type Refusal = {
  status: number;
  code: string;
  retryAfter?: number;
  html?: boolean;
  params?: Record<string, unknown>;
};

type Player = { user: User; energy: number; taps: number };

/**
 * The server at the other end of fetch, with the rules taps depend on: a batch id is counted once and its first answer
 * is given again. Its launch data are just the player's id.
 */
export class FakeServer {
  readonly players = new Map<string, Player>();
  readonly batches = new Map<string, TapAnswer>();
  readonly requests: { path: string; query: string; body: unknown; headers: Headers }[] = [];
  energyMax = 1000;
  /** What becomes of the next requests, in order; with nothing in line they are answered. */
  weather: ('ok' | 'cut' | 'lost answer' | Refusal)[] = [];
  online = true;
  /** Milliseconds every answer takes. */
  delay = 0;
  serverTime = '2026-03-01T12:00:00Z';
  tasks: TaskLists = { tasks: [], permanent_tasks: [] };
  /** What Telegram says when it is asked. */
  subscribed = false;

  player(id: number): Player {
    const key = String(id);
    let player = this.players.get(key);
    if (!player) {
      player = { user: aUser({ id }), energy: this.energyMax, taps: 0 };
      this.players.set(key, player);
    }
    return player;
  }

  readonly fetch = async (request: Request, init: RequestInit): Promise<Response> => {
    const url = new URL(request.url);
    const text = await request.text();
    const body: unknown = text ? JSON.parse(text) : null;
    this.requests.push({ path: url.pathname, query: url.search, body, headers: request.headers });
    const weather = this.online ? (this.weather.shift() ?? 'ok') : 'cut';
    if (this.delay > 0) {
      await new Promise((done, stop) => {
        setTimeout(done, this.delay);
        init.signal?.addEventListener('abort', () => stop(new DOMException('stopped', 'AbortError')));
      });
    }
    if (weather === 'cut') throw new TypeError('Failed to fetch');
    if (typeof weather === 'object') return refuse(weather);
    const player = this.player(Number(request.headers.get('Authorization')?.replace('tma ', '')));
    const answer = this.answer(request.method, url.pathname.replace('/api', ''), body, player);
    if (weather === 'lost answer') throw new TypeError('Failed to fetch');
    return Response.json(answer);
  };

  /** A beacon: counted like any batch, and nobody hears the answer. */
  beacon(batch: TapBatch, initData: string): void {
    if (this.online) this.count(batch, this.player(Number(initData)));
  }

  energyInfo(player: Player): EnergyInfo {
    return {
      current_energy: player.energy,
      max_energy: this.energyMax,
      energy_per_tap: 1,
      mcbk_per_tap: 0.001,
      level_info: { current_level: 1, spins_to_next_level: 320, progress_to_next: 0, is_max_level: false },
      total_roulette_spins: 0,
    } as EnergyInfo;
  }

  private answer(method: string, path: string, body: unknown, player: Player): unknown {
    switch (`${method} ${path}`) {
      case 'GET /config':
        return { bot_username: 'mcbk_bot' };
      case 'GET /user/me':
        return player.user;
      case 'PUT /user/update':
        player.user = { ...player.user, ...(body as Partial<User>) };
        return player.user;
      case 'GET /settings':
        return {
          current_day: 42,
          total_days: 90,
          start_date: '2026-01-19T00:00:00Z',
          server_time: this.serverTime,
        } satisfies Settings;
      case 'GET /tap/energy-status':
        return this.energyInfo(player);
      case 'GET /tasks':
        return this.tasks;
      case 'POST /tasks/claim':
        return this.claim((body as TaskClaim).user_task_id, player);
      case 'POST /tasks/track-link':
        return { success: true, task: this.complete((body as LinkVisit).task_id) };
      case 'POST /tasks/check-telegram':
        return this.check((body as SubscriptionCheck).task_id);
      case 'POST /tap/perform-batch-tap':
        return this.count(body as TapBatch, player);
      default:
        throw new Error(`no such route: ${method} ${path}`);
    }
  }

  private claim(id: number, player: Player): TaskClaimed {
    const task = this.change((one) => one.id === id, { status: 'claimed' });
    const { balance } = player.user;
    const game_points = balance.game_points + task.reward_points;
    player.user = { ...player.user, balance: { ...balance, game_points } };
    return { isPermanent: task.isPermanent, user: player.user } as TaskClaimed;
  }

  private complete(id: number): Task {
    return this.change((one) => one.task_id === id, { status: 'completed' });
  }

  private check(id: number) {
    if (this.subscribed) this.complete(id);
    return { is_subscribed: this.subscribed, task: this.change((one) => one.task_id === id, {}) };
  }

  private change(which: (task: Task) => boolean, change: Partial<Task>): Task {
    const put = (task: Task): Task => (which(task) ? { ...task, ...change } : task);
    this.tasks = {
      tasks: this.tasks.tasks.map(put),
      permanent_tasks: this.tasks.permanent_tasks.map(put),
    };
    const task = [...this.tasks.tasks, ...this.tasks.permanent_tasks].find(which);
    if (!task) throw new Error('no such task');
    return task;
  }

  private count(batch: TapBatch, player: Player): TapAnswer {
    const id = batch.batch_id ?? '';
    const before = this.batches.get(id);
    if (before) return before;
    const accepted = Math.min(batch.total_taps, player.energy);
    player.energy -= accepted;
    player.taps += accepted;
    player.user = {
      ...player.user,
      balance: { ...player.user.balance, game_mcbk: player.taps / 1000 },
    };
    const answer = { accepted, energy_info: this.energyInfo(player), user: player.user } as TapAnswer;
    this.batches.set(id, answer);
    return answer;
  }
}

function refuse(weather: Refusal): Response {
  if (weather.html) return new Response('<html>Bad gateway</html>', { status: weather.status });
  const { status, code, retryAfter, params } = weather;
  return Response.json({ code, message: code, requestId: 'r-1', retryAfter, params }, { status });
}
