import { describe, expect, it } from 'vitest';
import type { RetiredSeed } from '../../api/types';
import { aRetiredSeed, chestOdds, odds } from '../../testing/seeds';
import { checkSeed } from './check';
import { sound } from './verdict';

const tables = { odds, chest_odds: chestOdds };
const check = (seed: RetiredSeed) => checkSeed(crypto.subtle, seed, tables);

/** The seed with one spin told otherwise. */
function tampered(nonce: number, change: Partial<RetiredSeed['spins'][number]>): RetiredSeed {
  const seed = aRetiredSeed();
  return { ...seed, spins: seed.spins.map((spin) => (spin.nonce === nonce ? { ...spin, ...change } : spin)) };
}

const wrong = ({ spins }: Awaited<ReturnType<typeof check>>) =>
  spins.flatMap(({ matches }, n) => (matches ? [] : [n]));

describe('a retired seed', () => {
  it('is sound where hash and spins are those of openssl', async () => {
    const verdict = await check(aRetiredSeed());
    expect(verdict.hash).toBe(true);
    expect(verdict.spins).toHaveLength(14);
    expect(wrong(verdict)).toEqual([]);
    expect(verdict.spins[13]).toEqual({
      rolls: [4, 75],
      outcome: { segment: 0, type: 'chest', chest_type: 'points_150' },
      matches: true,
    });
    expect(sound(verdict)).toBe(true);
  });

  it('is sound without a spin', async () => {
    expect(sound(await check(aRetiredSeed({ spins: [] })))).toBe(true);
  });

  it.each([
    ['another segment', 2, { segment: 4 }],
    ['another prize', 2, { type: 'coins_3' }],
    ['another chest', 13, { chest_type: 'coins_5' }],
    ['a chest that is none', 0, { chest_type: 'coins_5' }],
  ] as const)('does not match where a spin is told with %s', async (_, nonce, change) => {
    const verdict = await check(tampered(nonce, change));
    expect(wrong(verdict)).toEqual([nonce]);
    expect([verdict.hash, verdict.complete, sound(verdict)]).toEqual([true, true, false]);
  });

  it('does not match where a chest has lost what it held', async () => {
    const seed = aRetiredSeed();
    const spins = seed.spins.map(({ chest_type: _, ...spin }) => spin);
    expect(wrong(await check({ ...seed, spins }))).toEqual([13]);
  });

  it('does not match under another client seed, nor another server seed', async () => {
    expect(wrong(await check(aRetiredSeed({ client_seed: 'lantern-lighT' })))).not.toEqual([]);
    const other = await check(aRetiredSeed({ server_seed: 'ff'.repeat(32) }));
    expect(other.hash).toBe(false);
    expect(wrong(other)).not.toEqual([]);
  });

  it('is not the one that was promised where the hash differs in one digit', async () => {
    const hash = aRetiredSeed().server_seed_hash.replace(/.$/, 'e');
    const verdict = await check(aRetiredSeed({ server_seed_hash: hash }));
    expect([verdict.hash, wrong(verdict), sound(verdict)]).toEqual([false, [], false]);
  });

  it.each(['', 'not hex', '00', '00'.repeat(33)])(
    'proves nothing where the seed is "%s"',
    async (server_seed) => {
      const verdict = await check(aRetiredSeed({ server_seed }));
      expect([verdict.hash, verdict.spins, sound(verdict)]).toEqual([false, [], false]);
    },
  );

  it.each([
    ['left out in the middle', (n: number) => n !== 5],
    ['left out at the start', (n: number) => n !== 0],
  ])('is not whole where a spin is %s', async (_, keep) => {
    const seed = aRetiredSeed();
    const verdict = await check({ ...seed, spins: seed.spins.filter(({ nonce }) => keep(nonce)) });
    expect([verdict.hash, wrong(verdict), verdict.complete, sound(verdict)]).toEqual([
      true,
      [],
      false,
      false,
    ]);
  });

  it('is held to the odds of the answer', async () => {
    const other = odds.map((place) => ({ ...place, weight: 10 }));
    const verdict = await checkSeed(crypto.subtle, aRetiredSeed(), { ...tables, odds: other });
    // Rolls of 30 to 39 fall on place 3 then, and those spins are told with place 4.
    expect(verdict.spins[0]).toMatchObject({ rolls: [36, 38], outcome: { segment: 3 }, matches: false });
  });
});
