import type {
  ChestClaim,
  CircleAds,
  Config,
  DailyReward,
  EnergyInfo,
  MineBatch,
  RetiredSeed,
  Settings,
  SpinClaim,
  SpinRequest,
  TapAnswer,
  TapBatch,
  User,
} from '../api/types';
import { FakeAds } from './FakeAds';
import { FakeFriends } from './FakeFriends';
import { FakeLeaderboard } from './FakeLeaderboard';
import { FakeMarket } from './FakeMarket';
import { FakeMines } from './FakeMines';
import { FakePlayer } from './FakePlayer';
import { FakePurse } from './FakePurse';
import { FakeRecap } from './FakeRecap';
import { FakeTasks } from './FakeTasks';
import { FakeWheel } from './FakeWheel';
import { isRefusal, type Refusal } from './refusal';
import { someSeeds } from './seeds';

type Weather = 'ok' | 'cut' | 'lost answer' | Refusal;

export type Answer = { method: string; path: string; status: number; body: unknown };

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
  readonly tasks = new FakeTasks();
  readonly recap = new FakeRecap();
  /** What becomes of the next requests, in order; with nothing in line they are answered. */
  weather: Weather[] = [];
  /** The same for the requests of one path, before any other. */
  weatherOf: Record<string, Weather[]> = {};
  readonly friends = new FakeFriends();
  readonly leaderboard = new FakeLeaderboard();
  readonly advice = {
    id: 5,
    text: 'Dig where others have stopped.',
    reward_points: 25,
    canDoubleWithAd: true,
  };
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
  readonly wheel = new FakeWheel(
    (player, coins, points, change) => this.pay(player, coins, points, change),
    (player) => this.energyInfo(player),
  );
  readonly ads = new FakeAds(this.wheel, this.advice, (player, coins, points, change) =>
    this.pay(player, coins, points, change),
  );
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
      return this.send(
        request,
        this.mines.isPending(answer) || this.recap.isQueued(answer) ? 202 : 200,
        answer,
      );
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

  /** The ad network's callback for the player of most tests. */
  confirmAd(): void {
    this.ads.confirm(this.player(7));
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
          ads: this.ads.config,
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
      case 'POST /tap/perform-batch-tap':
        return this.count(body as TapBatch, player);
      case 'POST /user/checkin':
        return this.checkIn(player);
      case 'POST /user/double-reward':
        this.ads.confirmed(player, 'daily');
        return { bonusCoin: 1, bonusPoints: 30, user: player.user };
      case 'GET /prediction':
        if (!player.user.can_get_prediction) throw { status: 409, code: 'already_claimed' } satisfies Refusal;
        return this.advice;
      case 'POST /prediction/claim':
        if (!player.user.can_get_prediction) throw { status: 409, code: 'already_claimed' } satisfies Refusal;
        return { user: this.pay(player, 0, this.advice.reward_points, { can_get_prediction: false }) };
      case 'POST /prediction/double':
        this.ads.confirmed(player, 'prediction');
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
      default: {
        const call = `${method} ${path}`;
        const answer =
          this.tasks.answer(call, body, player) ??
          this.ads.answer(call, body, player) ??
          this.recap.answer(call, body) ??
          this.market.answer(call, body, player.user) ??
          this.purse.answer(call, url, body, player) ??
          this.mines.answer(call, body, player.user);
        if (answer === undefined) throw new Error(`no such route: ${method} ${path}`);
        return answer;
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
