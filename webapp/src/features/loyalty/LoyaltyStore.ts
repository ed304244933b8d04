import { flow, makeAutoObservable } from 'mobx';
import { asApiError } from '../../api/error';
import type { CircleAds } from '../../api/types';
import type { RootStore } from '../../app/RootStore';
import { errorKey } from '../../i18n/errors';
import { Resource } from '../../stores/Resource';
import { wait } from '../../stores/wait';
import { bonus } from '../daily/bonus';

/** Spec §9. */
export const loyaltyBonus = { bonusCoin: 3, bonusPoints: 150 };

/** After these the bonus is not available any more, and the status is reloaded. */
const over: readonly string[] = ['already_claimed', 'not_completed', 'not_eligible'];

/** Figures that change one after the other, as after an ad, are one reason to ask: milliseconds. */
const debounceMs = 1000;

/** Spec §4, circle ads: watching every ad of the day pays a bonus once that day. */
export class LoyaltyStore {
  /** The bonus has just been earned, and the player does not know yet. */
  due = false;
  claiming = false;
  readonly #resource: Resource<CircleAds>;
  #timer: ReturnType<typeof setTimeout> | null = null;
  readonly #root: RootStore;

  constructor(root: RootStore) {
    this.#root = root;
    this.#resource = new Resource(
      () => root.api.circleAds(),
      (status, before) => this.onLoad(status, before),
    );
    makeAutoObservable(this);
  }

  /** A visit begins without a bonus, so that one earned before it is shown too. */
  get status(): CircleAds {
    return this.#resource.value ?? { as_of: 0, is_eligible: false, reward_claimed: false };
  }

  /** Earned today, and not taken yet. */
  get claimable(): boolean {
    return this.status.is_eligible && !this.status.reward_claimed;
  }

  /** The status may have changed; it is reloaded after a debounce. */
  scheduleReload(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.load(), debounceMs);
  }

  load(): Promise<boolean> {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    return this.#resource.load();
  }

  open(): void {
    this.due = false;
    this.#root.modals.enqueue({ is: 'loyalty' });
  }

  /** Without a claim Home has a way back to it, and the next visit of the day shows it again. */
  close(): void {
    this.#root.modals.close('loyalty');
  }

  claim = flow(function* (this: LoyaltyStore) {
    if (this.claiming) return false;
    this.claiming = true;
    try {
      const { user } = yield* wait(this.#root.api.claimCircleAds());
      this.#root.user.accept(user);
      this.#resource.replace({ ...this.status, as_of: user.as_of, reward_claimed: true });
      this.close();
      this.#root.toasts.show('success', 'toast.bonus', bonus(loyaltyBonus, user.language));
      void this.load();
      return true;
    } catch (error) {
      this.refused(asApiError(error).code);
      return false;
    } finally {
      this.claiming = false;
    }
  });

  private onLoad(status: CircleAds, before: CircleAds | null): void {
    const earned = status.is_eligible && !before?.is_eligible;
    if (earned && this.claimable) this.due = true;
    // Taken elsewhere, or the day is over.
    if (!this.claimable) {
      this.due = false;
      if (!this.claiming) this.close();
    }
  }

  private refused(code: string): void {
    this.#root.toasts.show('error', errorKey(code));
    if (!over.includes(code)) return;
    this.close();
    void this.load();
    void this.#root.user.refresh();
  }
}
