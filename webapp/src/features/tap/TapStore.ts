import { makeAutoObservable } from 'mobx';
import type { Api } from '../../api/client';
import { asApiError, outOfSeason } from '../../api/error';
import type { TapAnswer, TapBatch } from '../../api/types';
import { type Micro, toMicro } from '../../format';
import type { SettingsStore } from '../../stores/SettingsStore';
import type { ToastStore } from '../../stores/ToastStore';
import type { UserStore } from '../../stores/UserStore';
import { enough, failure, TapOutbox } from '../digging/TapOutbox';
import type { TapStorage } from '../digging/TapStorage';
import type { EnergyStore } from './EnergyStore';

/** Spec §4 and §9: taps closer than this, of whichever finger, are ignored; milliseconds. */
export const debounce = 100;
// spec §9
const overlay = 2000;

/** What became of a touch on the bag. */
export type Tap =
  | { is: 'counted' }
  | { is: 'too soon' }
  | { is: 'no energy'; first: boolean }
  | { is: 'not ready' };

type Callbacks = {
  /** Milliseconds that only ever grow. */
  readonly now: () => number;
  readonly random: () => number;
  /** How long before a day ends its taps are sent for the last time, since its energy is lost then; milliseconds. */
  readonly lastSync: number;
  /** Milliseconds until the next UTC day. */
  readonly untilNextDay: () => number;
  /** Sends a batch while the page is going away; nobody hears the answer. */
  readonly flushOnUnload: (batch: TapBatch) => void;
  /** Opens the device's record of one player's unsent taps. */
  readonly storageOf: (player: number) => TapStorage;
  /** Taps have brought coins. */
  readonly rewarded: () => void;
  /** The server does not know this player any more. */
  readonly forgotten: () => void;
};

export class TapStore {
  readonly batches: TapOutbox<TapAnswer>;
  /** While the player is told that progress is being saved. */
  saving = false;
  /** Spec §8's 'Not enough energy', until the next tap that counts. */
  refused = false;

  private lastTap = Number.NEGATIVE_INFINITY;
  /** Milliseconds that were left of the day when the batch on its way was sent. */
  private leftWhenSent = 0;

  constructor(
    api: Api,
    private readonly energy: EnergyStore,
    private readonly user: UserStore,
    private readonly settings: SettingsStore,
    private readonly toasts: ToastStore,
    private readonly callbacks: Callbacks,
  ) {
    this.batches = new TapOutbox({
      random: callbacks.random,
      left: () => Math.min(callbacks.untilNextDay(), settings.untilTurn) - callbacks.lastSync,
      storageOf: callbacks.storageOf,
      send: ({ taps, batch_id }) => {
        this.leftWhenSent = callbacks.untilNextDay();
        return api.tap({ total_taps: taps, batch_id });
      },
      flushOnUnload: ({ taps, batch_id }) => callbacks.flushOnUnload({ total_taps: taps, batch_id }),
      counted: (answer) => {
        if (answer.accepted > 0) callbacks.rewarded();
        if (callbacks.untilNextDay() > this.leftWhenSent) return false;
        energy.replace(answer.energy_info);
        user.takeFigures(answer.user);
        return true;
      },
      failed: (error) => toasts.show('error', failure(error)),
      dropped: (error) => {
        if (error.code === 'not_found') callbacks.forgotten();
        if (outOfSeason(error)) settings.load().catch(asApiError);
      },
      refresh: async () => {
        const came = await Promise.all([energy.load(), user.refresh()]);
        return came.every(Boolean);
      },
    });
    makeAutoObservable<
      this,
      'energy' | 'user' | 'settings' | 'toasts' | 'callbacks' | 'lastTap' | 'leftWhenSent'
    >(this, {
      batches: false,
      energy: false,
      user: false,
      settings: false,
      toasts: false,
      callbacks: false,
      lastTap: false,
      leftWhenSent: false,
    });
  }

  /** Takes up what this player left unsent last time. Everything else begins with `enter`. */
  start(player: number): void {
    this.batches.start(player);
  }

  /** Taps the server has not confirmed. */
  get count(): number {
    return this.batches.count;
  }

  /** Energy left after the unconfirmed taps. */
  get energyLeft(): number {
    const info = this.energy.info;
    return info ? Math.max(0, info.current_energy - this.batches.uncounted * info.energy_per_tap) : 0;
  }

  /** What is tapped now can still be sent in the season: after it the server takes nothing. */
  get running(): boolean {
    return this.settings.runs(this.callbacks.lastSync);
  }

  /** There is energy for one more. */
  get charged(): boolean {
    const info = this.energy.info;
    return info !== null && this.energyLeft >= info.energy_per_tap;
  }

  get canTap(): boolean {
    return this.charged && this.running;
  }

  /** What the unconfirmed taps will bring. The server takes no more of them than there is energy. */
  private get optimistic(): Micro {
    const info = this.energy.info;
    if (!info) return 0;
    const taken = Math.min(this.batches.uncounted, Math.floor(info.current_energy / info.energy_per_tap));
    return taken * toMicro(info.mcbk_per_tap);
  }

  /** Spec §2's MCBK total, game and referral, as the server knows it. */
  get confirmedTotal(): Micro {
    const balance = this.user.user?.balance;
    return balance ? toMicro(balance.game_mcbk) + toMicro(balance.referral_game_mcbk) : 0;
  }

  /** The same with the taps that are still on their way. */
  get total(): Micro {
    return this.confirmedTotal + this.optimistic;
  }

  tap(): Tap {
    const { batches, settings, callbacks } = this;
    // `running` is old where it is drawn: what it lets in behind the last sync is never sent.
    if (!batches.started || !settings.runs(callbacks.lastSync)) return { is: 'not ready' };
    if (!this.energy.info) {
      if (this.energy.energy.is === 'failed') void this.energy.load();
      return { is: 'not ready' };
    }
    const now = callbacks.now();
    if (now - this.lastTap < debounce) return { is: 'too soon' };
    this.lastTap = now;
    if (!this.charged) {
      const first = !this.refused;
      if (first) this.toasts.show('info', 'errors.no_energy');
      this.refused = true;
      if (this.count > 0) void batches.send();
      else if (first) void this.energy.load();
      return { is: 'no energy', first };
    }
    this.refused = false;
    batches.add();
    if (!this.charged || batches.pending.pending >= enough) void batches.send();
    return { is: 'counted' };
  }

  /** The tap screen opens. */
  enter(): void {
    this.batches.reread();
    if (this.count === 0 || !this.energy.info) void this.energy.load();
    this.batches.resume();
  }

  /** The tap screen gives way to another. */
  leave(): void {
    this.refused = false;
    if (this.count === 0) return;
    this.showSaving();
    void this.batches.send();
  }

  /** Tells the player that progress is being saved, here or in the mines. */
  showSaving(): void {
    this.saving = true;
    setTimeout(() => this.saved(), overlay);
  }

  private saved(): void {
    this.saving = false;
  }
}
