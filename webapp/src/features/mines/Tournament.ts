import { makeAutoObservable } from 'mobx';
import type { MineAnswer, MineLevel, MineResult, MinesStatus } from '../../api/types';
import type { RootStore } from '../../app/RootStore';
import { Resource } from '../../stores/Resource';
import { changesAt, staleAfterMs } from './schedule';

/** Digging stops, and what was dug is sent, so long before the end of a tournament or the season; milliseconds. */
const closingMs = 2000;
const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** The UTC day of a moment, days since 1970. */
const dayOf = (time: number): number => Math.floor(time / dayMs);

export const hasPrize = ({ prize_ton, prize_mcbk }: MineResult) => prize_ton > 0 || prize_mcbk > 0;

/** The tournament, and the player's mines in it, as the server knows them. */
export class Tournament {
  readonly resource: Resource<MinesStatus>;
  /** The server's time when the status was loaded; milliseconds since 1970. */
  private loadedAt = 0;
  /** The last UTC day on which the player is known to have dug; days since 1970. */
  private dugOn = 0;
  /** The tournament whose prize was celebrated. */
  #celebrated = 0;
  readonly #root: RootStore;

  constructor(root: RootStore) {
    this.#root = root;
    this.resource = new Resource(
      () => root.api.mines(),
      (status, before) => this.onLoad(status, before),
    );
    makeAutoObservable(this, { resource: false });
  }

  get status(): MinesStatus | null {
    return this.resource.value;
  }

  /** The highest mine of the player; null while they have none. */
  get top(): MineLevel | null {
    return this.status?.available_levels.findLast(({ unlocked }) => unlocked) ?? null;
  }

  /** The mine that can be bought next; null after the last. */
  get next(): MineLevel | null {
    return this.status?.available_levels.find(({ level }) => level === this.status?.can_unlock_next) ?? null;
  }

  owns(level: number): boolean {
    return this.status?.available_levels.some((mine) => mine.level === level && mine.unlocked) ?? false;
  }

  /** Ore can be dug, and mines bought. */
  get running(): boolean {
    return this.isOn();
  }

  /** `running` at this very moment: where that is observed it may be a second old. */
  isOn(): boolean {
    if (this.status?.tournament.status !== 'running') return false;
    const { clock, settings } = this.#root;
    return Math.min(settings.untilTurn, Date.parse(this.status.tournament.ends_at) - clock.now) > closingMs;
  }

  /** Milliseconds until the last sync before the energy is full again, or the tournament or the season ends. */
  untilLastSync(): number {
    if (!this.status) return Number.POSITIVE_INFINITY;
    const { clock, settings } = this.#root;
    const ends = [this.status.energy_info.full_at, this.status.tournament.ends_at].map(Date.parse);
    const left = ends.map((end) => end - clock.now).filter((time) => time > 0);
    return Math.min(settings.untilTurn, ...left) - closingMs;
  }

  /** Spec §2: without a mine there is nothing to upgrade yet. */
  get isBeginner(): boolean {
    return this.running && this.top === null;
  }

  /** The player sees the result instead of the mine. */
  get over(): boolean {
    const is = this.status?.tournament.status;
    return is === 'final' || is === 'awarded';
  }

  /** Whether the player sees what they won in this tournament for the first time since the game was opened. */
  celebrates(): boolean {
    const { status } = this;
    const result = status?.tournament.result;
    if (!status || !result || !hasPrize(result) || this.#celebrated === status.id) return false;
    this.#celebrated = status.id;
    return true;
  }

  /** Nobody digs any more, whether or not the result is known. */
  get ended(): boolean {
    return this.over || this.status?.tournament.status === 'closed';
  }

  /** Too few days are left to become a daily digger. */
  get tooLateForDaily(): boolean {
    if (!this.status) return false;
    const lastDay = dayOf(Date.parse(this.status.tournament.ends_at) - 1);
    return lastDay - dayOf(this.#root.clock.now) + 1 < this.status.rules.daily_days;
  }

  /**
   * Whether the player has dug on this UTC day. `null`: not known, since the status is of another day. Energy says nothing of
   * the day's earlier windows, so that `unknown` remains.
   */
  get dugToday(): 'yes' | 'no' | 'unknown' | null {
    const { status } = this;
    const { now } = this.#root.clock;
    const today = dayOf(now);
    if (!status || dayOf(this.loadedAt) !== today) return null;
    if (this.dugOn === today) return 'yes';
    const { full_at, current, max } = status.energy_info;
    const full = Date.parse(full_at);
    const isFirstWindow = full - status.rules.window_hours * hourMs === today * dayMs && now < full;
    return isFirstWindow && current === max ? 'no' : 'unknown';
  }

  /** How many refetches have been due since the status should have changed; -1 before. */
  get overdue(): number {
    if (!this.status) return -1;
    const since = this.#root.clock.now - changesAt(this.status, this.loadedAt);
    return Math.max(-1, Math.floor(since / staleAfterMs));
  }

  /** True if this answer was taken. */
  load(): Promise<boolean> {
    return this.resource.load();
  }

  private onLoad(status: MinesStatus, before: MinesStatus | null): void {
    if (status.id !== before?.id) this.dugOn = 0; // another tournament
    this.loadedAt = this.#root.clock.now;
    this.noteDay(status.energy_info);
  }

  /**
   * Takes the figures of a batch that was sent in the energy window which ends at `fullAt`. False if they are not, since nothing
   * counted, or another window may have begun, and been loaded, while the answer was on its way.
   */
  replace(answer: MineAnswer, fullAt: string | undefined): boolean {
    if (!this.status || answer.accepted === 0 || this.status.energy_info.full_at !== fullAt) return false;
    const energy_info = {
      ...this.status.energy_info,
      current: answer.current_energy,
      max: answer.max_energy,
    };
    const wasLoading = this.resource.replace({
      ...this.status,
      as_of: answer.as_of,
      tournament_mcbk: answer.total_mcbk,
      energy_info,
    });
    this.noteDay(this.status.energy_info);
    if (wasLoading) void this.load(); // the dropped answer may bring another mine
    return true;
  }

  /** An energy window lies within one UTC day. */
  private noteDay({ current, max, full_at }: MinesStatus['energy_info']): void {
    if (current < max) this.dugOn = dayOf(Date.parse(full_at) - 1);
  }
}
