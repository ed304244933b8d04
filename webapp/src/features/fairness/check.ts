import type { Fairness, PastSpin, RetiredSeed } from '../../api/types';
import { bytesOf, hexOf, outcomeOf, rollsOf } from './rolls';
import type { SpinVerdict, Verdict } from './verdict';

type Tables = Pick<Fairness, 'odds' | 'chest_odds'>;

/** Checks a retired seed and each of its spins with the browser's own SHA-256 and HMAC. */
export async function checkSeed(subtle: SubtleCrypto, seed: RetiredSeed, tables: Tables): Promise<Verdict> {
  const bytes = bytesOf(seed.server_seed);
  const complete = seed.spins.every(({ nonce }, n) => nonce === n);
  // Nothing can be computed with it, and so nothing is proven.
  if (bytes?.length !== 32) return { hash: false, spins: [], complete };
  const hash = hexOf(new Uint8Array(await subtle.digest('SHA-256', bytes)));
  const key = await subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
  const digest = async (message: string) =>
    new Uint8Array(await subtle.sign('HMAC', key, new TextEncoder().encode(message)));
  const spins = await Promise.all(
    seed.spins.map(async (spin) => {
      const rolls = await rollsOf(digest, `${seed.client_seed}:${spin.nonce}`);
      const outcome = outcomeOf(rolls, tables.odds, tables.chest_odds);
      return { rolls, outcome, matches: same(spin, outcome) };
    }),
  );
  return { hash: hash === seed.server_seed_hash, spins, complete };
}

function same(spin: PastSpin, { segment, type, chest_type }: SpinVerdict['outcome']): boolean {
  return spin.segment === segment && spin.type === type && spin.chest_type === chest_type;
}
