import type { DailyReward, User } from '../api/types';

/** What the fake server knows of a player. */
export class FakePlayer {
  #user: User;
  #revision = 0;
  taps = 0;
  /** What the next check-in pays; null when today's was taken before. */
  due: DailyReward | null = null;
  streak = 0;
  spunToday = false;
  golden = false;

  constructor(
    id: number,
    public energy: number,
  ) {
    this.#user = aUser({ id });
  }

  get user(): User {
    return this.#user;
  }

  /** Each change is another revision. */
  set user(user: User) {
    this.#revision += 1;
    this.#user = { ...user, as_of: this.#revision };
  }
}

/** A player who has accepted the rules and earned nothing, unless it says otherwise. */
function aUser(change: Partial<User> = {}): User {
  return {
    as_of: 0,
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
      is_golden_spin_available: false,
    },
    stats: { leaderboard_rank: null, total_days_in_game: 1, won_mcbk: 0 },
    ...change,
  };
}
