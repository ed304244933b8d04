import { makeAutoObservable } from 'mobx';
import type { TapAnswer } from '../../api/types';
import type { RootStore } from '../../app/RootStore';
import { type Micro, toMicro } from '../../format';
import { TapCounter, type TapResult } from '../digging/TapCounter';
import type { TapOutbox } from '../digging/TapOutbox';
import { bagKey, TapStorage } from '../digging/TapStorage';

/** Decision 0005: taps in one batch. */
const batchLimit = 10_000;
/** A day's last taps are sent at a random time before its end, so that not all players send at once; milliseconds. */
const lastSyncMinMs = 2000;
const lastSyncMaxMs = 10_000;
/** Spec §9: how long the save overlay is shown. */
const savingMs = 2000;

export class TapStore {
  /** The player has tapped in this visit. */
  tapped = false;
  readonly batches: TapOutbox<TapAnswer>;
  readonly counter: TapCounter<TapAnswer>;
  /** The save overlay is shown. */
  saving = false;

  readonly #root: RootStore;
  readonly #runs: () => boolean;

  constructor(root: RootStore) {
    const { api, clock, energy, platform, settings, toasts, user } = root;
    const lastSync = lastSyncMaxMs + (lastSyncMinMs - lastSyncMaxMs) * platform.random();
    this.#root = root;
    this.#runs = () => settings.runs(lastSync);
    /** What was left of the day when the batch on its way was sent. */
    let leftWhenSent = 0;
    this.counter = new TapCounter({
      toasts,
      settings,
      random: platform.random,
      elapsed: platform.elapsed,
      storageOf: (player) => new TapStorage(platform, bagKey, player, batchLimit),
      untilLastSync: () => Math.min(clock.untilNextDay, settings.untilTurn) - lastSync,
      isOpen: this.#runs,
      energy: () =>
        energy.value && { current: energy.value.current_energy, perTap: energy.value.energy_per_tap },
      hasFailed: () => energy.state.is === 'failed',
      load: () => void energy.load(),
      send: ({ taps, batch_id }) => {
        leftWhenSent = clock.untilNextDay;
        return api.tap({ total_taps: taps, batch_id });
      },
      flushOnUnload: ({ taps, batch_id }) =>
        root.flushOnUnload('/tap/perform-batch-tap', { total_taps: taps, batch_id }),
      counted: (answer) => {
        if (answer.accepted > 0) {
          root.writeAccess.rewarded();
          void root.tasks.load(); // spec §4: after a sync
        }
        // Nothing counted: the rules may have changed. Or it is of the day before.
        if (answer.accepted === 0 || clock.untilNextDay > leftWhenSent) return false;
        energy.replace(answer.energy_info);
        user.accept(answer.user);
        return true;
      },
      refetch: async () => {
        const loaded = await Promise.all([energy.load(), user.refresh()]);
        return loaded.every(Boolean);
      },
      showSaving: () => this.showSaving(),
      // Only the first call of a visit makes a player (decision 0007).
      playerUnknown: () => void root.boot.load(),
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
    const balance = this.#root.user.user?.balance;
    return balance ? toMicro(balance.game_mcbk) + toMicro(balance.referral_game_mcbk) : 0;
  }

  /** The same with what the unconfirmed taps will bring. */
  get total(): Micro {
    return (
      this.confirmedTotal + this.counter.acceptable * toMicro(this.#root.energy.value?.mcbk_per_tap ?? 0)
    );
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
