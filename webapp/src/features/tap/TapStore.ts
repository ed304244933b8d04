import { makeAutoObservable } from 'mobx';
import type { Api } from '../../api/client';
import { asApiError, outOfSeason } from '../../api/error';
import type { TapAnswer, TapBatch } from '../../api/types';
import { type Micro, toMicro } from '../../format';
import type { SettingsStore } from '../../stores/SettingsStore';
import type { ToastStore } from '../../stores/ToastStore';
import type { UserStore } from '../../stores/UserStore';
import { batchErrorKey } from '../digging/batchErrors';
import { TapCounter, type TapResult } from '../digging/TapCounter';
import { TapOutbox } from '../digging/TapOutbox';
import type { TapStorage } from '../digging/TapStorage';
import type { EnergyStore } from './EnergyStore';

/** Spec §9: how long the overlay says that progress is being saved. */
const savingMs = 2000;

type Callbacks = {
  /** Milliseconds of a clock that never goes back. */
  readonly now: () => number;
  readonly random: () => number;
  /** How long before a day ends its taps are sent for the last time, since its energy is lost then; milliseconds. */
  readonly lastSync: number;
  /** Milliseconds until the next UTC day. */
  readonly untilNextDay: () => number;
  /** Sends a batch while the page unloads; its answer is not read. */
  readonly flushOnUnload: (batch: TapBatch) => void;
  readonly storageOf: (player: number) => TapStorage;
  /** Taps have brought coins. */
  readonly rewarded: () => void;
  /** The server does not know this player any more. */
  readonly forgotten: () => void;
};

export class TapStore {
  readonly batches: TapOutbox<TapAnswer>;
  readonly counter: TapCounter;
  /** The overlay says that progress is being saved. */
  saving = false;

  readonly #energy: EnergyStore;
  readonly #user: UserStore;
  readonly #runs: () => boolean;

  constructor(
    api: Api,
    energy: EnergyStore,
    user: UserStore,
    settings: SettingsStore,
    toasts: ToastStore,
    callbacks: Callbacks,
  ) {
    const { lastSync, untilNextDay } = callbacks;
    this.#energy = energy;
    this.#user = user;
    this.#runs = () => settings.runs(lastSync);
    /** What was left of the day when the batch on its way was sent. */
    let leftWhenSent = 0;
    this.batches = new TapOutbox({
      random: callbacks.random,
      untilLastSync: () => Math.min(untilNextDay(), settings.untilTurn) - lastSync,
      storageOf: callbacks.storageOf,
      send: ({ taps, batch_id }) => {
        leftWhenSent = untilNextDay();
        return api.tap({ total_taps: taps, batch_id });
      },
      flushOnUnload: ({ taps, batch_id }) => callbacks.flushOnUnload({ total_taps: taps, batch_id }),
      counted: (answer) => {
        if (answer.accepted > 0) callbacks.rewarded();
        if (untilNextDay() > leftWhenSent) return false; // of the day before
        energy.replace(answer.energy_info);
        user.takeFigures(answer.user);
        return true;
      },
      failed: (error) => toasts.show('error', batchErrorKey(error)),
      dropped: (error) => {
        if (error.code === 'not_found') callbacks.forgotten();
        if (outOfSeason(error)) settings.load().catch(asApiError);
      },
      refetch: async () => {
        const loaded = await Promise.all([energy.load(), user.refresh()]);
        return loaded.every(Boolean);
      },
    });
    this.counter = new TapCounter(this.batches, {
      elapsed: callbacks.now,
      isOpen: this.#runs,
      energy: () =>
        energy.info && { current: energy.info.current_energy, perTap: energy.info.energy_per_tap },
      hasFailed: () => energy.energy.is === 'failed',
      load: () => void energy.load(),
      noEnergy: () => toasts.show('info', 'errors.no_energy'),
      showSaving: () => this.showSaving(),
    });
    makeAutoObservable(this);
  }

  /** Opens what this player left unsent last time. Everything else begins with `enter`. */
  start(player: number): void {
    this.batches.start(player);
  }

  /** Taps the server has not confirmed. */
  get count(): number {
    return this.batches.count;
  }

  get energyLeft(): number {
    return this.counter.energyLeft;
  }

  /** What is tapped now can still be sent in the season: after it the server takes nothing. */
  get running(): boolean {
    return this.#runs();
  }

  get charged(): boolean {
    return this.counter.charged;
  }

  get canTap(): boolean {
    return this.charged && this.running;
  }

  /** Spec §2's MCBK total, game and referral, as the server knows it. */
  get confirmedTotal(): Micro {
    const balance = this.#user.user?.balance;
    return balance ? toMicro(balance.game_mcbk) + toMicro(balance.referral_game_mcbk) : 0;
  }

  /** The same with what the unconfirmed taps will bring. */
  get total(): Micro {
    return this.confirmedTotal + this.counter.acceptable * toMicro(this.#energy.info?.mcbk_per_tap ?? 0);
  }

  tap(): TapResult {
    return this.counter.tap();
  }

  /** The tap screen opens. */
  enter(): void {
    this.counter.enter();
  }

  /** The tap screen gives way to another. */
  leave(): void {
    this.counter.leave();
  }

  /** Tells the player that progress is being saved, here or in the mines. */
  showSaving(): void {
    this.saving = true;
    setTimeout(() => this.hideSaving(), savingMs);
  }

  private hideSaving(): void {
    this.saving = false;
  }
}
