import type { Fairness, PastSpin, RetiredSeed } from '../api/types';

/** The odds of decision "Roulette", in the order of their tables. */
export const odds: Fairness['odds'] = [
  { type: 'chest', weight: 6 },
  { type: 'points_100', weight: 10 },
  { type: 'coins_2', weight: 11 },
  { type: 'points_200', weight: 4 },
  { type: 'coins_3', weight: 7 },
  { type: 'points_10', weight: 16 },
  { type: 'bonus_spin', weight: 8 },
  { type: 'points_50', weight: 13 },
  { type: 'coins_1', weight: 15 },
  { type: 'points_20', weight: 10 },
];

export const chestOdds: Fairness['chest_odds'] = [
  { type: 'coin_2_points_75', weight: 40 },
  { type: 'coins_5', weight: 25 },
  { type: 'points_150', weight: 20 },
  { type: 'spins_2', weight: 10 },
  { type: 'coin_3_spin_1', weight: 5 },
];

/** Where the wheel stopped, by nonce, and what the chest there held; all of it computed by scripts/fairness.sh. */
const stops: readonly (readonly [segment: number, chest?: NonNullable<PastSpin['chest_type']>])[] = [
  [4],
  [5],
  [9],
  [8],
  [2],
  [7],
  [5],
  [7],
  [1],
  [1],
  [9],
  [2],
  [1],
  [0, 'points_150'],
];

const spins = stops.map(
  ([segment, chest], nonce): PastSpin => ({
    spin_id: 100 + nonce,
    nonce,
    segment,
    type: odds[segment]?.type ?? 'chest',
    ...(chest === undefined ? {} : { chest_type: chest }),
    is_golden: nonce === 7,
    created_at: '2026-02-28T12:00:00Z',
  }),
);

/** A seed that is as it should be, with fourteen spins, the last of them a chest. */
export function aRetiredSeed(change: Partial<RetiredSeed> = {}): RetiredSeed {
  return {
    server_seed: '000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f',
    server_seed_hash: '630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd',
    client_seed: 'lantern-light',
    retired_at: '2026-03-01T00:00:00Z',
    spins,
    ...change,
  };
}

/** What the server says of a player's seeds, but for the retired ones. */
export function someSeeds(change: Partial<Fairness> = {}): Fairness {
  return {
    server_seed_hash: '5df404c22ba4e956e7ef06b6499f07ee62894450c25c928a7f5db26f6ea499a4',
    next_server_seed_hash: 'b5c0554e55cd5bfaa8f5c15fab7e0994e136bf27d21474089554a7f2b4d6b0b7',
    client_seed: 'lantern-light',
    nonce: 3,
    odds,
    chest_odds: chestOdds,
    retired: [],
    hasMore: false,
    ...change,
  };
}
