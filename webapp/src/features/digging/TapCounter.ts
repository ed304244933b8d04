import { makeAutoObservable } from 'mobx';
import { asApiError, isOutOfSeason } from '../../api/error';
import type { SettingsStore } from '../../stores/SettingsStore';
import type { ToastStore } from '../../stores/ToastStore';
import { batchErrorKey } from './batchErrors';
import { type Callbacks, TapOutbox, tapsPerSync } from './TapOutbox';

/** Spec §4 and §9: taps closer than this, of any finger, are ignored; milliseconds. */
const debounceMs = 100;

export type TapResult = { is: 'counted' | 'too soon' | 'not ready' } | { is: 'no energy'; first: boolean };

type Ports<Answer> = Omit<Callbacks<Answer>, 'failed' | 'dropped'> & {
  readonly toasts: ToastStore;
  readonly settings: SettingsStore;
  /** A monotonic clock, milliseconds. */
  readonly elapsed: () => number;
  /** What is tapped now can still be sent in time. */
  readonly isOpen: () => boolean;
  /** Energy as the server knows it, and what one tap takes; null until loaded. */
  readonly energy: () => { current: number; perTap: number } | null;
  readonly hasFailed: () => boolean;
  readonly load: () => void;
  /** Spec §9: shows that progress is being saved. */
  readonly showSaving: () => void;
  /** The server does not know this player, such as after an erasure. */
  readonly playerUnknown: () => void;
};

/** Counts taps against the energy that is left, and puts them into the outbox. */
export class TapCounter<Answer> {
  readonly outbox: TapOutbox<Answer>;
  readonly #ports: Ports<Answer>;
  #lastTap = Number.NEGATIVE_INFINITY;
  /** "Not enough energy" was shown; reset by the next counted tap. */
  #refused = false;

  constructor(ports: Ports<Answer>) {
    this.#ports = ports;
    this.outbox = new TapOutbox({
      ...ports,
      failed: (error) => ports.toasts.show('error', batchErrorKey(error)),
      dropped: (error) => {
        if (error.code === 'not_found') ports.playerUnknown();
        if (isOutOfSeason(error)) ports.settings.load().catch(asApiError);
      },
    });
    makeAutoObservable(this);
  }

  /** Energy left after the unconfirmed taps. */
  get energyLeft(): number {
    const energy = this.#ports.energy();
    return energy ? Math.max(0, energy.current - this.outbox.uncounted * energy.perTap) : 0;
  }

  /** There is energy for one more tap. */
  get hasEnergy(): boolean {
    const energy = this.#ports.energy();
    return energy !== null && this.energyLeft >= energy.perTap;
  }

  /** Unconfirmed taps that the server will accept: as many as there is energy for. */
  get acceptable(): number {
    const energy = this.#ports.energy();
    return energy ? Math.min(this.outbox.uncounted, Math.floor(energy.current / energy.perTap)) : 0;
  }

  tap(): TapResult {
    const { outbox } = this;
    const ports = this.#ports;
    if (!outbox.started || !ports.isOpen()) return { is: 'not ready' };
    if (!ports.energy()) {
      if (ports.hasFailed()) ports.load();
      return { is: 'not ready' };
    }
    const now = ports.elapsed();
    if (now - this.#lastTap < debounceMs) return { is: 'too soon' };
    this.#lastTap = now;
    if (!this.hasEnergy) {
      const first = !this.#refused;
      if (first) ports.toasts.show('info', 'errors.no_energy');
      this.#refused = true;
      if (outbox.count > 0) void outbox.send();
      else if (first) ports.load();
      return { is: 'no energy', first };
    }
    this.#refused = false;
    outbox.add();
    if (!this.hasEnergy || outbox.pending.pending >= tapsPerSync) void outbox.send();
    return { is: 'counted' };
  }

  /** The screen opens. */
  enter(): void {
    this.outbox.reread();
    if (this.outbox.count === 0 || !this.#ports.energy()) this.#ports.load();
    this.outbox.resume();
  }

  /** The screen is left. */
  leave(): void {
    this.#refused = false;
    if (this.outbox.count === 0) return;
    this.#ports.showSaving();
    void this.outbox.send();
  }
}
