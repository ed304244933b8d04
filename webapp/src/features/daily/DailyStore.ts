import { flow, makeAutoObservable, observableRef, when } from 'mobx';
import { asApiError } from '../../api/error';
import type { DailyReward } from '../../api/types';
import type { RootStore } from '../../app/RootStore';
import { type Micro, toMicro } from '../../format';
import { wait } from '../../stores/wait';
import { bonus } from './bonus';

/** A check-in that failed is asked for again after this, ever later, and at last each minute; milliseconds. */
const pause = 15_000;
const longestPause = 60_000;

/**
 * Spec §4, check-in. The server pays once a UTC day and says what; asking again that day changes nothing.
 *
 * The reward is shown once, by whichever visit has earned it. Afterwards nobody is stopped by it: while it can still be
 * doubled, Home has a way back to it while there are ads.
 */
export class DailyStore {
  /** The reward of today that this visit has earned. */
  reward: DailyReward | null = null;
  /** It has not been shown yet. */
  fresh = false;
  /** Home's balance waits for the player to claim it. */
  private isUnclaimed = false;
  /** Claimed coins are on their way to Home's balance. */
  private isOnItsWay = false;
  /** The modal was opened for a reward that was claimed before: only its double is left to be had. */
  isDoubleOnly = false;
  #asking = false;
  /** The last visit of whose double the player was told. */
  #lastNotifiedVisit = 0;
  /** The player and day that have had their answer. */
  #answered = '';
  /** The player and day last asked for, and the key of the question. */
  #lastRequest = { day: '', key: '' };
  #retryTimer: ReturnType<typeof setTimeout> | undefined;
  /** In a row. */
  #failures = 0;
  readonly #root: RootStore;

  constructor(root: RootStore) {
    this.#root = root;
    makeAutoObservable(this, { reward: observableRef });
  }

  /** Once a calendar date, which is the server's. A question that found no answer is asked again, the same way. */
  checkIn = flow(function* (this: DailyStore) {
    const player = this.#root.user.user;
    if (!player?.age_consent_accepted || this.#root.user.busy || this.#asking) return;
    // Out of the season there is no reward, and nobody has asked for one.
    if (this.#root.settings.season !== 'running') return;
    const day = `${player.id} ${new Date(this.#root.clock.now).toISOString().slice(0, 10)}`;
    if (day === this.#answered) return;
    if (day !== this.#lastRequest.day) this.#lastRequest = { day, key: this.#root.platform.newId() };
    this.#asking = true;
    clearTimeout(this.#retryTimer);
    try {
      const answer = yield* wait(this.#root.api.checkIn(this.#lastRequest.key));
      this.#answered = day;
      this.#failures = 0;
      if (this.#root.user.user?.id !== player.id || !('streak' in answer)) return;
      const { user, ...reward } = answer;
      this.reward = reward;
      this.fresh = true;
      // An earlier version of the server, beside this one, tells no player.
      if (!user) void this.#root.user.refresh();
      else this.isUnclaimed = this.#root.user.take(user) && this.#root.route.path === '/';
    } catch (error) {
      console.warn('check-in', asApiError(error).code);
      this.#retryTimer = setTimeout(
        () => this.#root.foreground.visit(),
        Math.min(pause * 2 ** this.#failures, longestPause),
      );
      this.#failures += 1;
    } finally {
      this.#asking = false;
    }
  });

  /** What the modal shows: the reward just earned, or the one an earlier visit has left to be doubled. */
  get shown(): DailyReward | null {
    return this.doublable ?? this.reward;
  }

  /** Today's reward while an ad can still double it. */
  get doublable(): DailyReward | null {
    const reward = this.#root.user.user?.daily_reward;
    return reward?.canDoubleWithAd ? reward : null;
  }

  /** An ad for it was seen just now, and only the network's word is missing. */
  get awaited(): boolean {
    return this.#root.ads.dueOf('daily', this.doublable?.totalDaysInGame) > 0;
  }

  /** Paid, but on Home only once the player has claimed it. */
  get unclaimed(): Micro {
    return this.isUnclaimed || this.isOnItsWay ? toMicro(this.reward?.bonusCoin ?? 0) : 0;
  }

  open(): void {
    this.isDoubleOnly = !this.fresh;
    this.fresh = false;
    this.#root.modals.enqueue({ is: 'daily' });
    when(
      () => !this.#root.modals.holds('daily'),
      () => this.closed(),
    );
  }

  /** Home's balance waits for the coins to arrive, too. */
  async holdUntil(arrival: Promise<void>): Promise<void> {
    this.setOnItsWay(true);
    await arrival.catch(() => undefined); // a flight that was broken off
    this.setOnItsWay(false);
  }

  private setOnItsWay(isOnItsWay: boolean): void {
    this.isOnItsWay = isOnItsWay;
  }

  private closed(): void {
    this.isUnclaimed = false;
  }

  /** Spec §4: the reward can be cleared. It was paid by the call already. */
  claim(): void {
    this.#root.modals.close('daily');
  }

  double = flow(function* (this: DailyStore) {
    if (!this.doublable) return 'closed';
    const { totalDaysInGame: visit } = this.doublable;
    const key = this.#root.platform.newId();
    const outcome = yield* wait(
      this.#root.ads.watch({
        purpose: 'daily',
        visit,
        collect: () => this.collect(visit, key),
      }),
    );
    if (outcome === 'late') this.leave(visit);
    return outcome;
  });

  private collect = flow(function* (this: DailyStore, visit: number, key: string) {
    const answer = yield* wait(this.#root.api.doubleReward(key));
    this.leave(visit);
    this.#root.user.take(answer.user);
    // Once today's is doubled, the server answers with it whichever day is asked for.
    if (visit <= this.#lastNotifiedVisit) return;
    this.#lastNotifiedVisit = visit;
    this.#root.toasts.show('success', 'toast.doubled', bonus(answer, answer.user.language));
  });

  /** An ad may outlast midnight: the reward of the next day stays to be claimed. */
  private leave(visit: number): void {
    if (!this.shown || this.shown.totalDaysInGame === visit) this.claim();
  }
}
