import { flow, makeAutoObservable, observableRef } from 'mobx';
import type { Settings } from '../api/types';
import type { RootStore } from '../app/RootStore';
import { wait } from './wait';

/** Nothing is earned before the season's first moment, and from its end on. */
export type Season = 'ahead' | 'running' | 'over';

const day = 86_400_000;

/** The state of the 90-day season. */
export class SettingsStore {
  settings: Settings | null = null;

  readonly #root: RootStore;

  constructor(root: RootStore) {
    this.#root = root;
    makeAutoObservable(this, { settings: observableRef, untilTurn: false });
  }

  /** When day 1 began or begins; milliseconds since 1970. */
  get startsAt(): number {
    return this.settings ? Date.parse(this.settings.start_date) : Number.NaN;
  }

  private get endsAt(): number {
    return this.startsAt + (this.settings?.total_days ?? 0) * day;
  }

  private at(moment: number): Season {
    if (moment < this.startsAt) return 'ahead';
    return moment >= this.endsAt ? 'over' : 'running';
  }

  /** By the server's clock, to the second; `running` until loaded. */
  get season(): Season {
    return this.at(this.#root.clock.now);
  }

  /** It runs, and will so long from now, milliseconds: at this very moment, where `season` may be a second old. */
  runs(longer: number): boolean {
    const { now } = this.#root.clock;
    return this.at(now) === 'running' && this.at(now + longer) === 'running';
  }

  /** The season was running at the last load. */
  get wasRunning(): boolean {
    return this.settings !== null && this.at(Date.parse(this.settings.server_time)) === 'running';
  }

  /** Milliseconds until the season starts or ends; infinite after it. */
  get untilTurn(): number {
    const { now } = this.#root.clock;
    const boundaries = [this.startsAt, this.endsAt].filter((moment) => moment > now);
    return Math.min(...boundaries) - now;
  }

  /** The day of the season, from 1; it changes at the season's hour of start. NaN until loaded. */
  get day(): number {
    const begun = Math.floor((this.#root.clock.now - this.startsAt) / day) + 1;
    return Math.max(1, Math.min(begun, this.settings?.total_days ?? 1));
  }

  /** UTC days left of the season, today's included; infinite until loaded. */
  get daysLeft(): number {
    if (!this.settings) return Number.POSITIVE_INFINITY;
    if (this.season === 'over') return 0;
    return Math.ceil((this.endsAt - this.#root.clock.dayStart) / day);
  }

  /** The next UTC day brings something: it is a day of the season. */
  get tomorrow(): boolean {
    return this.at(this.#root.clock.dayStart + day) === 'running';
  }

  load = flow(function* (this: SettingsStore) {
    this.settings = yield* wait(this.setClock());
  });

  /** Loads the server's time alone; the settings stay. */
  setClock = flow(function* (this: SettingsStore) {
    const { api, clock, platform } = this.#root;
    const requestedAt = platform.now();
    const settings = yield* wait(api.settings());
    clock.set(settings.server_time, requestedAt, platform.now());
    return settings;
  });
}
