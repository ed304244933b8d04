import { flow, makeAutoObservable, observableRef } from 'mobx';
import type { Api } from '../api/client';
import { asApiError } from '../api/error';
import type { User, UserChange } from '../api/types';
import type { Language } from '../format';
import { errorKey } from '../i18n/errors';
import type { ToastStore } from './ToastStore';
import { wait } from './wait';

/** What playing changes. The rest of a user is the person: who they are and what they wish. */
type Figures = Pick<User, 'balance' | 'stats' | 'can_get_prediction' | 'daily_reward'>;

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
  /** Loads asked for so far. */
  private loads = 0;
  /** Of each part: the last load that can no longer say anything new about it. */
  private figuresAsOf = 0;
  private personAsOf = 0;
  /** Changes take turns, so that the server makes them in the player's order and the last answer knows them all. */
  private turn: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly api: Api,
    private readonly toasts: ToastStore,
  ) {
    makeAutoObservable<this, 'api' | 'toasts' | 'loads' | 'figuresAsOf' | 'personAsOf' | 'turn'>(this, {
      user: observableRef,
      api: false,
      toasts: false,
      loads: false,
      figuresAsOf: false,
      personAsOf: false,
      turn: false,
    });
  }

  /** Spec §1's Points MCBK: those of the game and of friends. */
  get points(): number {
    const balance = this.user?.balance;
    return balance ? balance.game_points + balance.referral_game_points : 0;
  }

  load = flow(function* (this: UserStore, referralCode: string | null) {
    this.loads += 1;
    const asked = this.loads;
    const user = yield* wait(this.api.me(referralCode));
    if (asked > this.figuresAsOf) this.takeFigures(user, asked);
    if (asked > this.personAsOf) this.takePerson(user, asked);
  });

  /** Like load, but quietly: a figure that could not be refreshed stays as it was. */
  refresh = flow(function* (this: UserStore) {
    try {
      yield this.load(null);
    } catch (error) {
      asApiError(error);
    }
  });

  /** Takes from an answer what playing has changed. */
  takeFigures(user: User, asOf = this.loads): void {
    this.figuresAsOf = asOf;
    this.user = { ...(this.user ?? user), ...figures(user) };
  }

  private takePerson(user: User, asOf = this.loads): void {
    this.personAsOf = asOf;
    this.user = { ...user, ...figures(this.user ?? user) };
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
  private change(change: UserChange): Promise<boolean> {
    const made = this.turn.then(() => this.make(change));
    this.turn = made.catch(() => {});
    return made;
  }

  private make = flow(function* (this: UserStore, change: UserChange) {
    this.saving = true;
    try {
      this.takePerson(yield* wait(this.api.update(change)));
      return true;
    } catch (error) {
      this.toasts.show('error', errorKey(asApiError(error).code));
      return false;
    } finally {
      this.saving = false;
    }
  });
}

function figures({ balance, stats, can_get_prediction, daily_reward }: User): Figures {
  return { balance, stats, can_get_prediction, daily_reward };
}
