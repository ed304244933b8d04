import type {
  AdRequest,
  ChestClaim,
  EnergyInfo,
  RouletteStatus,
  SpinAnswer,
  SpinClaimed,
  SpinReward,
  User,
} from '../api/types';
import type { FakePlayer } from './FakePlayer';
import type { Refusal } from './refusal';

type Spun = { spin_id: number; status: SpinAnswer['status']; reward: SpinReward; player: FakePlayer };
export type Pay = (player: FakePlayer, coins: number, points: number, change?: Partial<User>) => User;

/** A prize of ten points, unless it says otherwise. */
export function aPrize(change: Partial<SpinReward> = {}): SpinReward {
  return {
    type: 'points_10',
    segment: 5,
    is_golden: false,
    multiplier: 1,
    canDoubleWithAd: true,
    ...('type' in change ? {} : { points: 10 }),
    ...change,
  };
}

/** The wheel of the fake server: it brings what the test has put in line, and pays by the rules. */
export class FakeWheel {
  /** What the next spins bring, in order; then ten points each. */
  prizes: SpinReward[] = [];
  readonly spins = new Map<number, Spun>();

  constructor(
    private readonly pay: Pay,
    private readonly energy: (player: FakePlayer) => EnergyInfo,
  ) {}

  /** What every answer that moves the wheel tells of the player. */
  figures(player: FakePlayer): SpinClaimed {
    return { user: player.user, roulette: this.status(player), energy: this.energy(player) };
  }

  status({ user, streak, spunToday, golden }: FakePlayer): RouletteStatus {
    const { daily_spins, ad_spins } = user.balance;
    return {
      as_of: user.as_of,
      daily_spins,
      ad_spins,
      spin_streak: streak,
      spun_today: spunToday,
      is_golden_spin_available: golden,
    };
  }

  /** The ad network has called back for this ticket. */
  confirmAd({ purpose, target_id }: AdRequest, player: FakePlayer): void {
    if (purpose === 'spin') {
      const { daily_spins, ad_spins } = player.user.balance;
      this.pay(player, 0, 10);
      this.holds(player, { daily_spins: daily_spins + 1, ad_spins: ad_spins - 1 });
    }
    const spun = this.spins.get(Number(target_id));
    if (purpose === 'roulette' && spun) this.settle(spun, this.times(spun.reward), 'doubled');
  }

  private holds(player: FakePlayer, change: Partial<User['balance']>): void {
    player.user = { ...player.user, balance: { ...player.user.balance, ...change } };
  }

  /** Spins of which an ad was confirmed. */
  private readonly confirmed = new Set<number>();

  private times({ is_golden, type, chest }: SpinReward): number {
    if (is_golden) return 2;
    return type === 'points_200' || chest?.type === 'coin_2_points_75' ? 3 : 2;
  }

  private settle(spun: Spun, times: number, how: 'claimed' | 'doubled'): void {
    const { reward, player, status } = spun;
    const { coins = 0, points = 0 } = reward.chest ?? reward.additional_reward ?? reward;
    // Coins of a credited prize are paid already, once.
    if (how === 'doubled') this.confirmed.add(spun.spin_id);
    const share = status === 'credited' ? times - 1 : times;
    this.pay(player, coins * share, points * share);
    if (status === 'pending') {
      const more = reward.bonus_spin ? 1 : (reward.chest?.spins ?? 0);
      this.holds(player, { daily_spins: Math.min(20, player.user.balance.daily_spins + more) });
    }
    spun.status = 'credited';
  }

  spin(golden: boolean, player: FakePlayer): SpinAnswer {
    const { daily_spins } = player.user.balance;
    if (daily_spins === 0) throw { status: 409, code: 'no_spins_left' } satisfies Refusal;
    if (golden && !player.golden) throw { status: 409, code: 'golden_not_available' } satisfies Refusal;
    for (const before of this.spins.values()) {
      if (before.player === player && before.status === 'pending') this.settle(before, 1, 'claimed');
    }
    const reward = this.prizes.shift() ?? aPrize();
    const status = reward.coins === undefined ? 'pending' : 'credited';
    const spin_id = 101 + this.spins.size;
    this.holds(player, { daily_spins: player.user.balance.daily_spins - 1 });
    const { stats } = player.user;
    const coins = reward.coins ?? 0;
    this.pay(player, coins, 0, { stats: { ...stats, won_mcbk: stats.won_mcbk + coins } });
    player.spunToday = true;
    if (golden) Object.assign(player, { golden: false, streak: 0 });
    this.spins.set(spin_id, { spin_id, status, reward, player });
    return { spin_id, status, reward, ...this.figures(player) };
  }

  /** The spin, if this player may still claim it. */
  private pending(id: number, player: FakePlayer): Spun {
    const spun = this.spins.get(id);
    if (!spun || spun.player !== player) throw { status: 404, code: 'not_found' } satisfies Refusal;
    if (spun.status === 'credited') throw { status: 409, code: 'already_claimed' } satisfies Refusal;
    return spun;
  }

  claim(id: number, player: FakePlayer): SpinClaimed {
    this.settle(this.pending(id, player), 1, 'claimed');
    return this.figures(player);
  }

  /** What the confirmation of an ad has paid. */
  doubled(id: number, player: FakePlayer): SpinClaimed {
    if (this.confirmed.has(id)) return this.figures(player);
    if (this.spins.get(id)?.reward.coins === undefined) this.pending(id, player);
    throw { status: 409, code: 'ad_not_confirmed' } satisfies Refusal;
  }

  openChest({ spin_id, watch_ad }: ChestClaim, player: FakePlayer) {
    const figures = watch_ad ? this.doubled(spin_id, player) : this.claim(spin_id, player);
    return { reward: this.spins.get(spin_id)?.reward, ...figures };
  }
}
