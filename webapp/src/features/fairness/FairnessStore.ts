import { flow, makeAutoObservable, observableRef } from 'mobx';
import { asApiError } from '../../api/error';
import type { Fairness, RetiredSeed } from '../../api/types';
import type { RootStore } from '../../app/RootStore';
import { errorKey } from '../../i18n/errors';
import { Pages } from '../../stores/Pages';
import { wait } from '../../stores/wait';
import { hexOf } from './rolls';
import type { Verdict } from './verdict';

/** What is wrong with a client seed (spec §5). */
type Fault = 'none' | 'short' | 'long' | 'letters';

/** Seeds a page; each has its spins, 30 a day and more. */
const pageSize = 10;
/** A client seed of these bytes is as hard to guess as a server seed's half, and is written in 32 characters. */
const randomLength = 16;

/** What a retired seed is known by. */
export const keyOf = (seed: RetiredSeed): string => seed.server_seed_hash;

/** The proof that the wheel is fair: what the server has committed to, what it has opened, and what came of checking that. */
export class FairnessStore {
  /** The last answer. It has the retired seeds of one page; `retired` has them all. */
  current: Fairness | null = null;
  readonly retired: Pages<RetiredSeed>;
  /** The client seed the player is writing. */
  draft = '';
  saving = false;
  /** Seeds whose spins are shown. */
  open: ReadonlySet<string> = new Set();
  /** Of each seed that was checked, what came of it. */
  verdicts: ReadonlyMap<string, Verdict> = new Map();

  readonly #root: RootStore;

  constructor(root: RootStore) {
    this.#root = root;
    this.retired = new Pages({
      fetchPage: async (offset, limit) => {
        const fairness = await root.api.fairness(limit, offset);
        return { rows: fairness.retired, hasMore: fairness.hasMore, fairness };
      },
      onPage: ({ fairness }) => this.take(fairness),
      keyOf,
      size: pageSize,
    });
    makeAutoObservable(this, {
      current: observableRef,
      open: observableRef,
      verdicts: observableRef,
      retired: false,
    });
  }

  load(): Promise<void> {
    return this.retired.load();
  }

  /** False without WebCrypto: nothing can be checked here. */
  get canCheck(): boolean {
    return this.#root.platform.subtle !== null;
  }

  get fault(): Fault {
    if (!/^[A-Za-z0-9_-]*$/.test(this.draft)) return 'letters';
    if (this.draft.length < 8) return 'short';
    return this.draft.length > 64 ? 'long' : 'none';
  }

  write(draft: string): void {
    this.draft = draft.trim();
  }

  roll(): void {
    this.draft = hexOf(this.#root.platform.randomBytes(randomLength));
  }

  /** Spec §4: the present server seed is retired and opened, and the next one takes its place. */
  change = flow(function* (this: FairnessStore) {
    if (this.fault !== 'none' || this.saving) return false;
    this.saving = true;
    try {
      this.take(yield* wait(this.#root.api.setClientSeed(this.draft)));
      this.draft = '';
      this.#root.toasts.show('success', 'toast.client_seed');
      return true;
    } catch (error) {
      this.#root.toasts.show('error', errorKey(asApiError(error).code));
      return false;
    } finally {
      this.saving = false;
      // There is one more that can be checked; and perhaps there is where only the answer was lost.
      void this.load();
    }
  });

  /** Shows the spins of a seed, and checks them; or hides them again. */
  check = flow(function* (this: FairnessStore, seed: RetiredSeed) {
    const key = keyOf(seed);
    if (this.open.has(key)) {
      this.open = new Set([...this.open].filter((other) => other !== key));
      return;
    }
    this.open = new Set([...this.open, key]);
    const { subtle } = this.#root.platform;
    if (!subtle || !this.current) return;
    try {
      // Few check, and the first screen is lighter without it.
      const { checkSeed } = yield* wait(import('./check'));
      const verdict = yield* wait(checkSeed(subtle, seed, this.current));
      this.verdicts = new Map([...this.verdicts, [key, verdict]]);
    } catch {
      this.#root.toasts.show('error', 'errors.offline');
    }
  });

  private take(answer: Fairness): void {
    this.current = answer;
  }
}
