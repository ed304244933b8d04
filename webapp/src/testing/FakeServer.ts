import type {
  AdRequest,
  AdsConfig,
  CardSubject,
  ChestClaim,
  CircleAds,
  Config,
  DailyReward,
  EnergyInfo,
  LinkVisit,
  MineBatch,
  Recap,
  RetiredSeed,
  Settings,
  SpinClaim,
  SpinRequest,
  SubscriptionCheck,
  TapAnswer,
  TapBatch,
  Task,
  TaskClaim,
  TaskClaimed,
  TaskLists,
  User,
} from '../api/types';
import { FakeFriends } from './FakeFriends';
import { FakeLeaderboard } from './FakeLeaderboard';
import { FakeMarket } from './FakeMarket';
import { FakeMines } from './FakeMines';
import { FakePlayer } from './FakePlayer';
import { FakePurse } from './FakePurse';
import { FakeWheel } from './FakeWheel';
import { isRefusal, type Refusal } from './refusal';
import { someSeeds } from './seeds';

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

/** A season of somebody who played most of it. */
export function aRecap(change: Partial<Recap> = {}): Recap {
  return {
    days: 84,
    taps: 45_200,
    mcbk: 12_480.25,
    rank: 128,
    friends: 7,
    best_win_mcbk: 20,
    best_win_points: 0,
    ...change,
  };
}

const isQueued = (answer: unknown) => typeof answer === 'object' && answer !== null && 'queued' in answer;

type Weather = 'ok' | 'cut' | 'lost answer' | Refusal;

export type Answer = { method: string; path: string; status: number; body: unknown };

type Ticket = AdRequest & {
  player: FakePlayer;
  /** The check-in that it would double. */
  reward: DailyReward | null;
  confirmed: boolean;
  loaded: boolean;
};

/** Calls the app makes by itself beside what a test is about; they have a weather of their own. */
const aside: readonly string[] = [
  '/api/config',
  '/api/user/checkin',
  '/api/circle-ads/status',
  '/api/token/price-info',
  '/api/mines/status',
];
/** Calls whose key is their own, so that a test may lose an answer and ask again. */
const keyed: readonly string[] = [
  '/api/user/checkin',
  '/api/user/double-reward',
  '/api/roulette/spin',
  '/api/roulette/ad',
  '/api/token/purchase',
  '/api/token/stars',
  '/api/user/wallet',
  '/api/mines/create-payment',
];

export function aReward(change: Partial<DailyReward> = {}): DailyReward {
  return { streak: 3, bonusCoin: 1, bonusPoints: 30, totalDaysInGame: 9, canDoubleWithAd: true, ...change };
}

/**
 * The server at the other end of fetch, with the rules taps depend on: a batch id is counted once and its first answer
 * is given again. Its launch data are just the player's id.
 */
export class FakeServer {
  readonly players = new Map<string, FakePlayer>();
  readonly batches = new Map<string, TapAnswer>();
  readonly requests: { path: string; query: string; body: unknown; headers: Headers }[] = [];
  energyMax = 1000;
  energyLevel = 1;
  /** What becomes of the next requests, in order; with nothing in line they are answered. */
  weather: Weather[] = [];
  /** The same for the requests of one path, before any other. */
  weatherOf: Record<string, Weather[]> = {};
  ads: AdsConfig = { enabled: true, script_url: 'https://ads.test/sdk.js', block_id: 'unit', mode: 's2s' };
  readonly tickets = new Map<string, Ticket>();
  readonly friends = new FakeFriends();
  readonly leaderboard = new FakeLeaderboard();
  readonly advice = {
    id: 5,
    text: 'Dig where others have stopped.',
    reward_points: 25,
    canDoubleWithAd: true,
  };
  /** Check-ins that an ad has doubled. */
  private readonly doubled = new Set<DailyReward>();
  /** Answers given before, by their key. */
  private readonly answered = new Map<string, unknown>();
  /** The bot's name, once it is known. */
  bot: string | null = 'mcbk_bot';
  walletApp = 'tonkeeper';
  online = true;
  /** Milliseconds every answer takes. */
  delay = 0;
  /** Milliseconds the server has done it already, and nobody has heard so yet. */
  silence = 0;
  serverTime = '2026-03-01T12:00:00Z';
  /** When day 1 of the season began or begins. */
  seasonStart = '2026-01-19T00:00:00Z';
  tasks: TaskLists = { tasks: [], permanent_tasks: [] };
  readonly wheel = new FakeWheel(
    (player, coins, points, change) => this.pay(player, coins, points, change),
    (player) => this.energyInfo(player),
  );
  /** What Telegram says when it is asked. */
  subscribed = false;
  recap = aRecap();
  /** Pictures that the bot was to send. */
  readonly cards: CardSubject[] = [];
  seeds = someSeeds();
  /** The newest first. */
  retired: readonly RetiredSeed[] = [];
  circle: Omit<CircleAds, 'as_of'> = { is_eligible: false, reward_claimed: false };
  readonly market = new FakeMarket();
  readonly purse = new FakePurse();
  readonly mines = new FakeMines(this.market);

  constructor(private readonly inspect: (answer: Answer) => void = () => undefined) {}

  player(id: number): FakePlayer {
    const key = String(id);
    let player = this.players.get(key);
    if (!player) {
      player = new FakePlayer(id, this.energyMax);
      this.players.set(key, player);
    }
    return player;
  }

  readonly fetch = async (request: Request, init: RequestInit): Promise<Response> => {
    const url = new URL(request.url);
    const text = await request.text();
    const body: unknown = text ? JSON.parse(text) : null;
    this.requests.push({ path: url.pathname, query: url.search, body, headers: request.headers });
    const weather = this.online ? this.forecast(url.pathname) : 'cut';
    if (this.delay > 0) {
      await new Promise((done, stop) => {
        setTimeout(done, this.delay);
        init.signal?.addEventListener('abort', () => stop(new DOMException('stopped', 'AbortError')));
      });
    }
    if (weather === 'cut') throw new TypeError('Failed to fetch');
    if (typeof weather === 'object') return this.refuse(request, weather);
    const player = this.player(Number(request.headers.get('Authorization')?.replace('tma ', '')));
    // Tests may open the app twice, and then its keys begin anew; this call's answer alone is asked for again.
    const key = keyed.includes(url.pathname) ? request.headers.get('Idempotency-Key') : null;
    try {
      const before = key === null ? undefined : this.answered.get(key);
      const answer = before ?? this.answer(request.method, url, body, player);
      if (key !== null) this.answered.set(key, answer);
      if (this.silence > 0) await new Promise((done) => setTimeout(done, this.silence));
      if (weather === 'lost answer') throw new TypeError('Failed to fetch');
      return this.send(request, this.mines.isPending(answer) || isQueued(answer) ? 202 : 200, answer);
    } catch (error) {
      if (isRefusal(error)) return this.refuse(request, error);
      throw error;
    }
  };

  private refuse(request: Request, refusal: Refusal): Response {
    const { status, code, html, newer, retryAfter, params, message = code } = refusal;
    if (html) return new Response('<html>Bad gateway</html>', { status });
    const body = { code, message, requestId: 'r-1', retryAfter, params };
    return newer ? Response.json(body, { status }) : this.send(request, status, body);
  }

  private send({ method, url }: Request, status: number, body: unknown): Response {
    this.inspect({ method, path: new URL(url).pathname, status, body });
    return Response.json(body, { status });
  }

  private forecast(path: string): Weather {
    const own = this.weatherOf[path]?.shift();
    return own ?? (aside.includes(path) ? 'ok' : (this.weather.shift() ?? 'ok'));
  }

  /** The ad network's callback: the player's oldest ticket is settled, and what it is for is paid. */
  confirmAd(player = this.player(7)): void {
    const ticket = [...this.tickets.values()].find((open) => open.player === player && !open.confirmed);
    if (!ticket) return;
    ticket.confirmed = true;
    const { user } = player;
    const { reward } = ticket;
    if (ticket.purpose === 'daily' && reward && !this.doubled.has(reward)) {
      this.doubled.add(reward);
      const todays = user.daily_reward === reward;
      this.pay(player, reward.bonusCoin, reward.bonusPoints, todays ? { daily_reward: null } : {});
    }
    if (ticket.purpose === 'prediction' && user.can_get_prediction) {
      this.pay(player, 0, 2 * this.advice.reward_points, { can_get_prediction: false });
    }
    this.wheel.confirmAd(ticket, player);
  }

  private pay(player: FakePlayer, coins: number, points: number, change: Partial<User> = {}): User {
    const { balance } = player.user;
    player.user = {
      ...player.user,
      ...change,
      balance: {
        ...balance,
        game_mcbk: Math.round((balance.game_mcbk + coins) * 1e6) / 1e6,
        game_points: balance.game_points + points,
      },
    };
    return player.user;
  }

  private confirmed(player: FakePlayer, purpose: AdRequest['purpose']): void {
    const settled = [...this.tickets.values()].some(
      (ticket) => ticket.player === player && ticket.purpose === purpose && ticket.confirmed,
    );
    if (!settled) throw { status: 409, code: 'ad_not_confirmed' } satisfies Refusal;
  }

  /** Each ad for a spin is told by one call, the oldest first. */
  private tellAdSpin(player: FakePlayer): void {
    const unnotified = [...this.tickets.values()].find(
      (ticket) => ticket.player === player && ticket.purpose === 'spin' && ticket.confirmed && !ticket.loaded,
    );
    const { ad_spins, daily_spins } = player.user.balance;
    if (unnotified) unnotified.loaded = true;
    else if (ad_spins < 1) throw { status: 409, code: 'ad_spins_exhausted' } satisfies Refusal;
    else if (daily_spins >= 20) throw { status: 409, code: 'spin_limit_reached' } satisfies Refusal;
    else throw { status: 409, code: 'ad_not_confirmed' } satisfies Refusal;
  }

  private checkIn(player: FakePlayer): unknown {
    const reward = player.due;
    if (!reward) return {};
    player.due = null;
    this.pay(player, reward.bonusCoin, reward.bonusPoints, {
      daily_reward: reward,
      stats: { ...player.user.stats, total_days_in_game: reward.totalDaysInGame },
    });
    return { ...reward, user: player.user };
  }

  /** A beacon: counted like any batch, and nobody hears the answer. */
  beacon(path: string, batch: object, initData: string): void {
    if (!this.online) return;
    const player = this.player(Number(initData));
    if (path === '/mines/mine') this.mines.dig(batch as MineBatch);
    else this.count(batch as TapBatch, player);
  }

  energyInfo(player: FakePlayer): EnergyInfo {
    return {
      as_of: player.user.as_of,
      current_energy: player.energy,
      max_energy: this.energyMax,
      energy_per_tap: 1,
      mcbk_per_tap: 0.001,
      level_info: {
        current_level: this.energyLevel,
        spins_to_next_level: 320,
        progress_to_next: 0,
        is_max_level: false,
      },
      total_roulette_spins: 0,
    };
  }

  private answer(method: string, url: URL, body: unknown, player: FakePlayer): unknown {
    const path = url.pathname.replace('/api', '');
    switch (`${method} ${path}`) {
      case 'GET /config':
        return {
          product: 'MCBK',
          version: 'test',
          bot_username: this.bot,
          ads: this.ads,
          languages: ['en', 'ru'],
          maintenance: false,
          sales_enabled: this.market.open,
          pay_with: [...this.market.payWith],
          network: 'mainnet',
          wallet: { app_name: this.walletApp, wallets_list_url: '/wallets.json', link_base: null },
        } satisfies Config;
      case 'GET /user/me':
        return player.user;
      case 'PUT /user/update':
        player.user = { ...player.user, ...(body as Partial<User>) };
        return player.user;
      case 'GET /user/recap':
        return this.recap;
      case 'POST /user/card':
        this.cards.push((body as { of: CardSubject }).of);
        return { queued: true };
      case 'GET /settings':
        return {
          current_day: 42,
          total_days: 90,
          checkin_rewards: [1, 1, 1, 2, 2, 2, 3].map((coins, day) => ({
            coins,
            points: [10, 20, 30, 40, 50, 60, 100][day] ?? 0,
          })),
          start_date: this.seasonStart,
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
      case 'POST /user/checkin':
        return this.checkIn(player);
      case 'POST /user/double-reward':
        this.confirmed(player, 'daily');
        return { bonusCoin: 1, bonusPoints: 30, user: player.user };
      case 'GET /prediction':
        if (!player.user.can_get_prediction) throw { status: 409, code: 'already_claimed' } satisfies Refusal;
        return this.advice;
      case 'POST /prediction/claim':
        if (!player.user.can_get_prediction) throw { status: 409, code: 'already_claimed' } satisfies Refusal;
        return { user: this.pay(player, 0, this.advice.reward_points, { can_get_prediction: false }) };
      case 'POST /prediction/double':
        this.confirmed(player, 'prediction');
        return { user: player.user };
      case 'GET /roulette/fairness':
        return this.fairness(Number(url.searchParams.get('limit')), Number(url.searchParams.get('offset')));
      case 'PUT /roulette/client-seed':
        this.seeds = { ...this.seeds, ...(body as { client_seed: string }), nonce: 0 };
        return this.fairness(20, 0);
      case 'GET /referral':
        return this.friends.page(url);
      case 'GET /leaderboard':
        return this.leaderboard.page(url);
      case 'GET /circle-ads/status':
        return { as_of: player.user.as_of, ...this.circle } satisfies CircleAds;
      case 'POST /circle-ads/claim':
        return { user: this.loyal(player) };
      case 'GET /roulette/status':
        return this.wheel.status(player);
      case 'POST /roulette/spin':
        return this.wheel.spin((body as SpinRequest).is_golden_spin_requested, player);
      case 'POST /roulette/claim-reward':
        return this.wheel.claim((body as SpinClaim).spin_id, player);
      case 'POST /roulette/double-reward':
        return this.wheel.doubled((body as SpinClaim).spin_id, player);
      case 'POST /roulette/claim-chest-reward':
        return this.wheel.openChest(body as ChestClaim, player);
      case 'POST /roulette/ad':
        this.tellAdSpin(player);
        return { bonus_points: 10, ...this.wheel.figures(player) };
      case 'POST /ads/start': {
        const request = body as AdRequest;
        const { daily_reward: reward, can_get_prediction: advice } = player.user;
        if (request.purpose === 'daily' && !reward)
          throw { status: 409, code: 'not_eligible' } satisfies Refusal;
        if (request.purpose === 'prediction' && !advice)
          throw { status: 409, code: 'already_claimed' } satisfies Refusal;
        const ticket = `ticket-${this.tickets.size + 1}`;
        this.tickets.set(ticket, { ...request, player, reward, confirmed: false, loaded: false });
        return { ticket, block_id: 'unit', expires_at: '2026-03-01T13:00:00Z' };
      }
      case 'POST /ads/complete': {
        const ticket = this.tickets.get((body as { ticket: string }).ticket);
        if (!ticket) throw { status: 404, code: 'not_found' } satisfies Refusal;
        if (this.ads.mode === 'client') this.confirmAd(player);
        return { confirmed: ticket.confirmed };
      }
      default: {
        const call = `${method} ${path}`;
        const sold =
          this.market.answer(call, body, player.user) ??
          this.purse.answer(call, url, body, player) ??
          this.mines.answer(call, body, player.user);
        if (sold === undefined) throw new Error(`no such route: ${method} ${path}`);
        return sold;
      }
    }
  }

  private fairness(limit: number, offset: number) {
    const retired = this.retired.slice(offset, offset + limit);
    return { ...this.seeds, retired, hasMore: offset + limit < this.retired.length };
  }

  private loyal(player: FakePlayer): User {
    if (!this.circle.is_eligible) throw { status: 409, code: 'not_completed' } satisfies Refusal;
    if (this.circle.reward_claimed) throw { status: 409, code: 'already_claimed' } satisfies Refusal;
    this.circle = { is_eligible: true, reward_claimed: true };
    return this.pay(player, 3, 150, {});
  }

  private claim(id: number, player: FakePlayer): TaskClaimed {
    const task = this.change((one) => one.id === id, { status: 'claimed' });
    const { balance } = player.user;
    const game_points = balance.game_points + task.reward_points;
    player.user = { ...player.user, balance: { ...balance, game_points } };
    return { isPermanent: task.isPermanent, user: player.user };
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

  private count(batch: TapBatch, player: FakePlayer): TapAnswer {
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
    const answer: TapAnswer = { accepted, energy_info: this.energyInfo(player), user: player.user };
    this.batches.set(id, answer);
    return answer;
  }
}
