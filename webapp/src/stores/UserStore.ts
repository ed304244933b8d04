import { flow, makeAutoObservable, observableRef } from 'mobx';
import { asApiError } from '../api/error';
import type { User, UserChange } from '../api/types';
import type { RootStore } from '../app/RootStore';
import { errorKey } from '../i18n/errors';
import { wait } from './wait';

/** The player as the newest answer shows them: every call answers with a whole user, and answers overtake each other. */
export class UserStore {
  user: User | null = null;
  /** An update is in flight. */
  saving = false;
  private loadsInFlight = 0;
  /** Loads are numbered; `#taken` is the newest whose answer was taken. */
  #requested = 0;
  #taken = 0;
  /** Updates are sent one after the other, so that the last answer has all of them. */
  #turn: Promise<unknown> = Promise.resolve();

  readonly #root: RootStore;

  constructor(root: RootStore) {
    this.#root = root;
    makeAutoObservable(this, { user: observableRef });
  }

  /** Spec §1's Points MCBK: those of the game and of friends. */
  get points(): number {
    const balance = this.user?.balance;
    return balance ? balance.game_points + balance.referral_game_points : 0;
  }

  /** Spec §4: a user request is loading. */
  get busy(): boolean {
    return this.loadsInFlight > 0 || this.saving;
  }

  /** Loads the player; true if the answer was the newest. */
  load = flow(function* (this: UserStore, referralCode: string | null) {
    this.loadsInFlight += 1;
    this.#requested += 1;
    const request = this.#requested;
    try {
      const user = yield* wait(this.#root.api.me(referralCode));
      const ahead = this.#revisionsAhead(user);
      if (ahead < 0 || (ahead === 0 && request < this.#taken)) return false;
      this.#taken = request;
      this.user = user;
      return true;
    } finally {
      this.loadsInFlight -= 1;
    }
  });

  /** Like load, but returns false on a failure. */
  refresh = flow(function* (this: UserStore) {
    try {
      return yield* wait(this.load(null));
    } catch (error) {
      asApiError(error);
      return false;
    }
  });

  /** Accepts the player of a write's answer; false if a newer one is known. */
  accept(user: User): boolean {
    const isNews = this.#revisionsAhead(user) > 0;
    if (isNews) this.user = user;
    return isNews;
  }

  /** How much newer an answer is than the known player. A server of an earlier version sends no revision. */
  #revisionsAhead(user: User): number {
    const ahead = this.user?.id === user.id ? user.as_of - this.user.as_of : 1;
    return Number.isNaN(ahead) ? 1 : ahead;
  }

  setRank(rank: number): void {
    if (!this.user) return;
    this.user = { ...this.user, stats: { ...this.user.stats, leaderboard_rank: rank } };
  }

  /** True if the server accepted the change; otherwise a toast has said why. */
  async change(change: UserChange): Promise<boolean> {
    try {
      await this.enqueueChange(() => this.#root.api.update(change));
      return true;
    } catch (error) {
      this.#root.toasts.show('error', errorKey(asApiError(error).code));
      return false;
    }
  }

  /** Runs an update after those before it; rejects as the call does. */
  enqueueChange(request: () => Promise<User>): Promise<void> {
    const made = this.#turn.then(() => this.runChange(request));
    this.#turn = made.catch(() => {});
    return made;
  }

  private runChange = flow(function* (this: UserStore, request: () => Promise<User>) {
    this.saving = true;
    try {
      this.accept(yield* wait(request()));
    } finally {
      this.saving = false;
    }
  });
}
