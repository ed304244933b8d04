import createClient from 'openapi-fetch';
import { once } from '../once';
import { ApiError } from './error';
import type { paths } from './schema.gen';
import type {
  AdRequest,
  CardSubject,
  ChestClaim,
  Config,
  Currency,
  LeaderboardType,
  LinkVisit,
  MineBatch,
  MineUnlock,
  Plain,
  Purchase,
  StarsPurchase,
  SubscriptionCheck,
  TapBatch,
  TaskClaim,
  TransactionFilter,
  UserChange,
  WalletChange,
} from './types';

/** The server, as the stores see it. Every call rejects with an ApiError and nothing else. */
export type Api = ReturnType<typeof connect>;

export type Connection = {
  readonly baseUrl: string;
  readonly fetch: (request: Request, init: RequestInit) => Promise<Response>;
  /** The launch data exactly as Telegram passed it; it authenticates the player. */
  readonly initData: () => string;
  readonly newId: () => string;
  /** Hears every refusal, because some of them concern the whole app. */
  readonly onRefusal: (error: ApiError) => void;
};

/** The timeout of a call, body included. The server's own is 8 s (decision 0004); the rest is for a slow network. */
const requestTimeoutMs = 20_000;

/** What every answer with a player in it has. */
const person = ['id', 'balance', 'stats'] as const;

/** What every answer that moves the wheel has. */
const figures = ['user', 'roulette', 'energy'] as const;

/** What every answer about the seeds has. */
const seeds = ['server_seed_hash', 'odds', 'chest_odds', 'retired'] as const;

/** What every answer that is an order has. */
const order = ['id', 'status', 'payable', 'expires_at'] as const;

/** Every try of one intention has the same key, so that it is done once. */
const keyed = (key?: string | null) => (key == null ? {} : { headers: { 'Idempotency-Key': key } });

type Outcome = { data?: unknown; error?: unknown; response: Response };

export function connect({ baseUrl, fetch, initData, newId, onRefusal }: Connection) {
  const client = createClient<paths>({
    baseUrl,
    fetch: async (request) => {
      const stop = new AbortController();
      const timer = setTimeout(() => stop.abort(), requestTimeoutMs);
      try {
        const response = await fetch(request, { signal: stop.signal });
        // The body may stall after the headers, so it is read within the timeout.
        const body = await response.arrayBuffer();
        return new Response(body.byteLength > 0 ? body : null, response);
      } finally {
        clearTimeout(timer);
      }
    },
  });

  client.use({
    onRequest({ request }) {
      const proof = initData();
      if (proof) request.headers.set('Authorization', `tma ${proof}`);
      if (request.method !== 'GET' && !request.headers.has('Idempotency-Key')) {
        request.headers.set('Idempotency-Key', newId());
      }
    },
  });

  /** `expected` recognises our answers; a proxy's fails. */
  async function answer<Out extends Outcome>(
    call: Promise<Out>,
    ...expected: (keyof NonNullable<Out['data']>)[]
  ): Promise<Plain<NonNullable<Out['data']>>> {
    let outcome: Out;
    try {
      outcome = await call;
    } catch {
      throw ApiError.offline(); // no network, no time, or a 200 that is not ours (a hotel's log-in page)
    }
    if (outcome.response.ok) {
      const { data } = outcome;
      if (typeof data !== 'object' || data === null || !expected.every((key) => key in data)) {
        throw ApiError.offline();
      }
      return data as Plain<NonNullable<Out['data']>>;
    }
    const refusal = ApiError.from(outcome.error, outcome.response);
    onRefusal(refusal);
    throw refusal;
  }

  const fetchConfig = () => once<Config>(() => answer(client.GET('/config'), 'bot_username'));
  let config = fetchConfig();

  return {
    /** Fetched once, or `anew`. */
    config: (anew = false) => {
      if (anew) config = fetchConfig();
      return config();
    },
    me: (referralCode: string | null) =>
      answer(
        client.GET('/user/me', {
          params: { query: referralCode === null ? {} : { referral_code: referralCode } },
        }),
        ...person,
      ),
    update: (change: UserChange) => answer(client.PUT('/user/update', { body: change }), ...person),
    recap: () => answer(client.GET('/user/recap'), 'taps', 'best_win_mcbk'),
    sendCard: (of: CardSubject) => answer(client.POST('/user/card', { body: { of } }), 'queued'),
    settings: () => answer(client.GET('/settings'), 'current_day', 'start_date', 'server_time'),
    energy: () => answer(client.GET('/tap/energy-status'), 'current_energy', 'level_info'),
    tap: (batch: TapBatch) =>
      answer(
        client.POST('/tap/perform-batch-tap', {
          body: batch,
          // The batch's own id is also the key of the request, so that every repeat of it is recognised.
          ...keyed(batch.batch_id),
        }),
        'accepted',
        'energy_info',
        'user',
      ),
    /** The key is the same for every try of one day, so that a reward whose answer was lost is returned again. */
    checkIn: (key: string) => answer(client.POST('/user/checkin', keyed(key))),
    /** The key is the same for every try after one ad. */
    doubleReward: (key: string) =>
      answer(client.POST('/user/double-reward', keyed(key)), 'bonusCoin', 'bonusPoints', 'user'),
    prediction: () => answer(client.GET('/prediction'), 'id', 'text', 'reward_points'),
    claimPrediction: (prediction_id: number) =>
      answer(client.POST('/prediction/claim', { body: { prediction_id } }), 'user'),
    doublePrediction: (prediction_id: number) =>
      answer(client.POST('/prediction/double', { body: { prediction_id } }), 'user'),
    rouletteStatus: () => answer(client.GET('/roulette/status'), 'daily_spins', 'spin_streak'),
    /** The key is the same for every try of one spin, so that a spin whose answer was lost is returned again. */
    spin: (golden: boolean, key: string) =>
      answer(
        client.POST('/roulette/spin', {
          body: { is_golden_spin_requested: golden },
          ...keyed(key),
        }),
        'spin_id',
        'reward',
        ...figures,
      ),
    claimSpin: (spin_id: number) =>
      answer(client.POST('/roulette/claim-reward', { body: { spin_id } }), ...figures),
    doubleSpin: (spin_id: number) =>
      answer(client.POST('/roulette/double-reward', { body: { spin_id } }), ...figures),
    claimChest: (claim: ChestClaim) =>
      answer(client.POST('/roulette/claim-chest-reward', { body: claim }), 'reward', ...figures),
    /** The key is the same for every try after one ad. */
    takeAdSpin: (key: string) => answer(client.POST('/roulette/ad', keyed(key)), 'bonus_points', ...figures),
    startAd: (ad: AdRequest) => answer(client.POST('/ads/start', { body: ad }), 'ticket', 'block_id'),
    completeAd: (ticket: string) => answer(client.POST('/ads/complete', { body: { ticket } }), 'confirmed'),
    tasks: () => answer(client.GET('/tasks'), 'tasks', 'permanent_tasks'),
    claimTask: (claim: TaskClaim) => answer(client.POST('/tasks/claim', { body: claim }), 'user'),
    trackLink: (visit: LinkVisit) => answer(client.POST('/tasks/track-link', { body: visit }), 'task'),
    checkTelegram: (check: SubscriptionCheck) =>
      answer(client.POST('/tasks/check-telegram', { body: check }), 'is_subscribed', 'task'),
    fairness: (limit: number, offset: number) =>
      answer(client.GET('/roulette/fairness', { params: { query: { limit, offset } } }), ...seeds),
    setClientSeed: (client_seed: string) =>
      answer(client.PUT('/roulette/client-seed', { body: { client_seed } }), ...seeds),
    referrals: (status: 'all' | 'completed', limit: number, offset: number) =>
      answer(
        client.GET('/referral', { params: { query: { status, limit, offset } } }),
        'referrals',
        'total_referrals',
        'hasMore',
      ),
    leaderboard: (type: LeaderboardType, limit: number, offset: number) =>
      answer(
        client.GET('/leaderboard', { params: { query: { type, limit, offset } } }),
        'leaderboard',
        'hasMore',
        'me',
      ),
    circleAds: () => answer(client.GET('/circle-ads/status'), 'is_eligible', 'reward_claimed'),
    claimCircleAds: () => answer(client.POST('/circle-ads/claim'), 'user'),
    tonPrice: () => answer(client.GET('/token/ton-price'), 'data', 'stale'),
    priceInfo: () => answer(client.GET('/token/price-info'), 'price', 'purchased_total', 'discount'),
    /** The key is the same for every try of one purchase, so that an order whose answer was lost is not made twice. */
    purchase: (purchase: Purchase, key: string) =>
      answer(client.POST('/token/purchase', { body: purchase, ...keyed(key) }), 'paymentLink', 'order'),
    /** The same for an order that is paid in Telegram Stars. */
    orderStars: (purchase: StarsPurchase, key: string) =>
      answer(client.POST('/token/stars', { body: purchase, ...keyed(key) }), 'invoice_link', 'order'),
    orders: (limit: number, offset: number) =>
      answer(client.GET('/orders', { params: { query: { limit, offset } } }), 'orders', 'hasMore'),
    order: (id: number) => answer(client.GET('/orders/{id}', { params: { path: { id } } }), ...order),
    cancelOrder: (id: number) =>
      answer(client.DELETE('/orders/{id}', { params: { path: { id } } }), ...order),
    wallet: () => answer(client.GET('/user/wallet'), 'wallet_address'),
    /** The key is the same for every try of one connection, whose proof is good for once. */
    setWallet: (change: WalletChange, key: string) =>
      answer(client.PUT('/user/wallet', { body: change, ...keyed(key) }), ...person),
    proofPayload: () => answer(client.POST('/ton/proof-payload'), 'payload', 'expires_at'),
    transactions: (type: TransactionFilter, limit: number, offset: number) =>
      answer(
        client.GET('/user/transactions', { params: { query: { type, limit, offset } } }),
        'transactions',
        'hasMore',
      ),
    mines: () =>
      answer(client.GET('/mines/status'), 'available_levels', 'energy_info', 'tournament', 'rules'),
    /** Orders the next mine. A key used before returns the order it made. */
    orderMine: (level: number, currency: Currency, key: string) =>
      answer(
        client.POST('/mines/create-payment', {
          // An earlier server knows TON alone.
          body: currency === 'TON' ? { level } : { level, currency },
          ...keyed(key),
        }),
        'paymentLink',
        'order',
      ),
    /** Makes the server read the chain; answers whether the mine is unlocked. */
    unlockMine: (unlock: MineUnlock) => answer(client.POST('/mines/unlock', { body: unlock }), 'unlocked'),
    miners: () => answer(client.GET('/mines/leaderboard'), 'leaderboard', 'me'),
    dig: (batch: MineBatch) =>
      answer(
        client.POST('/mines/mine', {
          body: batch,
          ...keyed(batch.batch_id),
        }),
        'accepted',
        'total_mcbk',
        'current_energy',
      ),
  };
}
