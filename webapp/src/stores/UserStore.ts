import { flow, makeAutoObservable, observableRef } from 'mobx';
import type { Api } from '../api/client';
import { asApiError } from '../api/error';
import type { DailyReward, User, UserChange } from '../api/types';
import { fromMicro, type Language, toMicro } from '../format';
import { errorKey } from '../i18n/errors';
import type { ToastStore } from './ToastStore';
import { wait } from './wait';

/** Who they are and what they wish. */
type Person = Pick<
  User,
  | 'id'
  | 'telegram_id'
  | 'first_name'
  | 'username'
  | 'photo_url'
  | 'is_premium'
  | 'referral_code'
  | 'wallet_address'
  | 'wallet_proven'
  | 'age_consent_accepted'
  | 'language'
  | 'notifications'
>;

/** What playing changes: the rest, so that a new field does not compile until it is named here or in `figures`. */
type Figures = Omit<User, keyof Person>;

/**
 * The player, always whole and always as the server last described them.
 *
 * Every call answers with a whole user, and answers overtake each other. So each is believed only about what its call
 * is for: a tap answer about the figures, the answer to a change about the person. A load is believed about both, but
 * not about a part that another answer has brought since the load was asked for.
 */
export class UserStore {
  user: User | null = null;
  /** A change of the player's is on its way. */
  saving = false;
  /** Loads on their way. */
  private underway = 0;
  /** How often an answer has brought figures. */
  #figuresTaken = 0;
  /** Loads asked for so far. */
  #loads = 0;
  /** Of each part: the last load that can no longer say anything new about it. */
  #figuresAsOf = 0;
  #personAsOf = 0;
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

  /** Whether the answer was the newest figures when it came. */
  load = flow(function* (this: UserStore, referralCode: string | null) {
    this.#loads += 1;
    this.underway += 1;
    const startedAt = this.#loads;
    try {
      const user = yield* wait(this.#api.me(referralCode));
      const newest = startedAt > this.#figuresAsOf;
      if (newest) this.takeFigures(user, startedAt);
      if (startedAt > this.#personAsOf) this.takePerson(user, startedAt);
      return newest;
    } finally {
      this.underway -= 1;
    }
  });

  /**
   * Like load, but quietly: a figure that could not be refreshed stays as it was. True if this answer was taken: it came, and
   * nothing newer had.
   */
  refresh = flow(function* (this: UserStore) {
    try {
      return yield* wait(this.load(null));
    } catch (error) {
      asApiError(error);
      return false;
    }
  });

  /** Takes from an answer what playing has changed. */
  takeFigures(user: User, asOf = this.#loads): void {
    this.#figuresAsOf = asOf;
    this.#figuresTaken += 1;
    this.user = { ...(this.user ?? user), ...figures(user) };
  }

  /**
   * Spec §4, check-in: the answer is a reward and no user, so it is added to the figures that are here. Asked for
   * before the call: had other figures come or been asked for meanwhile, nobody could tell whether the reward is in them, and they are
   * asked for anew.
   */
  awaitReward(): (reward: DailyReward) => void {
    const before = this.#figuresTaken + this.#loads;
    return (reward) => {
      if (!this.user) return;
      if (this.#figuresTaken + this.#loads !== before) return void this.refresh();
      const { balance, stats } = this.user;
      this.takeFigures({
        ...this.user,
        balance: {
          ...balance,
          game_mcbk: fromMicro(toMicro(balance.game_mcbk) + toMicro(reward.bonusCoin)),
          game_points: balance.game_points + reward.bonusPoints,
        },
        stats: { ...stats, total_days_in_game: reward.totalDaysInGame },
        daily_reward: reward.canDoubleWithAd ? reward : null,
      });
    };
  }

  /** The board of coins tells the newest place. */
  takePlace(rank: number): void {
    if (!this.user) return;
    this.user = { ...this.user, stats: { ...this.user.stats, leaderboard_rank: rank } };
  }

  private takePerson(user: User, asOf = this.#loads): void {
    this.#personAsOf = asOf;
    // Before the rules are accepted there is no advice: the answer that accepts them is believed about that too.
    const welcome = user.age_consent_accepted && !this.user?.age_consent_accepted;
    const { can_get_prediction } = welcome ? user : (this.user ?? user);
    this.user = { ...user, ...figures(this.user ?? user), can_get_prediction };
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
      this.takePerson(yield* wait(request()));
    } finally {
      this.saving = false;
    }
  });
}

function figures({ balance, stats, can_get_prediction, daily_reward }: User): Figures {
  return { balance, stats, can_get_prediction, daily_reward };
}
