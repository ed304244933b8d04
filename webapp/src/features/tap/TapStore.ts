import { flow, makeAutoObservable, observableRef } from 'mobx';
import type { Api } from '../../api/client';
import { type ApiError, asApiError } from '../../api/error';
import type { TapBatch } from '../../api/types';
import { type Micro, micro } from '../../format';
import type { ToastStore } from '../../stores/ToastStore';
import type { UserStore } from '../../stores/UserStore';
import { wait } from '../../stores/wait';
import type { EnergyStore } from './EnergyStore';
import type { Unsent, UnsentTaps } from './unsent';

// spec §4 and §9: taps closer than this, of whichever finger, are ignored
const debounce = 100;
// spec §9
const overlay = 2000;
// decision 0005: a sync at the latest every 30 s or 100 taps
const interval = 30_000;
const enough = 100;
/** The first wait after a failure; it doubles up to the longest. */
const firstWait = 1000;
const longestWait = 30_000;

/** What became of a touch on the bag. */
export type Tap =
  | { is: 'counted' }
  | { is: 'too soon' }
  | { is: 'no energy'; first: boolean }
  | { is: 'not ready' };

/**
 * `waiting`: a batch failed for now and is tried again at a set time, or as soon as what it waits for is there: a
 * network, or a game that is open again after works.
 * `stopped`: the server does not take this player's calls (launch data too old, consent missing, banned), so only a
 * new visit to the tap screen, or the consent, tries again.
 */
type Sync =
  | { is: 'idle' }
  | { is: 'sending' }
  | { is: 'waiting'; timer: ReturnType<typeof setTimeout>; for: 'network' | 'opening' | 'turn' }
  | { is: 'stopped' };

type Edges = {
  /** Milliseconds that only ever grow. */
  readonly now: () => number;
  readonly random: () => number;
  /** Sends a batch while the page is going away; nobody hears the answer. */
  readonly farewell: (batch: TapBatch) => void;
  /** Opens the device's record of one player's unsent taps. */
  readonly unsentOf: (player: number) => UnsentTaps;
  /** Taps have brought coins. */
  readonly rewarded: () => void;
  /** The server does not know this player any more. */
  readonly forgotten: () => void;
};

export class TapStore {
  /** Mirrors the record on the device. */
  unsent: Unsent = { sending: null, pending: 0 };
  /** While the player is told that progress is being saved. */
  saving = false;
  /** Spec §8's 'Not enough energy', until the next tap that counts. */
  refused = false;
  sync: Sync = { is: 'idle' };

  private record: UnsentTaps | null = null;
  private lastTap = Number.NEGATIVE_INFINITY;
  private failures = 0;
  /** Someone asked for a sync while one was running. */
  private again = false;
  /** The batch whose first answer may have been lost: when it is answered, the figures in that answer may be old. */
  private repeated: string | null = null;
  /**
   * The batch a former page left behind. It may have been counted as that page closed, and then the figures loaded since
   * hold it already: it is not added to them again.
   */
  doubtful: string | null = null;
  /** The batch last sent by `farewell`, until the page is looked at again. */
  private sentOff: string | null = null;
  private ticking: ReturnType<typeof setInterval> | undefined;

  constructor(
    private readonly api: Api,
    private readonly energy: EnergyStore,
    private readonly user: UserStore,
    private readonly toasts: ToastStore,
    private readonly edges: Edges,
  ) {
    makeAutoObservable<
      this,
      | 'api'
      | 'energy'
      | 'user'
      | 'toasts'
      | 'edges'
      | 'record'
      | 'lastTap'
      | 'failures'
      | 'again'
      | 'repeated'
      | 'sentOff'
      | 'ticking'
    >(this, {
      unsent: observableRef,
      sync: observableRef,
      api: false,
      energy: false,
      user: false,
      toasts: false,
      edges: false,
      record: false,
      lastTap: false,
      failures: false,
      again: false,
      repeated: false,
      sentOff: false,
      ticking: false,
    });
  }

  /** Takes up what this player left unsent last time. Everything else begins with `enter`. */
  start(player: number): void {
    this.record = this.edges.unsentOf(player);
    this.reread();
    this.repeated = this.unsent.sending?.batch_id ?? null;
    this.doubtful = this.repeated;
    if (this.ticking === undefined) {
      this.ticking = setInterval(() => {
        if (this.sync.is === 'idle' && this.count > 0) void this.send();
      }, interval);
    }
  }

  /** Another window of this player may have changed the record, or sent what was in it: then its figures are newer. */
  reread(): void {
    if (!this.record) return;
    const before = this.count;
    this.unsent = this.record.read();
    if (this.count < before && this.sync.is !== 'sending') void this.refresh();
  }

  /** Taps the server has not confirmed. */
  get count(): number {
    return this.unsent.pending + (this.unsent.sending?.taps ?? 0);
  }

  /** Those of them that are surely not in the server's figures yet. */
  private get uncounted(): number {
    const { sending, pending } = this.unsent;
    return pending + (sending && sending.batch_id !== this.doubtful ? sending.taps : 0);
  }

  /** Energy left after the unconfirmed taps. */
  get energyLeft(): number {
    const info = this.energy.info;
    return info ? Math.max(0, info.current_energy - this.uncounted * info.energy_per_tap) : 0;
  }

  get canTap(): boolean {
    const info = this.energy.info;
    return info !== null && this.energyLeft >= info.energy_per_tap;
  }

  /** What the unconfirmed taps will bring. The server takes no more of them than there is energy. */
  private get optimistic(): Micro {
    const info = this.energy.info;
    if (!info) return 0;
    const taken = Math.min(this.uncounted, Math.floor(info.current_energy / info.energy_per_tap));
    return taken * micro(info.mcbk_per_tap);
  }

  /** Spec §2's MCBK total, game and referral, as the server knows it. */
  get confirmedTotal(): Micro {
    const balance = this.user.user?.balance;
    return balance ? micro(balance.game_mcbk) + micro(balance.referral_game_mcbk) : 0;
  }

  /** The same with the taps that are still on their way. */
  get total(): Micro {
    return this.confirmedTotal + this.optimistic;
  }

  tap(): Tap {
    const record = this.record;
    if (!record) return { is: 'not ready' };
    if (!this.energy.info) {
      if (this.energy.energy.is === 'failed') void this.energy.load();
      return { is: 'not ready' };
    }
    const now = this.edges.now();
    if (now - this.lastTap < debounce) return { is: 'too soon' };
    this.lastTap = now;
    if (!this.canTap) {
      const first = !this.refused;
      if (first) this.toasts.show('info', 'errors.no_energy');
      this.refused = true;
      if (this.count > 0) void this.send();
      else if (first) void this.energy.load();
      return { is: 'no energy', first };
    }
    this.refused = false;
    this.unsent = record.add();
    if (!this.canTap || this.unsent.pending >= enough) void this.send();
    return { is: 'counted' };
  }

  /** The tap screen opens. */
  enter(): void {
    this.reread();
    if (this.count === 0 || !this.energy.info) void this.energy.load();
    this.resume();
  }

  /** The tap screen gives way to another. */
  leave(): void {
    this.refused = false;
    if (this.count === 0) return;
    this.saving = true;
    setTimeout(() => this.saved(), overlay);
    void this.send();
  }

  private saved(): void {
    this.saving = false;
  }

  /** The network is back, or the page is looked at again: no reason to wait any longer for a failed network. */
  wake(): void {
    this.sentOff = null;
    this.reread();
    this.waitNoLonger('network');
    if (this.count > 0) void this.send();
  }

  /** The player may play after all, or again: a batch that was refused is worth another try. */
  resume(): void {
    if (this.sync.is === 'stopped') this.sync = { is: 'idle' };
    this.waitNoLonger('opening');
    if (this.count > 0) void this.send();
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
  farewell(): void {
    if (!this.record || this.sync.is === 'stopped') return;
    this.unsent = this.record.freeze();
    const batch = this.unsent.sending;
    // Browsers announce one closing twice, as hidden and as gone.
    if (!batch || batch.batch_id === this.sentOff) return;
    this.sentOff = batch.batch_id;
    this.repeated = batch.batch_id;
    this.edges.farewell({ total_taps: batch.taps, batch_id: batch.batch_id });
  }

  /** Sends what is unsent, one frozen batch at a time. */
  send = flow(function* (this: TapStore) {
    if (this.sync.is === 'sending') this.again = true;
    if (this.sync.is !== 'idle') return;
    do {
      this.again = false;
      const record = this.record;
      if (!record) return;
      this.unsent = record.freeze();
      const batch = this.unsent.sending;
      if (!batch) break;
      this.sync = { is: 'sending' };
      try {
        const answer = yield* wait(this.api.tap({ total_taps: batch.taps, batch_id: batch.batch_id }));
        this.unsent = record.settle(batch.batch_id);
        this.energy.replace(answer.energy_info);
        this.user.takeFigures(answer.user);
        this.failures = 0;
        if (answer.accepted > 0) this.edges.rewarded();
        if (this.repeated === batch.batch_id) {
          // A repeat brings the stored first answer: the batch is counted, but its figures may have been overtaken.
          this.repeated = null;
          yield this.refresh();
        }
      } catch (error) {
        this.fail(record, batch.batch_id, asApiError(error));
        return;
      }
    } while (this.again || this.unsent.pending >= enough);
    this.sync = { is: 'idle' };
  });

  private fail(record: UnsentTaps, batchId: string, error: ApiError): void {
    // Said once for a row of failures. A twin still running is no failure: this batch is being counted right now.
    if (this.failures === 0 && error.code !== 'request_in_progress') {
      this.toasts.show('error', 'errors.tap_sync');
    }
    this.failures += 1;
    switch (fate(error)) {
      case 'retry': {
        this.repeated = batchId;
        const timer = setTimeout(() => this.retry(), this.pause(error));
        this.sync = { is: 'waiting', timer, for: waitsFor(error) };
        return;
      }
      case 'keep':
        this.repeated = batchId;
        this.sync = { is: 'stopped' };
        return;
      case 'drop':
        this.unsent = record.settle(batchId);
        this.failures = 0;
        this.sync = { is: 'idle' };
        if (error.code === 'not_found') this.edges.forgotten();
        else void this.refresh();
    }
  }

  private retry(): void {
    this.sync = { is: 'idle' };
    void this.send();
  }

  /** Milliseconds before the next try: as long as the server asks, else doubling, spread so that players do not return at once. */
  private pause(error: ApiError): number {
    const doubling = Math.min(longestWait, firstWait * 2 ** (this.failures - 1));
    return Math.max((error.retryAfter ?? 0) * 1000, doubling / 2 + (doubling / 2) * this.edges.random());
  }

  private refresh(): Promise<unknown> {
    return Promise.all([this.energy.load(), this.user.refresh()]);
  }
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
