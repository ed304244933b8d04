import { makeAutoObservable, observableRef } from 'mobx';
import { type ApiError, isFeatureOff } from '../api/error';

/** What the player sees of the app as a whole. Everything but `ready` fills the screen. */
export type Shell =
  | { is: 'loading' }
  /** Everything is loaded; the greeting stays a little longer. */
  | { is: 'welcome' }
  | { is: 'ready' }
  /** Not opened by Telegram, or with launch data it did not sign. */
  | { is: 'outside' }
  | { is: 'desktop' }
  /** The launch data is older than a day: only Telegram can give new ones. */
  | { is: 'expired' }
  | { is: 'maintenance' }
  | { is: 'offline' }
  /** An admin has banned the player. */
  | { is: 'blocked'; reason: string | null }
  | { is: 'failed'; requestId: string | null };

export class ShellStore {
  shell: Shell = { is: 'loading' };
  /** The texts of the player's language are loaded, or timed out. */
  hasLanguage = false;

  constructor() {
    makeAutoObservable(this, { shell: observableRef });
  }

  setHasLanguage(): void {
    this.hasLanguage = true;
  }

  /** The game is shown or loading; otherwise a full-screen note is. */
  get open(): boolean {
    const { is } = this.shell;
    return is === 'loading' || is === 'welcome' || is === 'ready';
  }

  /** The game is shown. */
  get ready(): boolean {
    return this.shell.is === 'ready';
  }

  set(shell: Shell): void {
    this.shell = shell;
  }

  /** Shows errors that concern the whole app, whichever call got them. */
  handleError(error: ApiError): void {
    const shell = isFeatureOff(error) ? undefined : shells[error.code]?.(error);
    if (shell) this.shell = shell;
  }

  /** The app could not be loaded at all. */
  fail(error: ApiError): void {
    if (error.code === 'offline') this.shell = { is: 'offline' };
    else if (isFeatureOff(error) || !shells[error.code])
      this.shell = { is: 'failed', requestId: error.requestId };
  }
}

const shells: Readonly<Record<string, (error: ApiError) => Shell>> = {
  init_data_missing: () => ({ is: 'outside' }),
  init_data_invalid: () => ({ is: 'outside' }),
  init_data_expired: () => ({ is: 'expired' }),
  user_blocked: ({ params }) => ({
    is: 'blocked',
    reason: typeof params.reason === 'string' ? params.reason : null,
  }),
  maintenance: () => ({ is: 'maintenance' }),
};
