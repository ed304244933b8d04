import { makeAutoObservable } from 'mobx';
import type { MineAnswer } from '../../api/types';
import type { RootStore } from '../../app/RootStore';
import { type Micro, toMicro } from '../../format';
import type { ErrorKey } from '../../i18n/errors';
import { TapCounter, type TapResult } from '../digging/TapCounter';
import type { TapOutbox } from '../digging/TapOutbox';
import { minesKey, TapStorage } from '../digging/TapStorage';
import type { MinersBoard } from './MinersBoard';
import type { Tournament } from './Tournament';

/** The contract: taps in one batch. No window has the energy for more. */
const batchLimit = 1000;

/** `locked`: the player has no mine yet. */
export type DigResult = TapResult | { is: 'locked' };

/** The state of the x2 for digging daily. `open`: whether they have dug today is unknown. `lost`: a day was missed. */
type Daily = 'kept' | 'due' | 'open' | 'lost';

/** What the player digs in the highest mine. */
export class MineDigging {
  readonly batches: TapOutbox<MineAnswer>;
  readonly counter: TapCounter<MineAnswer>;
  readonly #root: RootStore;
  readonly #tournament: Tournament;

  constructor(root: RootStore, tournament: Tournament, board: MinersBoard) {
    const { api, platform } = root;
    this.#root = root;
    this.#tournament = tournament;
    /** When the energy window ends in which the batch on its way was sent; undefined if that was not known. */
    let sentUntil: string | undefined;
    this.counter = new TapCounter({
      toasts: root.toasts,
      settings: root.settings,
      random: platform.random,
      elapsed: platform.elapsed,
      storageOf: (player) => new TapStorage(platform, minesKey, player, batchLimit),
      untilLastSync: () => tournament.untilLastSync(),
      isOpen: () => tournament.status === null || this.isOpen(),
      energy: () => {
        const { status } = tournament;
        return status && { current: status.energy_info.current, perTap: status.rules.energy_per_tap };
      },
      hasFailed: () => tournament.resource.state.is === 'failed',
      load: () => void tournament.load(),
      send: (batch) => {
        sentUntil = tournament.status?.energy_info.full_at;
        return api.dig(batch);
      },
      flushOnUnload: (batch) => root.flushOnUnload('/mines/mine', batch),
      counted: (answer) => {
        if (answer.accepted > 0) root.writeAccess.rewarded();
        const taken = tournament.replace(answer, sentUntil);
        if (taken) board.onDug();
        return taken;
      },
      refetch: () => tournament.load(),
      showSaving: () => root.tap.showSaving(),
      playerUnknown: () => void root.boot.load(),
    });
    this.batches = this.counter.outbox;
    makeAutoObservable(this);
  }

  /** Why nothing is dug or bought though the tournament runs; null where it is. */
  get closedMessage(): ErrorKey | null {
    const { season } = this.#root.settings; // it ends before a tournament that has begun late in it
    if (season !== 'running') return season === 'ahead' ? 'errors.season_not_started' : 'errors.season_over';
    return this.batches.closed ? 'errors.maintenance' : null;
  }

  /** At this very moment, where `running` and `closedMessage` may be a second old: what they let in at the end is never sent. */
  private isOpen(): boolean {
    return this.#tournament.isOn() && this.#root.settings.runs(0) && !this.batches.closed;
  }

  /** Null if it is unknown or not available. */
  get daily(): Daily | null {
    const { status, top, running, dugToday } = this.#tournament;
    if (!status || !top || !running || dugToday === null) return null;
    if (this.#root.settings.season !== 'running') return null;
    if (!status.tournament.daily_possible) return null; // begun too late
    if (!status.tournament.digs_daily) return 'lost';
    if (dugToday === 'yes') return 'kept';
    return dugToday === 'no' && this.batches.uncounted === 0 ? 'due' : 'open';
  }

  get canDig(): boolean {
    const { running, top } = this.#tournament;
    return running && this.closedMessage === null && top !== null && this.counter.hasEnergy;
  }

  /** Ore as the server knows it. */
  get confirmed(): Micro {
    return toMicro(this.#tournament.status?.tournament_mcbk ?? 0);
  }

  /** The same with what the unconfirmed taps will bring. */
  get dug(): Micro {
    return this.confirmed + this.counter.acceptable * toMicro(this.#tournament.top?.mcbk_per_tap ?? 0);
  }

  dig(): DigResult {
    if (this.batches.started && this.isOpen() && !this.#tournament.top) return { is: 'locked' };
    return this.counter.tap();
  }
}
