import { flow, makeAutoObservable } from 'mobx';
import type { RootStore } from '../app/RootStore';

const key = 'sounds';

/** Whether this device plays sounds; off until the player switches them on (spec §2, Home). */
export class SoundStore {
  on = false;
  /** Counts what was wanted: the last counts, whichever is done first. */
  #wishes = 0;

  readonly #root: RootStore;

  constructor(root: RootStore) {
    this.#root = root;
    makeAutoObservable(this);
  }

  /** As the player left it on the last visit. */
  start = flow(function* (this: SoundStore) {
    if (this.#root.platform.storage.get(key) === null) return;
    this.on = true;
    try {
      yield this.#root.platform.playSounds(true, false);
    } catch {
      // It stays wanted: the next visit may have its code.
    }
  });

  turn = flow(function* (this: SoundStore, on: boolean) {
    this.#wishes += 1;
    const wish = this.#wishes;
    try {
      yield this.#root.platform.playSounds(on, true);
    } catch {
      if (wish === this.#wishes) this.#root.toasts.show('error', 'errors.sounds');
      return;
    }
    if (wish !== this.#wishes) return;
    this.on = on;
    if (on) this.#root.platform.storage.set(key, 'on');
    else this.#root.platform.storage.remove(key);
  });
}
