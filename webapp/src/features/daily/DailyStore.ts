import { flow, makeAutoObservable, observableRef, when } from 'mobx';
import { asApiError } from '../../api/error';
import type { DailyReward } from '../../api/types';
import type { RootStore } from '../../app/RootStore';
import { type Micro, toMicro } from '../../format';
import { wait } from '../../stores/wait';
import { bonus } from './bonus';

/** Exponential backoff of a failed check-in, milliseconds. */
const firstRetryMs = 15_000;
const longestRetryMs = 60_000;

/**
 * Spec §4, check-in. The server pays once a UTC day; another call that day changes nothing.
 *
 * The reward is shown once, by the visit that earned it. While it can still be doubled, Home has a button that opens it.
 */
export class DailyStore {
  /** The reward of today that this visit has earned. */
  reward: DailyReward | null = null;
  /** It has not been shown yet. */
  isUnshown = false;
  /** Home's balance waits for the player to claim it. */
  private isUnclaimed = false;
  /** Claimed coins are on their way to Home's balance. */
  private areCoinsFlying = false;
  /** The modal was opened for a reward that was claimed before: only its double is left to be had. */
  isDoubleOnly = false;
  #asking = false;
  /** The last visit whose double was announced. */
  #lastNotifiedVisit = 0;
  /** The player and day that have checked in. */
  #answered = '';
  /** The player and day of the last request, and its idempotency key. */
  #lastRequest = { day: '', key: '' };
  #retryTimer: ReturnType<typeof setTimeout> | undefined;
  #failures = 0;
  readonly #root: RootStore;

  constructor(root: RootStore) {
    this.#root = root;
    makeAutoObservable(this, { reward: observableRef });
  }

  /** Checks in once a UTC day by the server's clock. A call without an answer is repeated with its key. */
  checkIn = flow(function* (this: DailyStore) {
    const player = this.#root.user.user;
    if (!player?.age_consent_accepted || this.#root.user.busy || this.#asking) return;
    // Out of the season there is no reward.
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
      this.isUnshown = true;
      // A server of an earlier version sends no player.
      if (!user) void this.#root.user.refresh();
      else this.isUnclaimed = this.#root.user.accept(user) && this.#root.route.path === '/';
    } catch (error) {
      console.warn('check-in', asApiError(error).code);
      this.#retryTimer = setTimeout(
        () => this.#root.foreground.checkInIfVisible(),
        Math.min(firstRetryMs * 2 ** this.#failures, longestRetryMs),
      );
      this.#failures += 1;
    } finally {
      this.#asking = false;
    }
  });

  /** The modal's reward: just earned, or of an earlier visit and still to be doubled. */
  get shown(): DailyReward | null {
    return this.doublable ?? this.reward;
  }

  /** Today's reward while an ad can still double it. */
  get doublable(): DailyReward | null {
    const reward = this.#root.user.user?.daily_reward;
    return reward?.canDoubleWithAd ? reward : null;
  }

  /** An ad for it was seen and is not confirmed yet. */
  get isDoubleAwaited(): boolean {
    return this.#root.ads.unconfirmedFor('daily', this.doublable?.totalDaysInGame) > 0;
  }

  /** Paid coins that Home's balance shows only once they are claimed. */
  get unclaimed(): Micro {
    return this.isUnclaimed || this.areCoinsFlying ? toMicro(this.reward?.bonusCoin ?? 0) : 0;
  }

  open(): void {
    this.isDoubleOnly = !this.isUnshown;
    this.isUnshown = false;
    this.#root.modals.enqueue({ is: 'daily' });
    when(
      () => !this.#root.modals.has('daily'),
      () => {
        this.isUnclaimed = false;
      },
    );
  }

  /** Home's balance also waits for the flying coins. */
  holdUntil = flow(function* (this: DailyStore, arrival: Promise<void>) {
    this.areCoinsFlying = true;
    yield arrival.catch(() => undefined); // the animation was cancelled
    this.areCoinsFlying = false;
  });

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
    if (outcome === 'late') this.closeAfter(visit);
    return outcome;
  });

  private collect = flow(function* (this: DailyStore, visit: number, key: string) {
    const answer = yield* wait(this.#root.api.doubleReward(key));
    this.closeAfter(visit);
    this.#root.user.accept(answer.user);
    // Once today's is doubled, the server answers with it whichever day is asked for.
    if (visit <= this.#lastNotifiedVisit) return;
    this.#lastNotifiedVisit = visit;
    this.#root.toasts.show('success', 'toast.doubled', bonus(answer, answer.user.language));
  });

  /** An ad may outlast midnight: the reward of the next day stays to be claimed. */
  private closeAfter(visit: number): void {
    if (!this.shown || this.shown.totalDaysInGame === visit) this.claim();
  }
}
