import { describe, expect, it } from 'vitest';
import { aPrize } from '../../testing/FakeWheel';
import { best, sizeOf } from './win';

const chest = { type: 'spins_2' as const, spins: 2, coins: 0, points: 0, canDoubleWithAd: false };
const bonus = { bonus_spin: true as const, additional_reward: { coins: 0, points: 10 } };

describe('a win', () => {
  it.each([
    [{ type: 'points_50', points: 50 }, 'small', 'points'],
    [{ type: 'coins_2', coins: 2 }, 'small', 'coins'],
    [{ type: 'bonus_spin', ...bonus }, 'small', 'spins'],
    [{ type: 'points_200', points: 200 }, 'big', 'points'],
    [{ type: 'coins_3', coins: 3 }, 'big', 'coins'],
    [{ type: 'chest', chest }, 'huge', 'spins'],
    [{ type: 'points_50', points: 50, is_golden: true }, 'huge', 'points'],
    [{ type: 'bonus_spin', ...bonus, is_golden: true }, 'huge', 'points'],
  ] as const)('%j is %s, and shown by its %s', (reward, size, part) => {
    const won = aPrize(reward);
    expect([sizeOf(won), best(won)]).toEqual([size, part]);
  });
});
