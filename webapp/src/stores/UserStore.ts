import { flow, makeAutoObservable, observableRef } from 'mobx';
import type { Api } from '../api/client';
import { asApiError } from '../api/error';
import type { User, UserChange } from '../api/types';
import type { Language } from '../format';
import { errorKey } from '../i18n/errors';
import type { ToastStore } from './ToastStore';
import { wait } from './wait';

/** The player as the newest answer shows them: every call answers with a whole user, and answers overtake each other. */
export class UserStore {
  user: User | null = null;
  /** A change of the player's is on its way. */
  saving = false;
  /** Loads on their way. */
  private underway = 0;
  /** Loads are numbered; `#taken` is the newest whose answer was taken. */
  #requested = 0;
  #taken = 0;
  /** Changes take turns, so that the server makes them in the player's order and the last answer knows them all. */
  #turn: Promise<unknown> = Promise.resolve();

  readonly #api: Api;
  readonly #toasts: ToastStore;

  constructor(api: Api, toasts: ToastStore) {
    this.#api = api;
    this.#toasts = toasts;
    makeAutoObservable(this, { user: observableRef });
  }

  /** Spec §1's Points MCBK: those of the game and of friends. */
  get points(): number {
    const balance = this.user?.balance;
    return balance ? balance.game_points + balance.referral_game_points : 0;
  }

  /** Spec §4: a user request is loading. */
  get busy(): boolean {
    return this.underway > 0 || this.saving;
  }

  /** Whether the answer was the newest. */
  load = flow(function* (this: UserStore, referralCode: string | null) {
    this.underway += 1;
    this.#requested += 1;
    const request = this.#requested;
    try {
      const user = yield* wait(this.#api.me(referralCode));
      const ahead = this.#revisionsAhead(user);
      if (ahead < 0 || (ahead === 0 && request < this.#taken)) return false;
      this.#taken = request;
      this.user = user;
      return true;
    } finally {
      this.underway -= 1;
    }
  });

  /** Like load, but a failure leaves the player as they were. */
  refresh = flow(function* (this: UserStore) {
    try {
      return yield* wait(this.load(null));
    } catch (error) {
      asApiError(error);
      return false;
    }
  });

  /** Takes the player from the answer to a write, unless what it did is known already: then false. */
  take(user: User): boolean {
    const isNews = this.#revisionsAhead(user) > 0;
    if (isNews) this.user = user;
    return isNews;
  }

  /** How much newer an answer is than what is known. An earlier version of the server, beside this one, tells no revision. */
  #revisionsAhead(user: User): number {
    const ahead = this.user?.id === user.id ? user.as_of - this.user.as_of : 1;
    return Number.isNaN(ahead) ? 1 : ahead;
  }

  /** The board of coins tells the newest place. */
  takePlace(rank: number): void {
    if (!this.user) return;
    this.user = { ...this.user, stats: { ...this.user.stats, leaderboard_rank: rank } };
  }

  acceptAge(): Promise<boolean> {
    return this.change({ age_consent_accepted: true });
  }

  setLanguage(language: Language): Promise<boolean> {
    return this.change({ language });
  }

  setNotifications(notifications: boolean): Promise<boolean> {
    return this.change({ notifications });
  }

  /** Whether the server agreed; if not, a toast has said why. */
  private async change(change: UserChange): Promise<boolean> {
    try {
      await this.alter(() => this.#api.update(change));
      return true;
    } catch (error) {
      this.#toasts.show('error', errorKey(asApiError(error).code));
      return false;
    }
  }

  /** Makes a change in its turn; rejects as the call does. */
  alter(request: () => Promise<User>): Promise<void> {
    const made = this.#turn.then(() => this.make(request));
    this.#turn = made.catch(() => {});
    return made;
  }

  private make = flow(function* (this: UserStore, request: () => Promise<User>) {
    this.saving = true;
    try {
      this.take(yield* wait(request()));
    } finally {
      this.saving = false;
    }
  });
}
