import type { KeyValueStorage } from '../../storage';
import { type Spin, sumOf } from './prize';
import { segments } from './turn';

/** A spin that was asked for and whose answer has not come. */
export type Question = { readonly golden: boolean; readonly key: string };

/** What the player has not seen the end of yet. */
export type Unshown = { is: 'nothing' } | { is: 'asked'; question: Question } | { is: 'won'; spin: Spin };

const nothing: Unshown = { is: 'nothing' };

/**
 * A question is not repeated after this long, in milliseconds: by then whatever it may have won has been paid, and nobody
 * waits for a wheel that turns by itself.
 */
const memory = 24 * 3_600_000;

/**
 * One player's last spin, kept on the device from the press until its prize was seen and taken, so that closing the app
 * hides none. The others of this device keep theirs.
 */
export class UnshownSpin {
  constructor(
    private readonly box: KeyValueStorage,
    private readonly key: string,
    private readonly player: number,
    private readonly now: () => number,
  ) {}

  read(): Unshown {
    const found = this.records()[this.player];
    if (!isObject(found)) return nothing;
    if (isSpin(found.spin)) return { is: 'won', spin: found.spin };
    const { question, timestamp } = found;
    const young = typeof timestamp === 'number' && this.now() - timestamp < memory;
    return young && isQuestion(question) ? { is: 'asked', question } : nothing;
  }

  save(question: Question): void {
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

  /** The question was answered with no. */
  refused({ key }: Question): void {
    const unshown = this.read();
    if (unshown.is === 'asked' && unshown.question.key === key) this.write(null);
  }

  private write(record: object | null): void {
    const { [this.player]: _, ...others } = this.records();
    this.box.set(this.key, JSON.stringify(record ? { ...others, [this.player]: record } : others));
  }

  private records(): Record<string, unknown> {
    try {
      const parsed: unknown = JSON.parse(this.box.get(this.key) ?? '{}');
      return isObject(parsed) ? parsed : {};
    } catch {
      return {};
    }
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isQuestion(value: unknown): value is Question {
  return isObject(value) && typeof value.key === 'string' && typeof value.golden === 'boolean';
}

/** What another build of the game has written may lack what this one shows. */
function isSpin(value: unknown): value is Spin {
  if (!isObject(value) || !Number.isSafeInteger(value.spin_id) || !isObject(value.reward)) return false;
  const { segment, multiplier } = value.reward;
  const placed = Number.isInteger(segment) && Number(segment) >= 0 && Number(segment) < segments;
  const { coins, points, spins } = sumOf((value as Spin).reward);
  return placed && [multiplier, coins, points, spins].every((value) => typeof value === 'number');
}
