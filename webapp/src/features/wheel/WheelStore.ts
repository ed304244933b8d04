import { flow, makeAutoObservable, observableRef, reaction } from 'mobx';
import { type ApiError, asApiError, isRefusedEarly, mayHaveHappened } from '../../api/error';
import type { RouletteStatus, SpinClaimed } from '../../api/types';
import type { RootStore } from '../../app/RootStore';
import { formatInteger } from '../../format';
import { errorKey } from '../../i18n/errors';
import { pause } from '../../pause';
import { Resource } from '../../stores/Resource';
import { wait } from '../../stores/wait';
import { PrizeStore } from './PrizeStore';
import { maxSpins, type Spin, type Turn } from './prize';
import { normalizeAngle, pathTo } from './turn';
import { type SpinAttempt, UnshownSpin } from './unshown';

/** Spec §4: how long the golden background stays after the golden spin, milliseconds. */
const goldenLingersMs = 1500;

/** Delays of the retries of a spin without an answer, milliseconds. */
const retryDelaysMs = [0, 1000, 2000, 4000];
/** A wheel that was found switched off may be tried again after this, milliseconds. */
const retryClosedAfterMs = 60_000;

export class WheelStore {
  readonly resource: Resource<RouletteStatus>;
  turn: Turn = { is: 'resting' };
  /** Where the wheel stands when it does not turn, in degrees. */
  angle = 0;
  /** The background is golden. */
  isGolden = false;
  /** An admin has switched the wheel off: a call was refused. After a minute, or on return to the page, it may be tried again. */
  closed = false;
  #reopening: ReturnType<typeof setTimeout> | undefined;
  readonly prize: PrizeStore;

  /** The figures shown while the wheel turns, as of before the spin. */
  private frozen: { won: number; points: number; status: RouletteStatus | null } | null = null;
  #record: UnshownSpin | null = null;
  readonly #root: RootStore;

  constructor(root: RootStore) {
    this.#root = root;
    this.resource = new Resource(() => root.api.rouletteStatus());

    this.prize = new PrizeStore(root, this);
    makeAutoObservable<this, 'frozen'>(this, {
      resource: false,
      turn: observableRef,
      frozen: observableRef,
      prize: false,
    });
  }

  get status(): RouletteStatus | null {
    return this.resource.value;
  }

  /** Spec §4: blocks further spins. */
  get spinning(): boolean {
    return this.turn.is === 'asking' || this.turn.is === 'turning';
  }

  private get isWatched(): boolean {
    return this.#root.route.path === '/roulette';
  }

  private get open(): boolean {
    return !this.spinning && !this.closed && this.#root.settings.season === 'running';
  }

  handleError({ params }: ApiError): void {
    if (params.feature !== 'wheel') return;
    this.onForeground();
    this.closed = true;
    this.#reopening = setTimeout(() => this.onForeground(), retryClosedAfterMs);
  }

  onForeground(): void {
    clearTimeout(this.#reopening);
    this.closed = false;
  }

  /** A prize must be claimed before the next spin. */
  private get busy(): boolean {
    return this.spinning || this.prize.spin !== null;
  }

  /** Spec §5, and in the season only. */
  get canSpin(): boolean {
    return this.open && (this.status?.daily_spins ?? 0) > 0;
  }

  /** Spec §5: the golden spin costs one spin too. */
  get canSpinGolden(): boolean {
    return this.canSpin && this.golden;
  }

  /** Spec §5, and while an ad can be had at all. */
  get canTakeAdSpin(): boolean {
    if (!this.open || !this.status || this.#root.ads.isUnavailable || this.#root.ads.busy || this.adSpinDue)
      return false;
    return this.status.ad_spins > 0 && this.status.daily_spins < maxSpins;
  }

  /** Unconfirmed ads will use up the ad spins, or fill the spins held. */
  get adSpinDue(): boolean {
    const { status } = this;
    const due = this.#root.ads.unconfirmedFor('spin');
    if (!status || due === 0 || status.ad_spins === 0 || status.daily_spins >= maxSpins) return false;
    return status.ad_spins <= due || status.daily_spins + due >= maxSpins;
  }

  /** As of before the spin while the wheel turns, like the streak. */
  get golden(): boolean {
    return (this.frozen?.status ?? this.status)?.is_golden_spin_available ?? false;
  }

  get streak(): number {
    return (this.frozen?.status ?? this.status)?.spin_streak ?? 0;
  }

  /** A golden spin is available or in progress. */
  private get goldenNow(): boolean {
    const { turn } = this;
    if (turn.is === 'asking') return this.golden || turn.golden;
    return this.golden || (turn.is === 'turning' && turn.spin.reward.is_golden);
  }

  /** Spec §2's Won MCBK, as of before the spin while the wheel turns. */
  get won(): number {
    return this.frozen?.won ?? this.#root.user.user?.stats.won_mcbk ?? 0;
  }

  /** Spec §2's Points MCBK, likewise. */
  get points(): number {
    return this.frozen?.points ?? this.#root.user.points;
  }

  /** Called once. */
  follow(): void {
    let timer: ReturnType<typeof setTimeout> | undefined;
    reaction(
      () => this.goldenNow,
      (golden) => {
        clearTimeout(timer);
        if (golden) this.setGolden(true);
        else timer = setTimeout(() => this.setGolden(false), goldenLingersMs);
      },
    );
  }

  private setGolden(golden: boolean): void {
    this.isGolden = golden;
  }

  /** Resumes the spin whose result this player has not seen. */
  start(player: number): void {
    const { storage, now } = this.#root.platform;
    this.#record = new UnshownSpin(storage, 'unshown_spin', player, now);
    this.resume();
  }

  resume(): void {
    if (!this.#record || this.busy) return;
    const unshown = this.#record.read();
    if (unshown.is === 'won') this.finishTurn(unshown.spin);
    if (unshown.is === 'asked') void this.requestSpin(unshown.question, true);
  }

  /** True if the answer was accepted. */
  load(): Promise<boolean> {
    return this.resource.load();
  }

  /** The player need not be shown this spin again. */
  markSeen(spin: Spin): void {
    this.#record?.seen(spin);
  }

  /** Takes the figures of an answer that moved the wheel. */
  accept({ user, roulette, energy }: SpinClaimed): void {
    this.#root.user.accept(user);
    this.resource.replace(roulette);
    if (this.#root.tap.batches.count === 0) this.#root.energy.replace(energy); // otherwise the answer to the taps has it
  }

  async spin(golden: boolean): Promise<void> {
    const record = this.#record;
    if (!record || this.busy || !(golden ? this.canSpinGolden : this.canSpin)) return;
    const unshown = record.read();
    // A spin that may have happened comes first, with its key: a new key would spin again.
    if (unshown.is === 'asked') return this.requestSpin(unshown.question, true);
    // So does a prize that was not shown.
    if (unshown.is === 'won') return this.finishTurn(unshown.spin);
    const question = { golden, key: this.#root.platform.newId() };
    record.save(question);
    await this.requestSpin(question, false);
  }

  /** `mayHaveSpun`: requested before, without an answer. Fails without a toast unless the wheel's screen is open. */
  private requestSpin = flow(function* (this: WheelStore, question: SpinAttempt, mayHaveSpun: boolean) {
    const record = this.#record;
    this.turn = { is: 'asking', golden: question.golden };
    this.frozen = { won: this.won, points: this.points, status: this.status };
    const aloud = this.isWatched;
    let refusal: ApiError | null = null;
    for (const delay of retryDelaysMs) {
      // In a task of its own: a cheap phone is busy drawing the press.
      yield pause(delay);
      try {
        const answer = yield* wait(this.#root.api.spin(question.golden, question.key));
        record?.won(answer);
        this.accept(answer);
        this.startTurn(answer);
        return;
      } catch (error) {
        refusal = asApiError(error);
        this.handleError(refusal);
        if (!mayHaveHappened(refusal)) break;
        mayHaveSpun = true;
      }
    }
    if (!refusal) return;
    const unknown = mayHaveHappened(refusal);
    const kept = unknown || (mayHaveSpun && isRefusedEarly(refusal));
    if (!kept) record?.refused(question);
    if (!unknown) void this.refresh();
    this.stopTurning();
    if (aloud)
      this.#root.toasts.show(kept ? 'info' : 'error', kept ? 'toast.spin_kept' : errorKey(refusal.code));
  });

  private stopTurning(): void {
    this.turn = { is: 'resting' };
    this.frozen = null;
  }

  private startTurn({ spin_id, status, reward }: Spin): void {
    const spin = { spin_id, status, reward };
    const { random, prefersReducedMotion, elapsed } = this.#root.platform;
    const path = pathTo({
      from: this.angle,
      segment: reward.segment,
      golden: reward.is_golden,
      prefersReducedMotion: prefersReducedMotion(),
      random,
    });
    this.angle = normalizeAngle(path.to);
    if (!this.isWatched) {
      this.finishTurn(spin);
      return;
    }
    this.turn = { is: 'turning', spin, path, since: elapsed() };
    setTimeout(() => this.finishTurn(spin), path.duration);
  }

  private finishTurn(spin: Spin): void {
    this.stopTurning();
    this.prize.receive(spin);
    setTimeout(() => this.#root.tasks.markStale()); // later than the wheel's stop, which is drawn first
  }

  takeAdSpin(): Promise<unknown> {
    if (!this.canTakeAdSpin) return Promise.resolve();
    const key = this.#root.platform.newId();
    return this.#root.ads.watch({
      purpose: 'spin',
      collect: () => this.collectAdSpin(key),
    });
  }

  private collectAdSpin = flow(function* (this: WheelStore, key: string) {
    const answer = yield* wait(this.took(key));
    this.onForeground();
    this.accept(answer);
    const points = formatInteger(answer.bonus_points, answer.user.language);
    this.#root.toasts.show('success', 'toast.ad_spin', { points });
  });

  private async took(key: string) {
    try {
      return await this.#root.api.takeAdSpin(key);
    } catch (error) {
      this.handleError(asApiError(error));
      throw error;
    }
  }

  /** The wheel's status is stale. */
  refresh(): Promise<unknown> {
    if (this.#root.tap.batches.count === 0) void this.#root.energy.load();
    return Promise.all([this.load(), this.#root.user.refresh()]);
  }
}
