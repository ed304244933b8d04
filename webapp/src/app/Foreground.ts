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
    this.dayChange = new DayChange(root.clock, root.settings, {
      playing: () => root.shell.ready,
      random: () => root.platform.random(),
      reload: () => this.reloadDay(),
    });
    makeAutoObservable(this, { dayChange: false });
  }

  /** Spec §4: user and age consent exist, and no request for the user is loading. */
  get mayCheckIn(): boolean {
    const { is } = this.#root.shell.shell;
    const consent = this.#root.user.user?.age_consent_accepted ?? false;
    return (is === 'welcome' || is === 'ready') && consent && !this.#root.user.busy;
  }

  /** A player is here and looks: the day counts. Before the server has told it, the answer might be about the last one. */
  visit(): void {
    if (!this.mayCheckIn || !isVisible() || this.dayChange.early) return;
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

  /** The page is looked at again, perhaps on another day. */
  onForeground(): void {
    if (!this.#root.shell.ready) {
      this.visit();
      return;
    }
    this.#root.tap.batches.onForeground();
    if (this.#root.ads.off) void this.#root.ads.load();
    this.#root.wheel.onForeground();
    if (this.#root.clock.shifted && !this.dayChange.isStale) void this.setClock();
    else this.checkDay();
  }

  checkDay(): void {
    this.dayChange.wait();
    // With the new day comes its check-in.
    if (this.dayChange.isStale) void this.dayChange.come();
    else this.visit();
  }

  private setClock = flow(function* (this: Foreground) {
    try {
      yield this.#root.settings.setClock();
    } catch (error) {
      asApiError(error); // the next look asks again
    }
    this.checkDay();
  });

  /**
   * Asks for all that a day changes; whether all of it was told. What was on its way at midnight, such as the last taps, may tell of
   * the old day and still be newer than these questions.
   */
  private reloadDay = flow(function* (this: Foreground) {
    const { settings, energy, user, tasks, wheel } = this.#root;
    try {
      const loaded = yield* wait(
        Promise.all([
          settings.load().then(() => {
            this.visit();
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
