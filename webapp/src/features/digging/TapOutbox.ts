import { flow, makeAutoObservable, observableRef } from 'mobx';
import { type ApiError, asApiError, ofOnePart, outOfSeason } from '../../api/error';
import { type ErrorKey, errorKey } from '../../i18n/errors';
import { isSeen } from '../../stores/seen';
import { wait } from '../../stores/wait';
import type { Batch, PendingTaps, TapStorage } from './TapStorage';

/** Decision 0005: a sync at the latest every 30 s or 100 taps; milliseconds. */
const interval = 30_000;
export const enough = 100;
/** How often we look whether one is due, milliseconds. */
const second = 1000;
/** Figures that did not come are asked for again after this, ever later, and at last after the longest of these; seconds. */
const firstRefetchSeconds = 30;
const longestRefetchSeconds = 480;
/** The first wait after a failure; it doubles up to the longest. */
const firstWait = 1000;
const longestWait = 30_000;
/** A part of the game that another call said to be switched off is taken to be on again after this, unless a batch says otherwise; milliseconds. */
const rest = 60_000;

/**
 * `waiting`: a batch failed for now and is tried again at a set time, or as soon as what it waits for is there: a
 * network, or a game that is open again after works.
 * `stopped`: the server does not take this player's calls (launch data too old, consent missing, banned), so only a
 * new visit to the screen, or the consent, tries again.
 */
type Sync =
  | { is: 'idle' }
  | { is: 'sending' }
  | { is: 'waiting'; timer: ReturnType<typeof setTimeout>; for: 'network' | 'opening' | 'turn' }
  | { is: 'stopped' };

type Callbacks<Answer> = {
  readonly random: () => number;
  /** Milliseconds until the last good moment to send, after which what is unsent brings less, or nothing. */
  readonly left: () => number;
  /** Opens the device's record of one player's unsent taps. */
  readonly storageOf: (player: number) => TapStorage;
  readonly send: (batch: Batch) => Promise<Answer>;
  /** Sends a batch while the page is going away; nobody hears the answer. */
  readonly flushOnUnload: (batch: Batch) => void;
  /**
   * The server has counted a batch. A repeat brings the stored first answer, whose figures may have been overtaken. False if the
   * figures are not those of now, and were not taken: a new day may have been told of while the answer was on its way.
   */
  readonly counted: (answer: Answer, isReplay: boolean) => boolean;
  /** The first failure of a row, or a batch that is lost. */
  readonly failed: (error: ApiError) => void;
  /** A batch was refused for good. The figures are asked for anew, unless the server does not know the player. */
  readonly dropped: (error: ApiError) => void;
  /** Asks for the figures anew: those in an answer may be old. Whether all have come. */
  readonly refresh: () => Promise<boolean>;
};

/** Taps of one player on their way to the server, in batches, each counted once and none of them lost. */
export class TapOutbox<Answer> {
  /** Mirrors the record on the device. */
  pending: PendingTaps = { sending: null, pending: 0 };
  sync: Sync = { is: 'idle' };
  /** An admin has switched this part of the game off. What is unsent waits, and tells by its answer when it is on again. */
  closed = false;

  private record: TapStorage | null = null;
  private failures = 0;
  /** Someone asked for a sync while one was running. */
  private sendNext = false;
  /** The batch whose first answer may have been lost: when it is answered, the figures in that answer may be old. */
  private replayedId: string | null = null;
  private reopening: ReturnType<typeof setTimeout> | undefined;
  /**
   * The batch a former page left behind. It may have been counted as that page closed, and then the figures loaded since
   * hold it already: it is not added to them again.
   */
  possiblyCountedId: string | null = null;
  /** The batch last sent by `flushOnUnload`, until the page is looked at again. */
  private lastBeacon: string | null = null;
  /** Seconds between the questions for figures that are known to be old, while newer ones have not come; 0 where none are owed. */
  private refetchInterval = 0;
  /** Those questions so far. An earlier one's answer is older than what the last one is asked for. */
  private refetches = 0;
  /** Has the next batch wait no longer for figures that were asked for. */
  private cancelWait: () => void = () => {};
  private ticking: ReturnType<typeof setInterval> | undefined;
  private ticks = 0;
  private left = Number.POSITIVE_INFINITY;

  constructor(private readonly callbacks: Callbacks<Answer>) {
    makeAutoObservable<
      this,
      | 'callbacks'
      | 'record'
      | 'sendNext'
      | 'replayedId'
      | 'reopening'
      | 'lastBeacon'
      | 'refetchInterval'
      | 'refetches'
      | 'cancelWait'
      | 'ticking'
      | 'ticks'
      | 'left'
    >(this, {
      pending: observableRef,
      sync: observableRef,
      callbacks: false,
      record: false,
      sendNext: false,
      replayedId: false,
      reopening: false,
      lastBeacon: false,
      refetchInterval: false,
      refetches: false,
      cancelWait: false,
      ticking: false,
      ticks: false,
      left: false,
    });
  }

  /** Takes up what this player left unsent last time. */
  start(player: number): void {
    this.record = this.callbacks.storageOf(player);
    this.reread();
    this.possiblyCountedId = this.pending.sending?.batch_id ?? null;
    this.ticking ??= setInterval(() => this.tick(), second);
  }

  private tick(): void {
    this.ticks += 1;
    const left = this.callbacks.left();
    const last = this.left > 0 && left <= 0;
    this.left = left;
    const due = (this.ticks * second) % interval === 0;
    if (last) {
      this.waitNoLonger('network');
      this.cancelWait();
    }
    if ((last || due) && this.count > 0) {
      void this.send();
      if (last) this.sendNext = true; // a batch that has failed is sent as it was, without what was tapped since
    }
    const isDue = this.ticks % this.refetchInterval === 0; // of 0 there is no remainder: never
    // What is unsent brings them, too.
    if (isDue && this.count === 0 && this.sync.is === 'idle' && isSeen()) void this.refresh();
  }

  /** Old figures stay until newer ones have come. */
  private refresh = flow(function* (this: TapOutbox<Answer>) {
    this.refetchInterval = Math.min(this.refetchInterval * 2 || firstRefetchSeconds, longestRefetchSeconds);
    this.refetches += 1;
    const { refetches } = this;
    if ((yield* wait(this.callbacks.refresh())) && refetches === this.refetches) this.refetchInterval = 0;
  });

  get started(): boolean {
    return this.record !== null;
  }

  /** Another window of this player may have changed the record, or sent what was in it: then its figures are newer, and are asked for. */
  reread(): void {
    if (!this.record) return;
    const before = this.count;
    this.pending = this.record.read();
    if (this.count < before && this.sync.is !== 'sending') void this.refresh();
  }

  /** Taps the server has not confirmed. */
  get count(): number {
    return this.pending.pending + (this.pending.sending?.taps ?? 0);
  }

  /** Those of them that are surely not in the server's figures yet. */
  get uncounted(): number {
    const { sending, pending } = this.pending;
    return pending + (sending && sending.batch_id !== this.possiblyCountedId ? sending.taps : 0);
  }

  /** They could not be sent, and are tried again. */
  get unsaved(): boolean {
    return this.count > 0 && this.failures > 0 && this.sync.is !== 'stopped';
  }

  add(): void {
    if (this.record) this.pending = this.record.add();
  }

  /** The network is back, or the page is looked at again: no reason to wait any longer for a failed network. */
  onForeground(): void {
    const { refetches } = this;
    this.lastBeacon = null;
    this.reread();
    this.waitNoLonger('network');
    if (this.count > 0) void this.send();
    else if (this.refetchInterval && refetches === this.refetches) void this.refresh(); // else rereading has asked
  }

  /** The player may play after all, or again: a batch that was refused is worth another try. */
  resume(): void {
    if (this.sync.is === 'stopped') this.sync = { is: 'idle' };
    this.waitNoLonger('opening');
    if (this.count > 0 || this.closed) void this.send(); // with nothing left to send it is open again
  }

  /** Another call was told that an admin has switched this part of the game off. */
  close(): void {
    this.closed = true;
    clearTimeout(this.reopening);
    this.reopening = setTimeout(() => {
      if (this.closed) this.resume();
    }, rest);
  }

  private waitNoLonger(reason: 'network' | 'opening'): void {
    if (this.sync.is !== 'waiting' || this.sync.for !== reason) return;
    clearTimeout(this.sync.timer);
    this.sync = { is: 'idle' };
  }

  /**
   * The page goes away, perhaps for good. The batch keeps its id and stays on the device, so whoever sends it next,
   * this page or the one after it, sends the same batch and it counts once.
   */
  flushOnUnload(): void {
    if (!this.record || this.sync.is === 'stopped') return;
    this.pending = this.record.freeze();
    const batch = this.pending.sending;
    // Browsers announce one closing twice, as hidden and as gone.
    if (!batch || batch.batch_id === this.lastBeacon) return;
    this.lastBeacon = batch.batch_id;
    this.replayedId = batch.batch_id;
    this.callbacks.flushOnUnload(batch);
  }

  /** Sends what is unsent, one frozen batch at a time. */
  send = flow(function* (this: TapOutbox<Answer>) {
    if (this.sync.is === 'sending') this.sendNext = true;
    if (this.sync.is !== 'idle') return;
    do {
      this.sendNext = false;
      const record = this.record;
      if (!record) return;
      // Whoever has frozen it, this page or another, may have sent it.
      const frozen = record.read().sending;
      if (frozen) this.replayedId = frozen.batch_id;
      this.pending = record.freeze();
      const batch = this.pending.sending;
      if (!batch) {
        this.closed = false;
        break;
      }
      this.sync = { is: 'sending' };
      try {
        const answer: Answer = yield* wait(this.callbacks.send(batch));
        this.pending = record.settle(batch.batch_id);
        this.failures = 0;
        this.closed = false;
        const isReplay = this.replayedId === batch.batch_id;
        const ofNow = this.callbacks.counted(answer, isReplay);
        if (isReplay || !ofNow) {
          // In newer figures the next batch might be counted while it is counted here, too.
          const figures = this.refresh();
          const last = new Promise<void>((come) => {
            this.cancelWait = come;
          });
          if (this.left > 0) yield Promise.race([figures, last]);
        } else this.refetchInterval = 0;
      } catch (error) {
        this.fail(record, batch.batch_id, asApiError(error));
        return;
      }
    } while (this.sendNext || this.pending.pending >= enough);
    this.sync = { is: 'idle' };
  });

  private fail(record: TapStorage, batchId: string, error: ApiError): void {
    const then = fate(error);
    // Said once for a row of failures, and again when it ends with the taps gone. A twin still running is no failure:
    // this batch is being counted right now.
    const closes = ofOnePart(error) && !this.closed;
    const news = this.failures === 0 || then === 'drop' || closes;
    if (news && error.code !== 'request_in_progress') this.callbacks.failed(error);
    this.failures += 1;
    if (closes) this.closed = true;
    switch (then) {
      case 'retry': {
        const timer = setTimeout(() => this.retry(), this.pause(error));
        this.sync = { is: 'waiting', timer, for: waitsFor(error) };
        return;
      }
      case 'keep':
        this.sync = { is: 'stopped' };
        return;
      case 'drop':
        this.pending = record.settle(batchId);
        this.failures = 0;
        this.closed = false;
        this.sync = { is: 'idle' };
        this.callbacks.dropped(error);
        if (error.code !== 'not_found') void this.refresh();
    }
  }

  private retry(): void {
    this.sync = { is: 'idle' };
    void this.send();
  }

  /** Milliseconds before the next try: as long as the server asks, else doubling, spread so that players do not return at once. */
  private pause(error: ApiError): number {
    const doubling = Math.min(longestWait, firstWait * 2 ** (this.failures - 1));
    return Math.max((error.retryAfter ?? 0) * 1000, doubling / 2 + (doubling / 2) * this.callbacks.random());
  }
}

/** What the player is told of taps that did not get through. */
export function failure(error: ApiError): ErrorKey {
  return outOfSeason(error) || ofOnePart(error) ? errorKey(error.code) : 'errors.tap_sync';
}

function waitsFor(error: ApiError): 'network' | 'opening' | 'turn' {
  if (error.status === 0) return 'network';
  return error.code === 'maintenance' ? 'opening' : 'turn';
}

/** The player, not the batch, is refused. */
const personal: readonly string[] = ['age_consent_required', 'user_blocked'];

/**
 * What a refusal means for the batch. Decision 0005 keeps it on no answer, 429 and 5xx; a page of some proxy on the way,
 * whatever its status, is no answer either. We also keep it while its twin is running, and when it is the player, not
 * the batch, that was refused. Any other refusal would be repeated for ever.
 */
function fate(error: ApiError): 'retry' | 'keep' | 'drop' {
  if (error.status === 0 || error.status === 429 || error.status >= 500) return 'retry';
  if (error.code === 'request_in_progress' || error.code === 'internal') return 'retry';
  if (error.status === 401 || personal.includes(error.code)) return 'keep';
  return 'drop';
}
