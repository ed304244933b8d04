import type { DailyReward, User } from '../api/types';

/** What the fake server knows of a player. */
export type FakePlayer = {
  user: User;
  energy: number;
  taps: number;
  /** What the next check-in pays; null when today's was taken before. */
  due: DailyReward | null;
  streak: number;
  spunToday: boolean;
  golden: boolean;
};

/** A player who has accepted the rules and earned nothing, unless it says otherwise. */
export function aUser(change: Partial<User> = {}): User {
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
  };
}
