import { flow, makeAutoObservable, observableRef, when } from 'mobx';
import { asApiError, isOutOfSeason } from '../../api/error';
import type { SpinClaimed } from '../../api/types';
import type { RootStore } from '../../app/RootStore';
import { formatAmount, formatInteger, toMicro } from '../../format';
import { errorKey } from '../../i18n/errors';
import { wait } from '../../stores/wait';
import { adMultiplier, isCredited, maxSpins, type Spin, sumOf } from './prize';
import type { WheelStore } from './WheelStore';

/** `seen`: the win modal was queued. */
type Prize = { is: 'none' } | { is: 'won'; spin: Spin; seen: boolean; claiming: boolean };

/** After these the prize was paid already. Out of the season the server pays it by itself. */
const settledCodes: readonly string[] = ['already_claimed', 'not_found', 'not_eligible'];

/** The wheel's prize until it is claimed or doubled by an ad. */
export class PrizeStore {
  prize: Prize = { is: 'none' };
  /** Its spins would exceed the limit of spins held. */
  exceedsSpinLimit = false;

  readonly #root: RootStore;
  readonly #wheel: WheelStore;

  constructor(root: RootStore, wheel: WheelStore) {
    this.#root = root;
    this.#wheel = wheel;
    makeAutoObservable(this, { prize: observableRef });
  }

  get spin(): Spin | null {
    return this.prize.is === 'won' ? this.prize.spin : null;
  }

  get claiming(): boolean {
    return this.prize.is === 'won' && this.prize.claiming;
  }

  get isUnshown(): boolean {
    return this.prize.is === 'won' && !this.prize.seen;
  }

  /** An ad for it was seen just now, and only the network's word is missing. */
  get awaited(): boolean {
    return this.#root.ads.unconfirmedFor('roulette', this.spin?.spin_id) > 0;
  }

  receive(spin: Spin): void {
    this.prize = { is: 'won', spin, seen: false, claiming: false };
  }

  show(): void {
    if (this.prize.is !== 'won' || this.prize.seen) return;
    const { spin } = this.prize;
    this.prize = { ...this.prize, seen: true };
    const held = this.#root.user.user?.balance.daily_spins ?? 0;
    this.exceedsSpinLimit = held + sumOf(spin.reward).spins > maxSpins;
    this.#root.modals.enqueue({ is: 'win' });
    // Closing it by "back" or a touch beside it claims the prize, too.
    when(
      () => !this.#root.modals.has('win'),
      () => this.onClosed(spin),
    );
  }

  private onClosed(spin: Spin): void {
    if (this.spin?.spin_id !== spin.spin_id || this.claiming) return;
    this.prize = { is: 'none' };
    void this.pay(spin);
  }

  /** Claims the prize; true if it was paid. */
  claim = flow(function* (this: PrizeStore) {
    if (this.prize.is !== 'won' || this.prize.claiming) return false;
    const { prize } = this;
    const { spin } = prize;
    this.prize = { ...prize, claiming: true };
    const end = yield* wait(this.pay(spin));
    // Closed meanwhile, it is shown again only at the next start.
    if (end !== 'not now' || !this.#root.modals.has('win')) this.finish(spin);
    else if (this.spin?.spin_id === spin.spin_id) this.prize = { ...prize, claiming: false };
    return end === 'paid';
  });

  private pay = flow(function* (this: PrizeStore, spin: Spin) {
    const id = spin.spin_id;
    if (isCredited(spin)) {
      this.#wheel.markSeen(spin);
      return 'paid';
    }
    try {
      const answer = spin.reward.chest
        ? yield* wait(this.#root.api.claimChest({ spin_id: id, watch_ad: false }))
        : yield* wait(this.#root.api.claimSpin(id));
      this.paid(spin, answer);
      return 'paid';
    } catch (error) {
      const refusal = asApiError(error);
      const { code } = refusal;
      this.#wheel.handleError(refusal);
      if (isOutOfSeason(refusal) || (!settledCodes.includes(code) && !this.#root.modals.has('win')))
        this.#root.toasts.show('info', 'toast.prize_comes');
      else if (code !== 'already_claimed') this.#root.toasts.show('error', errorKey(code));
      if (!settledCodes.includes(code) && !isOutOfSeason(refusal)) return 'not now';
      this.#wheel.markSeen(spin);
      void this.#wheel.refresh();
      return 'over';
    }
  });

  double = flow(function* (this: PrizeStore) {
    if (this.prize.is !== 'won' || this.prize.claiming) return 'closed';
    const { spin } = this.prize;
    const outcome = yield* wait(
      this.#root.ads.watch({
        purpose: 'roulette',
        targetId: spin.spin_id,
        collect: () => this.collect(spin),
      }),
    );
    if (outcome === 'late') {
      // The ad's late confirmation pays it; claimed now it could not be doubled any more.
      this.#wheel.markSeen(spin);
      this.finish(spin);
    }
    return outcome;
  });

  private collect = flow(function* (this: PrizeStore, spin: Spin) {
    const id = spin.spin_id;
    const answer = spin.reward.chest
      ? yield* wait(this.#root.api.claimChest({ spin_id: id, watch_ad: true }))
      : yield* wait(this.#root.api.doubleSpin(id));
    this.paid(spin, answer);
    this.finish(spin);
    this.notify(spin);
  });

  private paid(spin: Spin, answer: SpinClaimed): void {
    this.#wheel.markSeen(spin);
    this.#wheel.onForeground();
    this.#wheel.accept(answer);
  }

  private finish(spin: Spin): void {
    if (this.spin?.spin_id !== spin.spin_id) return;
    this.prize = { is: 'none' };
    this.#root.modals.close('win');
  }

  /** Shows what the ad's double has paid. */
  private notify({ reward }: Spin): void {
    const sum = sumOf(reward);
    const times = adMultiplier(reward);
    const language = this.#root.user.user?.language ?? 'en';
    const coins = formatAmount(toMicro(sum.coins) * times, 2, language);
    const points = formatInteger(sum.points * times, language);
    if (sum.coins > 0 && sum.points > 0)
      this.#root.toasts.show('success', 'toast.won_both', { coins, points });
    else if (sum.coins > 0) this.#root.toasts.show('success', 'toast.won_coins', { coins });
    else this.#root.toasts.show('success', 'toast.points', { points });
  }
}
