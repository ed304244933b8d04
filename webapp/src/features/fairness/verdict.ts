import type { PastSpin } from '../../api/types';
import type { Outcome, Rolls } from './rolls';

/** A spin as computed by the browser, and as recorded by the server. */
export type SpinVerdict = {
  readonly rolls: Rolls;
  readonly outcome: Outcome<PastSpin['type'], NonNullable<PastSpin['chest_type']>>;
  readonly matches: boolean;
};

/** What came of checking a retired seed. */
export type Verdict = {
  /** The seed is the one whose hash was shown. */
  readonly hash: boolean;
  /** Of each spin, in the order of the answer. Without a seed that can be read, none. */
  readonly spins: readonly SpinVerdict[];
  /** The nonces count from 0 without a gap, so that no spin was left out. */
  readonly complete: boolean;
};

export function sound({ hash, spins, complete }: Verdict): boolean {
  return hash && complete && spins.every(({ matches }) => matches);
}
