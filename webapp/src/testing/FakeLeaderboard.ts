import type { Leaderboard, LeaderboardItem } from '../api/types';

export function aLeader(change: Partial<LeaderboardItem> = {}): LeaderboardItem {
  return {
    rank: null,
    telegram_id: 700,
    first_name: 'Marina',
    username: 'marina',
    photo_url: '',
    game_mcbk: 12_480.25,
    game_points: 4120,
    purchased_mcbk: 7500,
    total_days_in_game: 42,
    ...change,
  };
}

/** By how much a board ranks. */
const figures: Readonly<Record<string, (player: LeaderboardItem) => number>> = {
  coins: (player) => player.game_mcbk,
  points: (player) => player.game_points,
  purchased_coins: (player) => player.purchased_mcbk,
};

/** The contract: no page begins after so many players. */
const deepest = 10_000;

/** Who is best by what, as the server tells page by page. */
export class FakeLeaderboard {
  others: readonly LeaderboardItem[] = [];
  /** The player who asks. */
  me = aLeader();
  /** The ranks are being counted after a start. */
  counting = false;

  page({ searchParams }: URL): Leaderboard {
    if (this.counting) return { leaderboard: [], hasMore: false, me: { ...this.me, rank: null } };
    const figure = figures[searchParams.get('type') ?? ''];
    if (!figure) throw new Error(`no such board: ${searchParams}`);
    const offset = Number(searchParams.get('offset'));
    const limit = Number(searchParams.get('limit'));
    const all = [this.me, ...this.others]
      .sort((a, b) => figure(b) - figure(a) || a.telegram_id - b.telegram_id)
      .map((player, place) => ({ ...player, rank: place + 1 }));
    return {
      leaderboard: all.slice(offset, offset + limit),
      hasMore: all.length > offset + limit && offset + limit <= deepest,
      me: all.find(({ telegram_id }) => telegram_id === this.me.telegram_id) ?? this.me,
    };
  }
}

const best = [
  ['Артём', 214_880, 41],
  ['Léa', 198_412, 42],
  ['Johannes', 171_006, 39],
  ['Sofia', 120_884, 42],
  ['Dmitry', 98_240.55, 30],
  ['Tom', 91_112.3, 38],
  ['Анна', 88_004.25, 42],
  ['Noah', 80_451.9, 27],
] as const;

/** As many players as that, the richest first and with a name of this sort; 127 of them have more coins than `aLeader`. */
export function someLeaders(total: number, first: string = best[0][0]): LeaderboardItem[] {
  return Array.from({ length: total }, (_, n) => {
    const [name, coins, days] = best[n % best.length] ?? best[0];
    const game_mcbk = n < best.length ? coins : Math.floor(8_000_000 * 0.98444 ** (n - best.length)) / 100;
    return aLeader({
      telegram_id: 1000 + n,
      first_name: n === 0 ? first : name,
      username: '',
      game_mcbk,
      game_points: Math.floor(game_mcbk / 7),
      purchased_mcbk: Math.floor(game_mcbk / 2),
      total_days_in_game: days,
    });
  });
}
