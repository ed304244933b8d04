import { describe, expect, it } from 'vitest';
import { chestOdds, odds } from '../../testing/seeds';
import { bytesOf, hexOf, outcomeOf, placeOf, rollOf, rollsOf, wordsOf } from './rolls';

/** Digests of client seed "lantern-light" under the server seed 000102…1f; `openssl dgst -sha256 -mac HMAC` wrote them. */
const vectors = [
  {
    nonce: 0,
    digest: 'cafc7b2c7ddb4622268afa7569017ed40d00fd77540f7cb512da46af4a46eb54',
    words: [3405544236, 2111522338, 646642293, 1761705684, 218168695, 1410301109, 316294831, 1246161748],
    rolls: [36, 38],
    outcome: { segment: 4, type: 'coins_3' },
  },
  {
    nonce: 13,
    digest: '4fbb84746b6f925b30e9bfb7ffd0f631678df8fd8ac41e947339b2bbfe111531',
    words: [1337689204, 1802474075, 820625335, 4291884593, 1737357565, 2328108692, 1933161147, 4262532401],
    rolls: [4, 75],
    outcome: { segment: 0, type: 'chest', chest_type: 'points_150' },
  },
  {
    // The second word, 4294967209, is of the last, incomplete hundred.
    nonce: 4_882_885,
    digest: 'df9d1dcdffffffa9994b8aa796a92a80c22fc05386211420f2b5f0ed4d9c7327',
    words: [3751615949, 4294967209, 2571864743, 2527668864, 3257909331, 2250314784, 4072009965, 1302098727],
    rolls: [49, 43],
    outcome: { segment: 5, type: 'points_10' },
  },
] as const;

/** As if a message had this digest. */
const loaded = (digests: Record<string, string>) => async (message: string) => {
  const bytes = bytesOf(digests[message] ?? '');
  if (!bytes) throw new Error(`nobody may ask for ${message}`);
  return bytes;
};

const full = 'ff'.repeat(32);

describe('a digest', () => {
  it.each(vectors)('is read as eight big-endian words: nonce $nonce', ({ digest, words }) => {
    expect(wordsOf(bytesOf(digest) ?? new Uint8Array())).toEqual(words);
  });

  it('may lie anywhere in memory', () => {
    const memory = Uint8Array.from([9, 0, 0, 1, 2]);
    expect(wordsOf(memory.subarray(1))).toEqual([258]);
  });

  it('is what its hex says, and nothing else is a digest', () => {
    expect(hexOf(bytesOf(vectors[0].digest) ?? new Uint8Array())).toBe(vectors[0].digest);
    expect(bytesOf('00FFa0')).toEqual(Uint8Array.from([0, 255, 160]));
    for (const wrong of ['', 'abc', 'zz', '0x00', '00 11']) expect(bytesOf(wrong)).toBeNull();
  });
});

describe('a roll', () => {
  it.each([
    [0, 0],
    [99, 99],
    [100, 0],
    [4_294_967_199, 99],
    [4_294_967_200, null],
    [4_294_967_209, null],
    [4_294_967_295, null],
  ])('of word %i is %s', (word, roll) => {
    expect(rollOf(word)).toBe(roll);
  });

  it.each(vectors)('and the next are those of openssl: nonce $nonce', async ({ digest, rolls }) => {
    expect(await rollsOf(loaded({ 'seed:0': digest }), 'seed:0')).toEqual(rolls);
  });

  it('goes on with :1, :2 where the words run out', async () => {
    const tail = `${'ff'.repeat(28)}0000000c`;
    expect(await rollsOf(loaded({ m: full, 'm:1': tail, 'm:2': vectors[0].digest }), 'm')).toEqual([12, 36]);
  });

  it('asks for no further words than it needs', async () => {
    const tail = `${'ff'.repeat(24)}00000007ffffff9f`;
    expect(await rollsOf(loaded({ m: tail }), 'm')).toEqual([7, 99]);
  });
});

describe('an outcome', () => {
  it.each(vectors)('is that of the table: nonce $nonce', ({ rolls, outcome }) => {
    expect(outcomeOf(rolls, odds, chestOdds)).toEqual({ chest_type: undefined, ...outcome });
  });

  it('falls on each place exactly as often as it weighs', () => {
    for (const table of [odds, chestOdds]) {
      const hits = table.map(() => 0);
      for (let roll = 0; roll < 100; roll += 1) {
        const place = placeOf(roll, table);
        hits[place] = (hits[place] ?? 0) + 1;
      }
      expect(hits).toEqual(table.map(({ weight }) => weight));
    }
  });

  it('is none beyond the last place, and passes by what weighs nothing', () => {
    const table = [
      { type: 'never', weight: 0 },
      { type: 'half', weight: 50 },
    ];
    expect([placeOf(0, table), placeOf(49, table), placeOf(50, table)]).toEqual([1, 1, -1]);
    expect(outcomeOf([50, 0], table, chestOdds)).toEqual({
      segment: -1,
      type: undefined,
      chest_type: undefined,
    });
  });
});
