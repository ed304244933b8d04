import { flow, makeAutoObservable, observableRef } from 'mobx';
import { type ApiError, asApiError, isFeatureOff } from '../../api/error';
import { isVisible } from '../../stores/PageLifecycle';
import { wait } from '../../stores/wait';
import { afterError, type RetryTrigger, retryTrigger } from './batchErrors';
import { StaleRefetch } from './StaleRefetch';
import type { Batch, PendingTaps, TapStorage } from './TapStorage';

/** Decision 0005: a sync at the latest every 30 s or 100 taps; seconds. */
const syncInterval = 30;
export const tapsPerSync = 100;
/** The first backoff after a failure; it doubles up to the longest. Milliseconds. */
const firstBackoff = 1000;
const longestBackoff = 30_000;
/** A feature that another call found switched off is retried after this; milliseconds. */
const retryAfterMs = 60_000;

/** `stopped`: the server refuses this player; only `resume` retries. */
type Sync =
  | { is: 'idle' | 'sending' | 'stopped' }
  | { is: 'waiting'; timer: ReturnType<typeof setTimeout>; for: RetryTrigger };

export type Callbacks<Answer> = {
  readonly random: () => number;
  /** Milliseconds until the last moment to send, after which unsent taps bring less, or nothing. */
  readonly untilLastSync: () => number;
  readonly storageOf: (player: number) => TapStorage;
  readonly send: (batch: Batch) => Promise<Answer>;
  /** Sends a batch while the page unloads; its answer is not read. */
  readonly flushOnUnload: (batch: Batch) => void;
  /** A batch was counted. False if its figures are of a day or window that is over. */
  readonly counted: (answer: Answer) => boolean;
  /** The first failure of a row, or a dropped batch. */
  readonly failed: (error: ApiError) => void;
  /** A batch was refused for good. */
  readonly dropped: (error: ApiError) => void;
  /** Loads the figures; whether all have loaded. */
  readonly refetch: () => Promise<boolean>;
};

/** Taps of one player on their way to the server, in batches, each counted once and none of them lost. */
export class TapOutbox<Answer> {
  /** Mirrors the record on the device. */
  pending: PendingTaps = { sending: null, pending: 0 };
  sync: Sync = { is: 'idle' };
  /** An admin has switched this feature off; unsent taps are retried. */
  closed = false;
  /** The batch a previous page left. The server's figures may include it already, so it is not added to them. */
  possiblyCountedId: string | null = null;
  private failures = 0;

  readonly #callbacks: Callbacks<Answer>;
  readonly #stale: StaleRefetch;
  #storage: TapStorage | null = null;
  /** A sync was requested while one was running. */
  #sendNext = false;
  /** The last batch sent by `flushOnUnload`, until the page is in the foreground again. */
  #lastBeacon: string | null = null;
  #reopening: ReturnType<typeof setTimeout> | undefined;
  #ticking: ReturnType<typeof setInterval> | undefined;
  #seconds = 0;
  #untilLastSync = Number.POSITIVE_INFINITY;

  constructor(callbacks: Callbacks<Answer>) {
    this.#callbacks = callbacks;
    this.#stale = new StaleRefetch(callbacks.refetch);
    makeAutoObservable(this, { pending: observableRef, sync: observableRef });
  }

  /** Opens the player's record, with the taps that the last visit has not sent. */
  start(player: number): void {
    this.#storage = this.#callbacks.storageOf(player);
    this.reread();
    this.possiblyCountedId = this.pending.sending?.batch_id ?? null;
    this.#ticking ??= setInterval(() => this.tick(), 1000);
  }

  private tick(): void {
    this.#seconds += 1;
    const left = this.#callbacks.untilLastSync();
    const isLast = this.#untilLastSync > 0 && left <= 0;
    this.#untilLastSync = left;
    if (isLast) this.cancelBackoff('network');
    if ((isLast || this.#seconds % syncInterval === 0) && this.count > 0) {
      void this.send();
      if (isLast) this.#sendNext = true; // a batch that failed is retried as it is, without the taps since then
    }
    // Unsent taps bring fresh figures with their answer.
    if (this.#stale.isDue(this.#seconds) && this.count === 0 && this.sync.is === 'idle' && isVisible())
      void this.#stale.run();
  }

  get started(): boolean {
    return this.#storage !== null;
  }

  /** Another window of this player may have changed the record. If it has sent taps, newer figures are loaded: then true. */
  reread(): boolean {
    if (!this.#storage) return false;
    const before = this.count;
    this.pending = this.#storage.read();
    const sentElsewhere = this.count < before && this.sync.is !== 'sending';
    if (sentElsewhere) void this.#stale.run();
    return sentElsewhere;
  }

  /** Taps the server has not confirmed. */
  get count(): number {
    return this.pending.pending + (this.pending.sending?.taps ?? 0);
  }

  /** Those of them that are certainly not in the server's figures yet. */
  get uncounted(): number {
    const { sending, pending } = this.pending;
    return pending + (sending && sending.batch_id !== this.possiblyCountedId ? sending.taps : 0);
  }

  /** Taps could not be sent, and are retried. */
  get unsaved(): boolean {
    return this.count > 0 && this.failures > 0 && this.sync.is !== 'stopped';
  }

  add(): void {
    if (this.#storage) this.pending = this.#storage.add();
  }

  /** The network is back, or the page is visible again: a failed network is retried at once. */
  onForeground(): void {
    this.#lastBeacon = null;
    const isRefetching = this.reread();
    this.cancelBackoff('network');
    if (this.count > 0) void this.send();
    else if (this.#stale.isStale && !isRefetching) void this.#stale.run();
  }

  /** The player may play again: a batch that was refused is retried. */
  resume(): void {
    if (this.sync.is === 'stopped') this.sync = { is: 'idle' };
    this.cancelBackoff('opening');
    if (this.count > 0 || this.closed) void this.send(); // with nothing left to send it is open again
  }

  /** Another call found this feature switched off by an admin. */
  close(): void {
    this.closed = true;
    clearTimeout(this.#reopening);
    this.#reopening = setTimeout(() => {
      if (this.closed) this.resume();
    }, retryAfterMs);
  }

  private cancelBackoff(trigger: RetryTrigger): void {
    if (this.sync.is !== 'waiting' || this.sync.for !== trigger) return;
    clearTimeout(this.sync.timer);
    this.sync = { is: 'idle' };
  }

  /** The page unloads. The batch stays on the device: this page or the next one sends it again, and it counts once. */
  flushOnUnload(): void {
    if (!this.#storage || this.sync.is === 'stopped') return;
    this.pending = this.#storage.freeze();
    const batch = this.pending.sending;
    // Browsers announce one unload twice, by visibilitychange and by pagehide.
    if (!batch || batch.batch_id === this.#lastBeacon) return;
    this.#lastBeacon = batch.batch_id;
    this.#callbacks.flushOnUnload(batch);
  }

  /** Sends unsent taps, one frozen batch at a time. */
  send = flow(function* (this: TapOutbox<Answer>) {
    if (this.sync.is === 'sending') this.#sendNext = true;
    if (this.sync.is !== 'idle') return;
    do {
      this.#sendNext = false;
      const storage = this.#storage;
      if (!storage) return;
      this.pending = storage.freeze();
      const batch = this.pending.sending;
      if (!batch) {
        this.closed = false;
        break;
      }
      this.sync = { is: 'sending' };
      try {
        const answer: Answer = yield* wait(this.#callbacks.send(batch));
        this.settle(storage, batch);
        if (this.#callbacks.counted(answer)) this.#stale.clear();
        else void this.#stale.run();
      } catch (error) {
        this.fail(storage, batch, asApiError(error));
        return;
      }
    } while (this.#sendNext || this.pending.pending >= tapsPerSync);
    this.sync = { is: 'idle' };
  });

  /** The server has answered a batch for good. */
  private settle(storage: TapStorage, batch: Batch): void {
    this.pending = storage.settle(batch.batch_id);
    this.failures = 0;
    this.closed = false;
  }

  private fail(storage: TapStorage, batch: Batch, error: ApiError): void {
    const action = afterError(error);
    const closes = isFeatureOff(error) && !this.closed;
    // A row of failures is reported once, and once more when the taps are dropped. A duplicate still running is no failure.
    const isNews = this.failures === 0 || action === 'drop' || closes;
    if (isNews && error.code !== 'request_in_progress') this.#callbacks.failed(error);
    this.failures += 1;
    if (closes) this.closed = true;
    switch (action) {
      case 'retry': {
        const timer = setTimeout(() => this.retry(), this.#backoff(error));
        this.sync = { is: 'waiting', timer, for: retryTrigger(error) };
        return;
      }
      case 'keep':
        this.sync = { is: 'stopped' };
        return;
      case 'drop':
        this.settle(storage, batch);
        this.sync = { is: 'idle' };
        this.#callbacks.dropped(error);
        if (error.code !== 'not_found') void this.#stale.run(); // of an unknown player there is nothing to load
    }
  }

  private retry(): void {
    this.sync = { is: 'idle' };
    void this.send();
  }

  /** Milliseconds before the retry: the server's retryAfter, or exponential with jitter. */
  #backoff(error: ApiError): number {
    const doubling = Math.min(longestBackoff, firstBackoff * 2 ** (this.failures - 1));
    return Math.max((error.retryAfter ?? 0) * 1000, doubling / 2 + (doubling / 2) * this.#callbacks.random());
  }
}
