import { makeAutoObservable, runInAction } from 'mobx';
import type { Box } from '../storage';
import type { ToastStore } from './ToastStore';

const key = 'sounds';

/** Whether this device plays sounds; it does not until the player wants them (spec §2, Home). */
export class SoundStore {
  on = false;

  constructor(
    private readonly box: Box,
    private readonly toasts: ToastStore,
    /** Plays what is felt, or no more; rejects where it cannot. */
    private readonly play: (on: boolean) => Promise<void>,
  ) {
    makeAutoObservable<this, 'box' | 'toasts' | 'play'>(this, { box: false, toasts: false, play: false });
  }

  /** As the player left it on the last visit. */
  async start(): Promise<void> {
    if (this.box.get(key) === null) return;
    this.on = true;
    try {
      await this.play(true);
    } catch {
      // It stays wanted: the next visit may have its code.
    }
  }

  /** Whether they are to be heard from now on. */
  async turn(on: boolean): Promise<boolean> {
    try {
      await this.play(on);
    } catch {
      this.toasts.show('error', 'errors.sounds');
      return this.on;
    }
    runInAction(() => {
      this.on = on;
    });
    if (on) this.box.set(key, 'on');
    else this.box.remove(key);
    return on;
  }
}
