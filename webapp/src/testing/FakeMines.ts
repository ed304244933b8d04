import type { Currency, MineAnswer, MineBatch, MineResult, Miner, MinesStatus, User } from '../api/types';
import { anOrder, aStarsOrder, type FakeMarket, inTime } from './FakeMarket';
import { refusal } from './refusal';

/** Milliseconds. */
const hour = 3_600_000;
const day = 24 * hour;

const names = [
  'Stone',
  'Coal',
  'Iron',
  'Copper',
  'Silver',
  'Gold',
  'Platinum',
  'Titanium',
  'Emerald',
  'Diamond',
];

export function aMiner(change: Partial<Omit<Miner, 'user'>> & { id?: number; name?: string } = {}): Miner {
  const { id = 7, name = 'Marina', ...rest } = change;
  return {
    rank: 37,
    user: { id, first_name: name, username: '', photo_url: '' },
    mcbk: 3416,
    taps: 3416,
    ...rest,
  };
}

/** The first with a name of this sort. */
export function someMiners(first = 'Артём'): Miner[] {
  return (
    [
      [first, 61_240, 24_480],
      ['Sofia', 58_102.5, 23_240],
      ['Noah', 41_880.75, 18_600],
      ['Léa', 30_110, 17_020],
      ['Dmitry', 22_406.25, 14_900],
      ['Анна', 18_004, 12_002],
      ['Tom', 15_230.5, 10_110],
    ] as const
  ).map(([name, mcbk, taps], n) => aMiner({ id: 100 + n, name, rank: n + 1, mcbk, taps }));
}

/** What came of a tournament for somebody who dug every day. */
export function aResult(change: Partial<MineResult> = {}): MineResult {
  return {
    rank: 2,
    mcbk: 3416,
    paid_mcbk: 6832,
    doubled: true,
    prize_ton: 20,
    prize_mcbk: 50_000,
    prize_given: false,
    payout: null,
    ...change,
  };
}

type MineOrder = { level: number; currency?: Currency };

/** The mines of one player, as the server tells and counts them. */
export class FakeMines {
  level = 0;
  energy = 0;
  dug = 0;
  taps = 0;
  /** How long until the energy is full again, milliseconds. */
  fullIn = 5 * hour + 720_000;
  tournament: MinesStatus['tournament'] = {
    status: 'running',
    starts_at: inTime(-5 * day),
    ends_at: inTime(9 * day + 21 * hour + 48 * 60_000),
    sales_end_at: inTime(9 * day + 21 * hour),
    digs_daily: true,
    daily_possible: true,
    result: null,
    next_starts_at: null,
  };
  miners: readonly Miner[] = [];
  me = aMiner({ rank: 0, mcbk: 0, taps: 0 });
  readonly batches = new Map<string, MineAnswer>();

  constructor(private readonly market: FakeMarket) {}

  /** Has the player own all mines up to this. */
  own(level: number, energy = level * 1000): void {
    this.level = level;
    this.energy = energy;
  }

  get status(): MinesStatus {
    return {
      as_of: this.batches.size,
      id: 1,
      current_mine_level: this.level,
      tournament_mcbk: this.dug,
      available_levels: names.map((name, n) => ({
        level: n + 1,
        name,
        cost: n === 0 ? 1 : 1 + n / 2,
        energy: (n + 1) * 1000,
        mcbk_per_tap: (n + 1) / 4,
        unlocked: n < this.level,
      })),
      can_unlock_next: this.level < 10 ? this.level + 1 : null,
      energy_info: { current: this.energy, max: this.level * 1000, full_at: inTime(this.fullIn) },
      tournament: this.tournament,
      rules: {
        energy_per_tap: 10,
        window_hours: 12,
        tournament_days: 15,
        least_prize_mcbk: 100,
        daily_days: 10,
        daily_factor: 2,
        prizes: [
          { from: 1, to: 1, ton: 30, mcbk: 100_000 },
          { from: 2, to: 2, ton: 20, mcbk: 50_000 },
          { from: 3, to: 3, ton: 10, mcbk: 25_000 },
          { from: 4, to: 10, ton: 0, mcbk: 10_000 },
          { from: 11, to: 100, ton: 0, mcbk: 5000 },
        ],
      },
    };
  }

  /** The answer to one of the mines' calls; undefined to any other. */
  answer(call: string, body: unknown, user: User): unknown {
    switch (call) {
      case 'GET /mines/status':
        return this.status;
      case 'GET /mines/leaderboard':
        return { leaderboard: this.miners, me: this.me };
      case 'POST /mines/mine':
        return this.dig(body as MineBatch);
      case 'POST /mines/create-payment':
        return this.sell(body as MineOrder, user);
      case 'POST /mines/unlock':
        return this.unlock((body as { level: number }).level);
      default:
        return undefined;
    }
  }

  /** The payment for a mine has not been seen yet. */
  isPending(answer: unknown): boolean {
    return typeof answer === 'object' && answer !== null && 'unlocked' in answer && !answer.unlocked;
  }

  dig({ taps, batch_id }: MineBatch): MineAnswer {
    const key = batch_id ?? '';
    const before = this.batches.get(key);
    if (before) return before;
    const over = Date.now() >= Date.parse(this.tournament.ends_at);
    if (over || this.tournament.status !== 'running') throw refusal(409, 'tournament_not_active');
    if (this.level === 0) throw refusal(403, 'mine_locked');
    const accepted = Math.min(taps, Math.floor(this.energy / 10));
    this.energy -= accepted * 10;
    this.taps += accepted;
    this.dug += (accepted * this.level) / 4;
    const answer = {
      as_of: this.batches.size + 1,
      accepted,
      total_mcbk: this.dug,
      current_energy: this.energy,
      max_energy: this.level * 1000,
    };
    this.batches.set(key, answer);
    return answer;
  }

  /** The chain shows the payment of the mine's order. */
  paid(): void {
    const order = this.market.orders.find(({ kind, status }) => kind === 'mine' && status === 'pending');
    if (!order) throw new Error('nobody has ordered a mine');
    const paid = order.currency === 'TON' ? { paid_ton: order.ton_amount } : {};
    this.market.becomes(order.id, { status: 'paid', ...paid });
    this.own(order.level ?? 0);
  }

  private sell({ level, currency = 'TON' }: MineOrder, user: User) {
    if (this.tournament.status !== 'running') throw refusal(409, 'tournament_not_active');
    if (currency === 'TON' && !user.wallet_address) throw refusal(409, 'wallet_not_connected');
    if (level !== this.level + 1) throw refusal(409, 'level_not_next');
    const { orders } = this.market;
    const open = orders.find(
      (one) =>
        one.kind === 'mine' && one.level === level && one.currency === currency && one.status === 'pending',
    );
    if (open) return { paymentLink: open.paymentLink, order: open };
    const id = orders.length + 1;
    const cost = this.status.available_levels[level - 1]?.cost ?? 0;
    const { ton, info } = this.market;
    const mine = { id, kind: 'mine', level, comment: `MC-ABCDE1234${id}`, mcbk_amount: 0 } as const;
    const order =
      currency === 'TON'
        ? anOrder({ ...mine, ton_amount: cost })
        : aStarsOrder({ ...mine, stars: Math.ceil((cost * ton.data.ton_price_usd) / info.stars.usd) });
    this.market.orders = [order, ...orders];
    return { paymentLink: order.paymentLink, order };
  }

  private unlock(level: number) {
    if (level <= this.level) return { unlocked: true, status: this.status };
    const order = this.market.orders.find((one) => one.kind === 'mine' && one.level === level);
    return { unlocked: false, order: order ?? null };
  }
}
