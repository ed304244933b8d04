import { isObject, type KeyValueStorage, readRecords } from '../../storage';
import { type Spin, sumOf } from './prize';
import { segments } from './turn';

/** A spin that was requested and has no answer yet. */
export type SpinAttempt = { readonly golden: boolean; readonly key: string };

/** The last spin, if the player has not seen its result. */
export type Unshown = { is: 'nothing' } | { is: 'asked'; question: SpinAttempt } | { is: 'won'; spin: Spin };

const nothing: Unshown = { is: 'nothing' };

/**
 * A request is not repeated after this, milliseconds: by then its prize has been paid.
 */
const maxAgeMs = 24 * 3_600_000;

/**
 * One player's last spin, stored on the device from the press until its prize was claimed, so that closing the app
 * loses none. Other players of the device have their own.
 */
export class UnshownSpin {
  constructor(
    private readonly box: KeyValueStorage,
    private readonly key: string,
    private readonly player: number,
    private readonly now: () => number,
  ) {}

  read(): Unshown {
    const found = readRecords(this.box, this.key)[this.player];
    if (!isObject(found)) return nothing;
    if (isSpin(found.spin)) return { is: 'won', spin: found.spin };
    const { question, timestamp } = found;
    const young = typeof timestamp === 'number' && this.now() - timestamp < maxAgeMs;
    return young && isQuestion(question) ? { is: 'asked', question } : nothing;
  }

  save(question: SpinAttempt): void {
    this.write({ question, timestamp: this.now() });
  }

  won({ spin_id, status, reward }: Spin): void {
    this.write({ spin: { spin_id, status, reward } });
  }

  /** A later spin stays. */
  seen({ spin_id }: Spin): void {
    const unshown = this.read();
    if (unshown.is === 'won' && unshown.spin.spin_id === spin_id) this.write(null);
  }

  /** The spin was refused. */
  refused({ key }: SpinAttempt): void {
    const unshown = this.read();
    if (unshown.is === 'asked' && unshown.question.key === key) this.write(null);
  }

  private write(record: object | null): void {
    const { [this.player]: _, ...others } = readRecords(this.box, this.key);
    this.box.set(this.key, JSON.stringify(record ? { ...others, [this.player]: record } : others));
  }
}

function isQuestion(value: unknown): value is SpinAttempt {
  return isObject(value) && typeof value.key === 'string' && typeof value.golden === 'boolean';
}

/** Another version of the app may have stored it. */
function isSpin(value: unknown): value is Spin {
  if (!isObject(value) || !Number.isSafeInteger(value.spin_id) || !isObject(value.reward)) return false;
  const { segment, multiplier } = value.reward;
  const placed = Number.isInteger(segment) && Number(segment) >= 0 && Number(segment) < segments;
  const { coins, points, spins } = sumOf((value as Spin).reward);
  return placed && [multiplier, coins, points, spins].every((value) => typeof value === 'number');
}
