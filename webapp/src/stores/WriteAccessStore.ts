import { makeAutoObservable } from 'mobx';
import type { KeyValueStorage } from '../storage';

/** A device may be shared, so each player is remembered under their own key. */
const key = (player: number) => `write_access_asked:${player}`;

/**
 * Asks once whether the bot may write: after the first reward by taps, digs, a task, the wheel or a purchase, when its news have
 * something to be about. Who came through the bot has allowed it already and is never asked.
 */
export class WriteAccessStore {
  /** The player had a reward and was not asked yet; whoever shows the screens waits for a quiet moment. */
  due = false;
  #player: number | null = null;

  readonly #box: KeyValueStorage;
  /** Asks; false where Telegram's client cannot. */
  readonly #showPrompt: (onAnswer?: (allowed: boolean) => void) => boolean;

  constructor(box: KeyValueStorage, showPrompt: (onAnswer?: (allowed: boolean) => void) => boolean) {
    this.#box = box;
    this.#showPrompt = showPrompt;
    makeAutoObservable(this, { allowed: false });
  }

  /** A player to whom the bot may not write. */
  start(player: number): void {
    this.#player = player;
  }

  /** The player won something, whatever it was. */
  rewarded(): void {
    this.due = this.#player !== null && this.#box.get(key(this.#player)) === null;
  }

  /** Remembered before the question is shown: a player who answers by closing the app has been asked. */
  request(): void {
    if (!this.due || this.#player === null) return;
    this.due = false;
    if (this.#showPrompt()) this.#box.set(key(this.#player), String(true));
  }

  /** Whether the bot may write, as far as is known; where it may not, the player is asked for it now. */
  allowed(): Promise<boolean> {
    return new Promise((answer) => {
      if (this.#player === null) return answer(true);
      const prompted = this.#showPrompt((allowed) => {
        if (allowed) this.#player = null;
        answer(allowed);
      });
      if (!prompted) answer(true); // the server says whether it may
    });
  }
}
