import { flow, makeAutoObservable } from 'mobx';
import type { KeyValueStorage } from '../storage';
import type { ToastStore } from './ToastStore';

const key = 'sounds';

/** Whether this device plays sounds; off until the player switches them on (spec §2, Home). */
export class SoundStore {
  on = false;
  /** Counts what was wanted: the last counts, whichever is done first. */
  #wishes = 0;

  readonly #box: KeyValueStorage;
  readonly #toasts: ToastStore;
  /** Plays what is felt, or no more; `aloud` lets it be heard at once. Rejects where it cannot. */
  readonly #play: (on: boolean, aloud: boolean) => Promise<void>;

  constructor(
    box: KeyValueStorage,
    toasts: ToastStore,
    play: (on: boolean, aloud: boolean) => Promise<void>,
  ) {
    this.#box = box;
    this.#toasts = toasts;
    this.#play = play;
    makeAutoObservable(this);
  }

  /** As the player left it on the last visit. */
  start = flow(function* (this: SoundStore) {
    if (this.#box.get(key) === null) return;
    this.on = true;
    try {
      yield this.#play(true, false);
    } catch {
      // It stays wanted: the next visit may have its code.
    }
  });

  turn = flow(function* (this: SoundStore, on: boolean) {
    this.#wishes += 1;
    const wish = this.#wishes;
    try {
      yield this.#play(on, true);
    } catch {
      if (wish === this.#wishes) this.#toasts.show('error', 'errors.sounds');
      return;
    }
    if (wish !== this.#wishes) return;
    this.on = on;
    if (on) this.#box.set(key, 'on');
    else this.#box.remove(key);
  });
}
