import { flow, makeAutoObservable, observableRef } from 'mobx';
import type { Api } from '../api/client';
import { asApiError } from '../api/error';
import type { User, UserChange } from '../api/types';
import type { Language } from '../format';
import { errorKey } from '../i18n/errors';
import type { ToastStore } from './ToastStore';
import { wait } from './wait';

/** The player, always whole and always as the server last described them. */
export class UserStore {
  user: User | null = null;
  /** A change of the player's is on its way. */
  saving = false;
  /** Counts replacements, so that an answer asked for earlier cannot overwrite a newer one. */
  private age = 0;

  constructor(
    private readonly api: Api,
    private readonly toasts: ToastStore,
  ) {
    makeAutoObservable<this, 'api' | 'toasts' | 'age'>(this, {
      user: observableRef,
      api: false,
      toasts: false,
      age: false,
    });
  }

  load = flow(function* (this: UserStore, referralCode: string | null) {
    const asked = this.age;
    const user = yield* wait(this.api.me(referralCode));
    if (this.age === asked) this.replace(user);
  });

  /** Like load, but quietly: a figure that could not be refreshed stays as it was. */
  refresh = flow(function* (this: UserStore) {
    try {
      yield this.load(null);
    } catch (error) {
      asApiError(error);
    }
  });

  replace(user: User): void {
    this.age += 1;
    this.user = user;
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
  private change = flow(function* (this: UserStore, change: UserChange) {
    this.saving = true;
    try {
      this.replace(yield* wait(this.api.update(change)));
      return true;
    } catch (error) {
      this.toasts.show('error', errorKey(asApiError(error).code));
      return false;
    } finally {
      this.saving = false;
    }
  });
}
