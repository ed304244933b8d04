import { flow, makeAutoObservable, observableRef, reaction } from 'mobx';
import { type ApiError, asApiError, isRefusedEarly, mayHaveHappened } from '../../api/error';
import type { RouletteStatus, SpinClaimed } from '../../api/types';
import type { RootStore } from '../../app/RootStore';
import { formatInteger } from '../../format';
import { errorKey } from '../../i18n/errors';
import { Resource } from '../../stores/Resource';
import { wait } from '../../stores/wait';
import { PrizeStore } from './PrizeStore';
import { mostSpins, type Spin, type Turn } from './prize';
import { normalizeAngle, pathTo } from './turn';
import { type Question, UnshownSpin } from './unshown';

/** Spec §4: how long the golden ground outlives the golden spin, in milliseconds. */
const afterglow = 1500;

/** Waits between the tries of one spin whose answer does not come, in milliseconds. */
const pauses = [0, 1000, 2000, 4000];
/** How long nothing is asked of a wheel that is switched off, in milliseconds. */
const closedFor = 60_000;

export class WheelStore {
  readonly resource: Resource<RouletteStatus>;
  turn: Turn = { is: 'resting' };
  /** Where the wheel stands when it does not turn, in degrees. */
  angle = 0;
  /** The ground is golden. */
  isGolden = false;
  /** An admin has switched the wheel off. Only what it refuses or does tells: after a minute, or a look at the page, it may be tried. */
  closed = false;
  #reopening: ReturnType<typeof setTimeout> | undefined;
  readonly prize: PrizeStore;

  /** What the screen goes on saying while the wheel turns: the figures may have the prize already. */
  private held: { won: number; points: number; status: RouletteStatus | null } | null = null;
  #record: UnshownSpin | null = null;
  readonly #root: RootStore;

  constructor(root: RootStore) {
    this.#root = root;
    this.resource = new Resource(() => root.api.rouletteStatus());

    this.prize = new PrizeStore(root, {
      paid: (answer) => {
        this.onForeground();
        this.take(answer);
      },
      seen: (spin) => this.#record?.seen(spin),
      refresh: () => void this.refresh(),
      refused: (error) => this.hear(error),
    });
    makeAutoObservable<this, 'held'>(this, {
      resource: false,
      turn: observableRef,
      held: observableRef,
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

  /** Somebody looks at the wheel. */
  private get isWatched(): boolean {
    return this.#root.route.path === '/roulette';
  }

  private get open(): boolean {
    return !this.spinning && !this.closed && this.#root.settings.season === 'running';
  }

  private hear({ params }: ApiError): void {
    if (params.feature !== 'wheel') return;
    this.onForeground();
    this.closed = true;
    this.#reopening = setTimeout(() => this.onForeground(), closedFor);
  }

  onForeground(): void {
    clearTimeout(this.#reopening);
    this.closed = false;
  }

  /** A prize that is not taken yet comes before the next spin. */
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
    if (!this.open || !this.status || this.#root.ads.off || this.#root.ads.busy || this.adSpinDue)
      return false;
    return this.status.ad_spins > 0 && this.status.daily_spins < mostSpins;
  }

  /** What ads seen just now are about to bring leaves no room for another's. One that is late keeps from none. */
  get adSpinDue(): boolean {
    const { status } = this;
    const due = this.#root.ads.dueOf('spin');
    if (!status || due === 0 || status.ad_spins === 0 || status.daily_spins >= mostSpins) return false;
    return status.ad_spins <= due || status.daily_spins + due >= mostSpins;
  }

  /** As of before the spin while the wheel turns, like the streak. */
  get golden(): boolean {
    return (this.held?.status ?? this.status)?.is_golden_spin_available ?? false;
  }

  get streak(): number {
    return (this.held?.status ?? this.status)?.spin_streak ?? 0;
  }

  /** A golden spin can be had, or is under way. */
  private get goldenNow(): boolean {
    const { turn } = this;
    if (turn.is === 'asking') return this.golden || turn.golden;
    return this.golden || (turn.is === 'turning' && turn.spin.reward.is_golden);
  }

  /** Spec §2's Won MCBK, as of before the spin while the wheel turns. */
  get won(): number {
    return this.held?.won ?? this.#root.user.user?.stats.won_mcbk ?? 0;
  }

  /** Spec §2's Points MCBK, likewise. */
  get points(): number {
    return this.held?.points ?? this.#root.user.points;
  }

  /** Called once. */
  follow(): void {
    let timer: ReturnType<typeof setTimeout> | undefined;
    reaction(
      () => this.goldenNow,
      (golden) => {
        clearTimeout(timer);
        if (golden) this.setGolden(true);
        else timer = setTimeout(() => this.setGolden(false), afterglow);
      },
    );
  }

  private setGolden(golden: boolean): void {
    this.isGolden = golden;
  }

  /** Takes up the spin whose end this player has not seen. */
  start(player: number): void {
    const { storage, now } = this.#root.platform;
    this.#record = new UnshownSpin(storage, 'unshown_spin', player, now);
    this.resume();
  }

  resume(): void {
    if (!this.#record || this.busy) return;
    const unshown = this.#record.read();
    if (unshown.is === 'won') this.stopOn(unshown.spin);
    if (unshown.is === 'asked') void this.requestSpin(unshown.question, true);
  }

  /** True if this answer was taken. */
  load(): Promise<boolean> {
    return this.resource.load();
  }

  private take({ user, roulette, energy }: SpinClaimed): void {
    this.#root.user.take(user);
    this.resource.replace(roulette);
    if (this.#root.tap.count === 0) this.#root.energy.replace(energy); // else the answer to these taps brings it
  }

  async spin(golden: boolean): Promise<void> {
    const record = this.#record;
    if (!record || this.busy || !(golden ? this.canSpinGolden : this.canSpin)) return;
    const unshown = record.read();
    // A spin that may have been made comes first: another question would make another.
    if (unshown.is === 'asked') return this.requestSpin(unshown.question, true);
    // So does a prize that was not taken: asking would hide it.
    if (unshown.is === 'won') return this.stopOn(unshown.spin);
    const question = { golden, key: this.#root.platform.newId() };
    record.save(question);
    await this.requestSpin(question, false);
  }

  /** `mayHaveSpun`: asked before, without an answer. What comes by itself fails in silence. */
  private requestSpin = flow(function* (this: WheelStore, question: Question, mayHaveSpun: boolean) {
    const record = this.#record;
    this.turn = { is: 'asking', golden: question.golden };
    this.held = { won: this.won, points: this.points, status: this.status };
    const aloud = this.isWatched;
    let refusal: ApiError | null = null;
    for (const pause of pauses) {
      // Never in the task of the press, or of the last failure: a cheap phone has enough to draw in it.
      yield new Promise((later) => setTimeout(later, pause));
      try {
        const answer = yield* wait(this.#root.api.spin(question.golden, question.key));
        record?.won(answer);
        this.take(answer);
        this.run(answer);
        return;
      } catch (error) {
        refusal = asApiError(error);
        this.hear(refusal);
        if (!mayHaveHappened(refusal)) break;
        mayHaveSpun = true;
      }
    }
    if (!refusal) return;
    const unknown = mayHaveHappened(refusal);
    const kept = unknown || (mayHaveSpun && isRefusedEarly(refusal));
    if (!kept) record?.refused(question);
    if (!unknown) void this.refresh();
    this.rest();
    if (aloud)
      this.#root.toasts.show(kept ? 'info' : 'error', kept ? 'toast.spin_kept' : errorKey(refusal.code));
  });

  private rest(): void {
    this.turn = { is: 'resting' };
    this.held = null;
  }

  private run({ spin_id, status, reward }: Spin): void {
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
      this.stopOn(spin);
      return;
    }
    this.turn = { is: 'turning', spin, path, since: elapsed() };
    setTimeout(() => this.stopOn(spin), path.duration);
  }

  private stopOn(spin: Spin): void {
    this.rest();
    this.prize.bring(spin);
    setTimeout(() => this.#root.tasks.outdate()); // later than the wheel's stop, which is drawn first
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
    this.take(answer);
    const points = formatInteger(answer.bonus_points, answer.user.language);
    this.#root.toasts.show('success', 'toast.ad_spin', { points });
  });

  private async took(key: string) {
    try {
      return await this.#root.api.takeAdSpin(key);
    } catch (error) {
      this.hear(asApiError(error));
      throw error;
    }
  }

  private refresh(): Promise<unknown> {
    if (this.#root.tap.count === 0) void this.#root.energy.load();
    return Promise.all([this.load(), this.#root.user.refresh()]);
  }
}
