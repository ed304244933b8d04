import { flow, makeAutoObservable, observableRef, reaction } from 'mobx';
import type { Api } from '../../api/client';
import { type ApiError, asApiError } from '../../api/error';
import type { EnergyInfo, RouletteStatus, SpinClaimed } from '../../api/types';
import { count } from '../../format';
import { errorKey } from '../../i18n/errors';
import type { ModalStore } from '../../stores/ModalStore';
import type { SettingsStore } from '../../stores/SettingsStore';
import type { ToastStore } from '../../stores/ToastStore';
import { Turns } from '../../stores/Turns';
import type { UserStore } from '../../stores/UserStore';
import { wait } from '../../stores/wait';
import type { AdStore } from '../ads/AdStore';
import { PrizeStore } from './PrizeStore';
import { mostSpins, type Spin } from './prize';
import { type Path, pathTo, upright } from './turn';
import type { Question, UnshownSpin } from './unshown';

type Known = { is: 'loading' } | { is: 'known'; status: RouletteStatus } | { is: 'failed' };

/** `since` is when the wheel began to turn, by `elapsed`. */
type Turn =
  | { is: 'resting' }
  | { is: 'asking'; golden: boolean }
  | { is: 'turning'; spin: Spin; path: Path; since: number };

type Edges = {
  readonly newId: () => string;
  readonly random: () => number;
  /** Milliseconds that only ever grow. */
  readonly elapsed: () => number;
  /** The player asked for less motion. */
  readonly calm: () => boolean;
  /** Somebody looks at the wheel. */
  readonly watched: () => boolean;
  /** Opens the device's record of one player's last spin. */
  readonly unshownOf: (player: number) => UnshownSpin;
  /** Energy and level as of now; null where they must be asked for. */
  readonly energy: (info: EnergyInfo | null) => void;
  /** A spin is over, and with it tasks are further. */
  readonly spun: () => void;
};

/** Spec §9. */
export const mostAdSpins = 10;

/** Spec §4: how long the golden ground outlives the golden spin, in milliseconds. */
const afterglow = 1500;

/** Waits between the tries of one spin whose answer does not come, in milliseconds. */
const pauses = [0, 1000, 2000, 4000];
/** After these nobody knows whether the wheel was spun. */
const lost: readonly string[] = ['offline', 'try_again', 'overloaded', 'internal', 'request_in_progress'];
/** How long nothing is asked of a wheel that is switched off, in milliseconds. */
const closedFor = 60_000;
/** These are said before the server looks for an answer given before, and so is every 401. */
const atTheDoor: readonly string[] = ['rate_limited', 'maintenance'];

export class WheelStore {
  known: Known = { is: 'loading' };
  turn: Turn = { is: 'resting' };
  /** Where the wheel stands when it does not turn, in degrees. */
  angle = 0;
  /** The ground is golden. */
  gilded = false;
  /** An admin has switched the wheel off. Only what it refuses or does tells: after a minute, or a look at the page, it may be tried. */
  closed = false;
  private reopening: ReturnType<typeof setTimeout> | undefined;
  readonly prize: PrizeStore;

  /** What the screen goes on saying while the wheel turns: the figures may have the prize already. */
  private held: { won: number; points: number; status: RouletteStatus | null } | null = null;
  private record: UnshownSpin | null = null;
  private readonly turns = new Turns();

  constructor(
    private readonly api: Api,
    private readonly user: UserStore,
    private readonly settings: SettingsStore,
    modals: ModalStore,
    private readonly toasts: ToastStore,
    private readonly ads: AdStore,
    private readonly edges: Edges,
  ) {
    this.prize = new PrizeStore(api, user, modals, toasts, ads, {
      paid: (answer) => {
        this.wake();
        this.take(answer);
      },
      seen: (spin) => this.record?.seen(spin),
      refresh: () => void this.refresh(),
      refused: (error) => this.hear(error),
    });
    makeAutoObservable<
      this,
      'reopening' | 'held' | 'api' | 'user' | 'settings' | 'toasts' | 'ads' | 'edges' | 'record' | 'turns'
    >(this, {
      known: observableRef,
      turn: observableRef,
      held: observableRef,
      reopening: false,
      api: false,
      user: false,
      settings: false,
      prize: false,
      toasts: false,
      ads: false,
      edges: false,
      record: false,
      turns: false,
    });
  }

  get status(): RouletteStatus | null {
    return this.known.is === 'known' ? this.known.status : null;
  }

  /** Spec §4: blocks further spins. */
  get spinning(): boolean {
    return this.turn.is === 'asking' || this.turn.is === 'turning';
  }

  private get open(): boolean {
    return !this.spinning && !this.closed && this.settings.season === 'running';
  }

  private hear({ params }: ApiError): void {
    if (params.feature !== 'wheel') return;
    this.wake();
    this.closed = true;
    this.reopening = setTimeout(() => this.wake(), closedFor);
  }

  wake(): void {
    clearTimeout(this.reopening);
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
    if (!this.open || !this.status || this.ads.off || this.ads.busy || this.adSpinDue) return false;
    return this.status.ad_spins > 0 && this.status.daily_spins < mostSpins;
  }

  /** What ads seen just now are about to bring leaves no room for another's. One that is late keeps from none. */
  get adSpinDue(): boolean {
    const { status } = this;
    const due = this.ads.dueOf('spin');
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
    return this.held?.won ?? this.user.user?.stats.won_mcbk ?? 0;
  }

  /** Spec §2's Points MCBK, likewise. */
  get points(): number {
    return this.held?.points ?? this.user.points;
  }

  /** Called once. */
  follow(): void {
    let timer: ReturnType<typeof setTimeout> | undefined;
    reaction(
      () => this.goldenNow,
      (golden) => {
        clearTimeout(timer);
        if (golden) this.gild(true);
        else timer = setTimeout(() => this.gild(false), afterglow);
      },
    );
  }

  private gild(golden: boolean): void {
    this.gilded = golden;
  }

  /** Takes up the spin whose end this player has not seen. */
  start(player: number): void {
    this.record = this.edges.unshownOf(player);
    this.resume();
  }

  resume(): void {
    if (!this.record || this.busy) return;
    const unshown = this.record.read();
    if (unshown.is === 'won') this.stopOn(unshown.spin);
    if (unshown.is === 'asked') void this.ask(unshown.question, true);
  }

  /**
   * True if this answer was taken: it came, and nothing newer had. On failure what was known stays; with nothing known yet the
   * screen offers to try again.
   */
  load = flow(function* (this: WheelStore) {
    const asked = this.turns.next();
    if (this.known.is === 'failed') this.known = { is: 'loading' };
    try {
      const status = yield* wait(this.api.rouletteStatus());
      if (!this.turns.take(asked)) return false;
      this.known = { is: 'known', status };
      return true;
    } catch (error) {
      asApiError(error);
      if (this.turns.isLast(asked) && this.known.is === 'loading') this.known = { is: 'failed' };
      return false;
    }
  });

  /** An answer that moves spins tells more than whatever was asked for before. */
  private take({ user, roulette, energy }: SpinClaimed): void {
    this.user.takeFigures(user);
    this.turns.overtake();
    this.known = { is: 'known', status: roulette };
    this.edges.energy(energy);
  }

  async spin(golden: boolean): Promise<void> {
    const { record } = this;
    if (!record || this.busy || !(golden ? this.canSpinGolden : this.canSpin)) return;
    const unshown = record.read();
    // A spin that may have been made comes first: another question would make another.
    if (unshown.is === 'asked') return this.ask(unshown.question, true);
    // So does a prize that was not taken: asking would hide it.
    if (unshown.is === 'won') return this.stopOn(unshown.spin);
    const question = { golden, key: this.edges.newId() };
    record.ask(question);
    await this.ask(question, false);
  }

  /** `repeated`: asked before, so that the answer may be an old one. What comes by itself fails in silence. */
  private ask = flow(function* (this: WheelStore, question: Question, repeated: boolean) {
    const { record } = this;
    this.turn = { is: 'asking', golden: question.golden };
    this.held = { won: this.won, points: this.points, status: this.status };
    const aloud = this.edges.watched();
    let doubtful = repeated;
    let code = '';
    let early = false;
    for (const pause of pauses) {
      // Never in the task of the press, or of the last failure: a cheap phone has enough to draw in it.
      yield new Promise((later) => setTimeout(later, pause));
      try {
        const answer = yield* wait(this.api.spin(question.golden, question.key));
        record?.won(answer);
        if (doubtful) void this.refresh();
        else this.take(answer);
        this.run(answer);
        return;
      } catch (error) {
        const refusal = asApiError(error);
        code = refusal.code;
        early = refusal.status === 401 || atTheDoor.includes(code);
        this.hear(refusal);
        if (!lost.includes(code)) break;
        doubtful = true;
      }
    }
    const kept = lost.includes(code) || (doubtful && early);
    if (!kept) record?.refused(question);
    if (!lost.includes(code)) void this.refresh();
    this.rest();
    if (aloud) this.toasts.show(kept ? 'info' : 'error', kept ? 'toast.spin_kept' : errorKey(code));
  });

  private rest(): void {
    this.turn = { is: 'resting' };
    this.held = null;
  }

  private run({ spin_id, status, reward }: Spin): void {
    const spin = { spin_id, status, reward };
    const { random, calm, elapsed, watched } = this.edges;
    const path = pathTo({
      from: this.angle,
      segment: reward.segment,
      golden: reward.is_golden,
      calm: calm(),
      random,
    });
    this.angle = upright(path.to);
    if (!watched()) {
      this.stopOn(spin);
      return;
    }
    this.turn = { is: 'turning', spin, path, since: elapsed() };
    setTimeout(() => this.stopOn(spin), path.duration);
  }

  private stopOn(spin: Spin): void {
    this.rest();
    this.prize.bring(spin);
    setTimeout(() => this.edges.spun()); // later than the wheel's stop, which is drawn first
  }

  takeAdSpin(): Promise<unknown> {
    if (!this.canTakeAdSpin) return Promise.resolve();
    const key = this.edges.newId();
    return this.ads.watch({ purpose: 'spin', collect: (doubtful) => this.collectAdSpin(key, doubtful) });
  }

  private collectAdSpin = flow(function* (this: WheelStore, key: string, doubtful: boolean) {
    const answer = yield* wait(this.took(key));
    this.wake();
    if (doubtful) void this.refresh();
    else this.take(answer);
    const points = count(answer.bonus_points, answer.user.language);
    this.toasts.show('success', 'toast.ad_spin', { points });
  });

  private async took(key: string) {
    try {
      return await this.api.takeAdSpin(key);
    } catch (error) {
      this.hear(asApiError(error));
      throw error;
    }
  }

  private refresh(): Promise<unknown> {
    this.edges.energy(null);
    return Promise.all([this.load(), this.user.refresh()]);
  }
}
