import type {
  AdRequest,
  AdTicket,
  CircleAds,
  Config,
  EnergyInfo,
  Fairness,
  Leaderboard,
  LeaderboardType,
  MineAnswer,
  MinesStatus,
  Order,
  Prediction,
  Purchased,
  RouletteStatus,
  Settings,
  TapAnswer,
  TaskLists,
  TonPrice,
  User,
} from '../src/api/types';
import { appUrl, sandboxUrl } from './addresses';

export type Person = {
  readonly id: number;
  readonly first_name: string;
  readonly language_code: string;
};

type Wishes = Partial<Omit<Person, 'id'>> & { is_premium?: boolean; has_photo?: boolean };

/** What GET launch takes; `auth_date_offset` is such as "-25h". */
export type LaunchOptions = { start_param?: string; direct?: '1'; url?: string; auth_date_offset?: string };

type Chat = {
  started: boolean;
  /** Links that other players sent. */
  shared: { url: string; text: string }[];
  messages: {
    message_id: number;
    from: { is_bot: boolean };
    text?: string;
    caption?: string;
    photo?: { width: number; height: number }[];
    reply_markup?: object;
  }[];
};

/** What POST chain/pay takes; without a comment the payment has none. */
type Payment = { nanotons: number; comment?: string };

/** An ad that was shown: whether its callback is still to come, and what the game has answered to those that came. */
type ShownAd = { id: number; player: number; outcome: string; held: boolean; callbacks: string[] };

/** A player's wallet app, as the sandbox shows it. */
type WalletApp = {
  address: string;
  apps: { client: string }[];
  requests: {
    id: string;
    messages: { to: string; nanotons: number; comment: string }[];
    valid_until: number;
  }[];
};

type Process = { state: string; pid: number };

/** The players who are always there. Tests share them, so only what never changes may be asked of them. */
export const residents = { boris: 7000000102, olga: 7000000103, adam: 7000000104 };

/** The sandbox's control API (sandbox/README.md), and the game's own, called as a player without a browser. */
export class Sandbox {
  newPlayer(wishes: Wishes = {}): Promise<Person> {
    return this.post('people', wishes);
  }

  person(id: number): Promise<Person> {
    return this.get(`people/${id}`);
  }

  /** A new player who has played before: the rules are accepted, no tap is counted. */
  async regular(wishes: Wishes = {}): Promise<Person> {
    const player = await this.newPlayer(wishes);
    const game = await this.game(player);
    await game.me();
    await game.acceptAge();
    return player;
  }

  launch(player: Person, options: LaunchOptions = {}): Promise<{ init_data: string; url: string }> {
    return this.get(`launch?${new URLSearchParams({ player: String(player.id), ...options })}`);
  }

  /** The game's API as this player, who came as the options say: by a button of the bot's, or by a direct link. */
  async game(player: Person, options: LaunchOptions = {}): Promise<Game> {
    return new Game((await this.launch(player, options)).init_data);
  }

  /** The player's chat with the bot: whether the bot may write there, and what stands in it. */
  chat(player: Person): Promise<Chat> {
    return this.get(`chat/${player.id}`);
  }

  /** Writes to the bot without a phone. */
  say(player: Person, text: string): Promise<unknown> {
    return this.post(`chat/${player.id}/send`, { text });
  }

  /** Writes to the bot without a phone, and waits for an answer that says so; a question is confirmed. */
  async command(player: Person, text: string, answer: RegExp): Promise<string> {
    const { message_id } = await this.post<{ message_id: number }>(`chat/${player.id}/send`, { text });
    for (;;) {
      const { messages } = await this.chat(player);
      const said = messages.find(
        (one) => one.from.is_bot && one.message_id > message_id && answer.test(one.text ?? ''),
      );
      if (said?.reply_markup)
        await this.post(`chat/${player.id}/press`, { message_id: said.message_id, button: 0, wait: true });
      if (said) return said.text ?? '';
      await new Promise((later) => setTimeout(later, 100));
    }
  }

  /** How many Stars the player has. */
  async stars(player: Person): Promise<number> {
    return (await this.get<{ stars: number }>(`stars/${player.id}`)).stars;
  }

  /** Pays an invoice as Telegram's sheet would, without a phone. */
  payStars(player: Person, link: string): Promise<{ status: string; error?: string }> {
    return this.post('stars/pay', { player: player.id, link });
  }

  /** Where the player's pretend wallet is. */
  async wallet(player: Person): Promise<string> {
    const { wallets } = await this.get<{ wallets: { player: number; address: string }[] }>('chain');
    const own = wallets.find((one) => one.player === player.id);
    if (!own) throw new Error(`${player.first_name} has no wallet`);
    return own.address;
  }

  /** The player's wallet app: whom it is connected to, and what it is asked. */
  walletApp(player: Person): Promise<WalletApp> {
    return this.get(`wallet/${player.id}`);
  }

  /** Its owner does something, without a browser: `connect` {link, decline?}, `approve` or `decline` {request?}, `disconnect`. */
  walletDoes(
    player: Person,
    what: 'connect' | 'approve' | 'decline' | 'disconnect',
    body = {},
  ): Promise<unknown> {
    return this.post(`wallet/${player.id}/${what}`, body);
  }

  /** Whether apps can reach wallets. */
  bridge(to: { offline: boolean }): Promise<unknown> {
    return this.post('bridge', to);
  }

  /** The player pays the treasury, without a browser. */
  pay(player: Person, payment: Payment): Promise<unknown> {
    return this.post('chain/pay', { player: player.id, ...payment });
  }

  /** The treasury's owner sends TON to an address, out of nowhere. */
  async payOut(to: string, nanotons: number, comment: string): Promise<unknown> {
    const { treasury } = await this.get<{ treasury: string }>('chain');
    await this.post('chain/faucet', { to: treasury, nanotons: 2 * nanotons });
    return this.post('chain/pay', { from: 'treasury', to, nanotons, comment });
  }

  /** What the service that mcbk asks tells of the price of TON, US dollars, or that it is broken. */
  rates(to: { usd?: number; broken?: boolean }): Promise<unknown> {
    return this.post('rates', to);
  }

  /** The ads this player was shown, the newest first. */
  async ads(player: Person): Promise<ShownAd[]> {
    const all = await this.get<ShownAd[]>('ads');
    return all.filter((ad) => ad.player === player.id);
  }

  /** The ad network calls back for this ad, now or once more. */
  callBack(ad: ShownAd): Promise<unknown> {
    return this.post(`ads/${ad.id}/callback`);
  }

  /** The player has seen an ad to its end, without a phone; the network calls back for it at once. */
  watched(player: Person): Promise<unknown> {
    const body = JSON.stringify({ player: player.id, outcome: 'watch' });
    return call(`${sandboxUrl}/ads/end`, { method: 'POST', headers: { Origin: appUrl }, body });
  }

  /** How a player stands in a channel, such as "member". */
  member(channel: string, player: Person, status: string): Promise<unknown> {
    return this.post('member', { channel, user: player.id, status });
  }

  /** Moves everybody's clock: `{ add: '90s' }`, `{ next_day: true }`, and back to where it began, `{ reset: true }`. */
  clock(move: { add?: string; next_day?: true; reset?: true }): Promise<unknown> {
    return this.post('clock', move.reset ? { set: process.env.E2E_AHEAD ?? '0s' } : move);
  }

  /**
   * Moves everybody's clock to the next UTC day, and waits until the program has seen it: it looks each second, and until
   * then refuses what Telegram signs tomorrow.
   */
  async nextDay(player: Person): Promise<void> {
    await this.clock({ next_day: true });
    const game = await this.game(player);
    while (!(await game.me().catch(() => undefined))) await new Promise((later) => setTimeout(later, 100));
  }

  /** The next calls of that method fail so. */
  fault(method: string, status: number, count = 1): Promise<unknown> {
    return this.post('faults', { method, status, count });
  }

  /** No call fails any more. */
  noFaults(): Promise<unknown> {
    return this.post('faults', []);
  }

  /** kill -9. */
  kill(): Promise<Process> {
    return this.post('mcbk/kill');
  }

  /** Starts mcbk and waits until it is ready; one that runs already stays. */
  start(): Promise<Process> {
    return this.post('mcbk/start');
  }

  private get<Answer>(path: string): Promise<Answer> {
    return call(`${sandboxUrl}/sandbox/${path}`, {});
  }

  private post<Answer>(path: string, body: unknown = {}): Promise<Answer> {
    return call(`${sandboxUrl}/sandbox/${path}`, { method: 'POST', body: JSON.stringify(body) });
  }
}

export class Game {
  constructor(private readonly initData: string) {}

  me(): Promise<User> {
    return this.call('GET', '/user/me');
  }

  acceptAge(): Promise<User> {
    return this.call('PUT', '/user/update', { age_consent_accepted: true });
  }

  energy(): Promise<EnergyInfo> {
    return this.call('GET', '/tap/energy-status');
  }

  wheel(): Promise<RouletteStatus> {
    return this.call('GET', '/roulette/status');
  }

  /** Rejects when no answer came, so that nobody knows whether the batch counted. */
  tap(taps: number, batchId: string): Promise<TapAnswer> {
    return this.call('POST', '/tap/perform-batch-tap', { total_taps: taps, batch_id: batchId });
  }

  tasks(): Promise<TaskLists> {
    return this.call('GET', '/tasks');
  }

  checkIn(): Promise<unknown> {
    return this.call('POST', '/user/checkin');
  }

  prediction(): Promise<Prediction> {
    return this.call('GET', '/prediction');
  }

  startAd(ad: AdRequest): Promise<AdTicket> {
    return this.call('POST', '/ads/start', ad);
  }

  /** At most one a second. */
  spin(): Promise<{ spin_id: number; reward: { segment: number; type: string } }> {
    return this.call('POST', '/roulette/spin', { is_golden_spin_requested: false });
  }

  fairness(): Promise<Fairness> {
    return this.call('GET', '/roulette/fairness');
  }

  settings(): Promise<Settings> {
    return this.call('GET', '/settings');
  }

  tonPrice(): Promise<TonPrice> {
    return this.call('GET', '/token/ton-price');
  }

  config(): Promise<Config> {
    return this.call('GET', '/config');
  }

  /** Without a proof that the address is theirs; null disconnects. */
  connect(wallet_address: string | null): Promise<User> {
    return this.call('PUT', '/user/wallet', { wallet_address });
  }

  /** For so many TON. */
  order(ton_amount: number): Promise<Purchased> {
    return this.call('POST', '/token/purchase', { ton_amount });
  }

  async orders(): Promise<readonly Order[]> {
    return (await this.call<{ orders: readonly Order[] }>('GET', '/orders')).orders;
  }

  /** The best hundred by that, and where this player is. */
  leaderboard(type: LeaderboardType): Promise<Leaderboard> {
    return this.call('GET', `/leaderboard?type=${type}`);
  }

  mines(): Promise<MinesStatus> {
    return this.call('GET', '/mines/status');
  }

  /** Orders a mine without opening a wallet. */
  orderMine(level: number): Promise<{ order: Order }> {
    return this.call('POST', '/mines/create-payment', { level });
  }

  dig(taps: number, batch_id: string): Promise<MineAnswer> {
    return this.call('POST', '/mines/mine', { taps, batch_id });
  }

  circleAds(): Promise<CircleAds> {
    return this.call('GET', '/circle-ads/status');
  }

  /** How many taps the server has counted for this player today, by both its books. */
  async counted(): Promise<{ byCoins: number; byEnergy: number }> {
    const [user, energy] = [await this.me(), await this.energy()];
    return {
      byCoins: Math.round(user.balance.game_mcbk / energy.mcbk_per_tap),
      byEnergy: (energy.max_energy - energy.current_energy) / energy.energy_per_tap,
    };
  }

  private call<Answer>(method: string, path: string, body?: unknown): Promise<Answer> {
    return call(`${appUrl}/api${path}`, {
      method,
      headers: { Authorization: `tma ${this.initData}`, 'Content-Type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  }
}

async function call<Answer>(url: string, request: RequestInit): Promise<Answer> {
  const response = await fetch(url, request);
  const text = await response.text();
  if (!response.ok) throw new Error(`${request.method ?? 'GET'} ${url}: ${response.status} ${text}`);
  return (text === '' ? null : JSON.parse(text)) as Answer;
}
