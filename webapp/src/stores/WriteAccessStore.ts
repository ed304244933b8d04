import { makeAutoObservable } from 'mobx';
import type { RootStore } from '../app/RootStore';

/** A device may be shared, so each player is remembered under their own key. */
const key = (player: number) => `write_access_asked:${player}`;

/**
 * Asks once whether the bot may write: after the first reward by taps, digs, a task, the wheel or a purchase, when its news have
 * something to report. Players who came through the bot have allowed it already and are not asked.
 */
export class WriteAccessStore {
  /** The player had a reward and was not asked yet. */
  due = false;
  #player: number | null = null;

  readonly #root: RootStore;

  constructor(root: RootStore) {
    this.#root = root;
    makeAutoObservable(this, { allowed: false });
  }

  /** A player to whom the bot may not write. */
  start(player: number): void {
    this.#player = player;
  }

  /** The player has received a reward of any kind. */
  rewarded(): void {
    this.due = this.#player !== null && this.#root.platform.storage.get(key(this.#player)) === null;
  }

  /** Stored before the prompt is shown: a player who closes the app has been asked, too. */
  request(): void {
    const { host, storage } = this.#root.platform;
    if (!this.due || this.#player === null) return;
    this.due = false;
    if (host.requestWriteAccess()) storage.set(key(this.#player), String(true));
  }

  /** Whether the bot may write, as far as is known; if not, the player is asked now. */
  allowed(): Promise<boolean> {
    return new Promise((answer) => {
      if (this.#player === null) return answer(true);
      const prompted = this.#root.platform.host.requestWriteAccess((allowed) => {
        if (allowed) this.#player = null;
        answer(allowed);
      });
      if (!prompted) answer(true); // the server says whether it may
    });
  }
}
