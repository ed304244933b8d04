import { flow, makeAutoObservable } from 'mobx';
import { asApiError } from '../api/error';
import { isVisible } from '../stores/PageLifecycle';
import { wait } from '../stores/wait';
import { DayChange } from './DayChange';
import type { RootStore } from './RootStore';

/** What happens when the player comes back to the page, perhaps on another day. */
export class Foreground {
  readonly dayChange: DayChange;
  readonly #root: RootStore;

  constructor(root: RootStore) {
    this.#root = root;
    this.dayChange = new DayChange(root, () => this.reloadDay());
    makeAutoObservable(this, { dayChange: false });
  }

  /** Spec §4: user and age consent exist, and no request for the user is loading. */
  get mayCheckIn(): boolean {
    const { is } = this.#root.shell.shell;
    const consent = this.#root.user.user?.age_consent_accepted ?? false;
    return (is === 'welcome' || is === 'ready') && consent && !this.#root.user.busy;
  }

  /** Checks in, unless the server may still be on the day before. */
  checkInIfVisible(): void {
    if (!this.mayCheckIn || !isVisible() || this.dayChange.isClockAhead) return;
    void this.#root.daily.checkIn();
  }

  online(): void {
    if (this.#root.shell.shell.is === 'offline') void this.#root.boot.load();
    else if (this.#root.shell.ready) {
      this.#root.tap.batches.onForeground();
      this.#root.wheel.resume();
      this.checkDay();
    }
  }

  /** The page is visible again, perhaps on another day. */
  onForeground(): void {
    if (!this.#root.shell.ready) {
      this.checkInIfVisible();
      return;
    }
    this.#root.tap.batches.onForeground();
    if (this.#root.ads.isUnavailable) void this.#root.ads.load();
    this.#root.wheel.onForeground();
    if (this.#root.clock.shifted && !this.dayChange.isStale) void this.setClock();
    else this.checkDay();
  }

  checkDay(): void {
    this.dayChange.schedule();
    // With the new day comes its check-in.
    if (this.dayChange.isStale) void this.dayChange.reload();
    else this.checkInIfVisible();
  }

  private setClock = flow(function* (this: Foreground) {
    try {
      yield this.#root.settings.setClock();
    } catch (error) {
      asApiError(error); // tried again the next time
    }
    this.checkDay();
  });

  /**
   * Loads all that a day changes; true if all of it was loaded. Answers in flight at midnight, such as to the last taps, may be of the
   * old day and still arrive later.
   */
  private reloadDay = flow(function* (this: Foreground) {
    const { settings, energy, user, tasks, wheel } = this.#root;
    try {
      const loaded = yield* wait(
        Promise.all([
          settings.load().then(() => {
            this.checkInIfVisible();
            return true;
          }),
          energy.load(),
          user.refresh(),
          tasks.load(),
          wheel.status ? wheel.load() : true,
        ]),
      );
      return loaded.every(Boolean);
    } catch (error) {
      asApiError(error);
      return false;
    }
  });
}
