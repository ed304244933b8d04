import { makeAutoObservable } from 'mobx';
import type { Api } from '../../api/client';
import type { EnergyInfo, TapAnswer, TapBatch } from '../../api/types';
import { type Micro, toMicro } from '../../format';
import type { Resource } from '../../stores/Resource';
import type { SettingsStore } from '../../stores/SettingsStore';
import type { ToastStore } from '../../stores/ToastStore';
import type { UserStore } from '../../stores/UserStore';
import { TapCounter, type TapResult } from '../digging/TapCounter';
import type { TapOutbox } from '../digging/TapOutbox';
import type { TapStorage } from '../digging/TapStorage';

/** Spec §9: how long the save overlay is shown. */
const savingMs = 2000;

type Callbacks = {
  /** A monotonic clock, milliseconds. */
  readonly now: () => number;
  readonly random: () => number;
  /** How long before a day ends its taps are sent for the last time, since its energy is lost then; milliseconds. */
  readonly lastSync: number;
  /** Milliseconds until the next UTC day. */
  readonly untilNextDay: () => number;
  /** Sends a batch while the page unloads; its answer is not read. */
  readonly flushOnUnload: (batch: TapBatch) => void;
  readonly storageOf: (player: number) => TapStorage;
  readonly rewarded: () => void;
  readonly forgotten: () => void;
};

export class TapStore {
  /** The player has tapped in this visit. */
  tapped = false;
  readonly batches: TapOutbox<TapAnswer>;
  readonly counter: TapCounter<TapAnswer>;
  /** The save overlay is shown. */
  saving = false;

  readonly #energy: Resource<EnergyInfo>;
  readonly #user: UserStore;
  readonly #runs: () => boolean;

  constructor(
    api: Api,
    energy: Resource<EnergyInfo>,
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
    this.counter = new TapCounter({
      toasts,
      settings,
      random: callbacks.random,
      elapsed: callbacks.now,
      storageOf: callbacks.storageOf,
      untilLastSync: () => Math.min(untilNextDay(), settings.untilTurn) - lastSync,
      isOpen: this.#runs,
      energy: () =>
        energy.value && { current: energy.value.current_energy, perTap: energy.value.energy_per_tap },
      hasFailed: () => energy.state.is === 'failed',
      load: () => void energy.load(),
      send: ({ taps, batch_id }) => {
        leftWhenSent = untilNextDay();
        return api.tap({ total_taps: taps, batch_id });
      },
      flushOnUnload: ({ taps, batch_id }) => callbacks.flushOnUnload({ total_taps: taps, batch_id }),
      counted: (answer) => {
        if (answer.accepted > 0) callbacks.rewarded();
        // Nothing counted: the rules may have changed. Or it is of the day before.
        if (answer.accepted === 0 || untilNextDay() > leftWhenSent) return false;
        energy.replace(answer.energy_info);
        user.accept(answer.user);
        return true;
      },
      refetch: async () => {
        const loaded = await Promise.all([energy.load(), user.refresh()]);
        return loaded.every(Boolean);
      },
      showSaving: () => this.showSaving(),
      playerUnknown: callbacks.forgotten,
    });
    this.batches = this.counter.outbox;
    makeAutoObservable(this);
  }

  /** What is tapped now can still be sent in the season: after it the server takes nothing. */
  get running(): boolean {
    return this.#runs();
  }

  get canTap(): boolean {
    return this.counter.hasEnergy && this.running;
  }

  /** Spec §2's MCBK total, game and referral, as the server knows it. */
  get confirmedTotal(): Micro {
    const balance = this.#user.user?.balance;
    return balance ? toMicro(balance.game_mcbk) + toMicro(balance.referral_game_mcbk) : 0;
  }

  /** The same with what the unconfirmed taps will bring. */
  get total(): Micro {
    return this.confirmedTotal + this.counter.acceptable * toMicro(this.#energy.value?.mcbk_per_tap ?? 0);
  }

  tap(): TapResult {
    const result = this.counter.tap();
    if (result.is === 'counted') this.tapped = true;
    return result;
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
