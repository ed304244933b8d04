import { flow, makeAutoObservable, observableRef, reaction } from 'mobx';
import { asApiError, ofOnePart, outOfSeason } from '../../api/error';
import type { MineAnswer, MineLevel, Miner, MinesStatus } from '../../api/types';
import type { RootStore } from '../../app/RootStore';
import { type Micro, toMicro } from '../../format';
import type { ErrorKey } from '../../i18n/errors';
import { Pages } from '../../stores/Pages';
import { RequestSequence } from '../../stores/RequestSequence';
import { isSeen } from '../../stores/seen';
import { wait } from '../../stores/wait';
import { enough, failure, TapOutbox } from '../digging/TapOutbox';
import { TapStorage } from '../digging/TapStorage';
import type { Trade } from '../market/Trade';
import { debounce, type Tap } from '../tap/TapStore';
import {
  changesAt,
  dayOf,
  isDayUntouched,
  isOn,
  isTooLateForDaily,
  spread,
  staleAfterMs,
  timeToSend,
} from './tournament';

/** The contract: taps in one batch. No window has the energy for more. */
const batchLimit = 1000;
/** How old the leaderboard may get while somebody looks, milliseconds. */
const fresh = 60_000;

/** What became of a touch on the ore. `locked`: the player has no mine yet. */
type Dig = Tap | { is: 'locked' };

/**
 * How the player stands as a daily digger. `kept`: no day is missing, nor is today. `due`: today still is. `open`: nobody told whether
 * it is. `lost`: a day is missing.
 */
type Daily = 'kept' | 'due' | 'open' | 'lost';

type StatusState = { is: 'loading' } | { is: 'known'; status: MinesStatus } | { is: 'failed'; code: string };

/** The mines of the player and what they dig in them. Made when somebody looks into them, or left ore on the way. */
export class Mines {
  loaded: StatusState = { is: 'loading' };
  readonly batches: TapOutbox<MineAnswer>;
  readonly miners: Pages<Miner>;
  /** The player among the miners; null until told. */
  me: Miner | null = null;
  /** Where a mine's order is; null until its code has come. */
  trade: Trade | null = null;
  /** Spec §8's 'Not enough energy', until the next dig that counts. */
  private refused = false;
  private lastDig = Number.NEGATIVE_INFINITY;
  private entered = false;
  private readonly requests = new RequestSequence();
  /** Those of the requests for the leaderboard. */
  private readonly compares = new RequestSequence();
  /** The player looks at the leaderboard. */
  private compared = false;
  private checking = false;
  /** The server's time when it told the status; milliseconds since 1970. */
  private loadedAt = 0;
  /** The last UTC day of which it is known that they dug on it; days since 1970. */
  private dugOn = 0;
  /** When the window of energy ends in which the batch on its way was sent; undefined if that was not known. */
  private digsIn: string | undefined;

  constructor(
    private readonly root: RootStore,
    record: string,
  ) {
    const { api, toasts, platform } = root;
    this.batches = new TapOutbox({
      random: platform.random,
      left: () => {
        const { status } = this;
        return status
          ? timeToSend(status, root.clock.now, root.settings.untilTurn)
          : Number.POSITIVE_INFINITY;
      },
      storageOf: (player) =>
        new TapStorage(platform.storage, record, player, batchLimit, platform.newId, platform.now),
      send: (batch) => {
        this.digsIn = this.status?.energy_info.full_at;
        return api.dig(batch);
      },
      flushOnUnload: (batch) => root.flushOnUnload('/mines/mine', batch),
      counted: (answer, isReplay) => this.count(answer, isReplay),
      failed: (error) => toasts.show('error', failure(error)),
      dropped: (error) => {
        if (error.code === 'not_found') void root.load();
        if (outOfSeason(error)) root.settings.load().catch(asApiError);
      },
      refresh: () => this.load(),
    });
    this.miners = new Pages({ fetchPage: () => this.best(), keyOf: minerKey, size: 100 });
    makeAutoObservable<
      this,
      'root' | 'refused' | 'lastDig' | 'entered' | 'requests' | 'compares' | 'compared' | 'digsIn' | 'best'
    >(this, {
      loaded: observableRef,
      me: observableRef,
      trade: observableRef,
      batches: false,
      miners: false,
      root: false,
      refused: false,
      lastDig: false,
      entered: false,
      requests: false,
      compares: false,
      compared: false,
      digsIn: false,
      best: false,
    });
  }

  /** Ties the mines to the rest of the game. Called once. */
  start(): void {
    const { root, batches } = this;
    reaction(
      () => root.user.user?.id,
      (player) => {
        if (player !== undefined) batches.start(player);
      },
      { fireImmediately: true },
    );
    reaction(
      () => root.shell.ready && root.user.user?.age_consent_accepted === true,
      (playing) => {
        if (playing) batches.resume();
      },
      { fireImmediately: true },
    );
    reaction(
      () => root.on('/mines'),
      (here) => {
        if (here) this.enter();
        else this.leave();
      },
      { fireImmediately: true },
    );
    reaction(
      () =>
        this.status && root.on('/mines')
          ? Math.floor((root.clock.now - changesAt(this.status, this.loadedAt)) / staleAfterMs)
          : -1,
      (overdue) => {
        if (overdue >= 0 && isSeen()) setTimeout(() => void this.load(), root.platform.random() * spread);
      },
    );
    reaction(
      () => this.over, // the result has neither panel nor offer
      (over) => {
        if (!over) return;
        this.closeOffer();
        if (root.modals.sheet === 'mines') root.modals.closeSheet();
      },
    );
    reaction(
      () => root.modals.shown?.is === 'mine' && this.owns(root.modals.shown.level),
      (open) => {
        if (open) this.closeOffer(); // another page of the player has bought it
      },
    );
    reaction(
      () => this.loaded.is,
      (is) => {
        // The panel was opened before anybody knew that the player has no mine.
        if (is !== 'known' || root.modals.sheet !== 'mines' || !this.beginner) return;
        root.modals.closeSheet();
        this.offer();
      },
    );
    // The bag asks for the same, and knows nothing of the mines: whoever waits last decides.
    reaction(
      () => [root.tap.batches, batches].map(({ unsaved }) => unsaved).join(),
      (unsaved) => root.platform.host.confirmClosing(unsaved.includes('true')),
    );
    document.addEventListener('visibilitychange', () => {
      if (!isSeen()) batches.flushOnUnload();
      else this.onForeground();
    });
    window.addEventListener('pagehide', () => batches.flushOnUnload());
    window.addEventListener('online', () => this.onForeground());
    window.addEventListener('storage', () => batches.reread());
  }

  get status(): MinesStatus | null {
    return this.loaded.is === 'known' ? this.loaded.status : null;
  }

  /** The highest mine of the player; null while they have none. */
  get top(): MineLevel | null {
    return this.status?.available_levels.findLast(({ unlocked }) => unlocked) ?? null;
  }

  /** A mine is being ordered. */
  get buying(): boolean {
    return this.checking || (this.trade?.orders.buying ?? false);
  }

  private owns(level: number): boolean {
    return this.status?.available_levels.some((mine) => mine.level === level && mine.unlocked) ?? false;
  }

  /** The mine that can be bought next; null behind the last. */
  get next(): MineLevel | null {
    return this.status?.available_levels.find(({ level }) => level === this.status?.can_unlock_next) ?? null;
  }

  /** Ore can be dug, and mines bought. */
  get running(): boolean {
    return this.status !== null && isOn(this.status, this.root.clock.now, this.root.settings.untilTurn);
  }

  /** The season ends before a tournament that has begun late in it. */
  private get outOfSeason(): boolean {
    return this.root.settings.season !== 'running';
  }

  /** Why nothing is dug or bought though the tournament runs; null where it is. */
  get closedWords(): ErrorKey | null {
    if (this.outOfSeason)
      return this.root.settings.season === 'ahead' ? 'errors.season_not_started' : 'errors.season_over';
    return this.batches.closed ? 'errors.maintenance' : null;
  }

  /** The player sees what came of the tournament instead of the mine. */
  get over(): boolean {
    const is = this.status?.tournament.status;
    return is === 'final' || is === 'awarded';
  }

  /** Nobody digs in it any more, whether or not its ore is counted. */
  get ended(): boolean {
    return this.over || this.status?.tournament.status === 'closed';
  }

  /** Too few days are left for who begins now to become a daily digger. */
  get tooLateForDaily(): boolean {
    return this.status !== null && isTooLateForDaily(this.status, this.root.clock.now);
  }

  /** Null while it is not known of this day, nobody digs, or it cannot be had any more. */
  get daily(): Daily | null {
    const { status, root } = this;
    if (!status || !this.top || !this.running || this.outOfSeason) return null;
    const { now } = root.clock;
    const today = dayOf(now);
    if (dayOf(this.loadedAt) !== today) return null;
    if (!status.tournament.daily_possible) return null; // begun too late
    if (!status.tournament.digs_daily) return 'lost';
    if (this.dugOn === today) return 'kept';
    // The energy tells nothing of a day's windows before this one.
    return isDayUntouched(status, now) && this.batches.uncounted === 0 ? 'due' : 'open';
  }

  /** Mines are sold now. A mine is bought to be dug: outside the season, when nobody may, no order is taken (decision 0037). */
  get sold(): boolean {
    const { status, root } = this;
    if (this.trade?.market.closed || this.closedWords !== null) return false;
    return this.running && status !== null && root.clock.now < Date.parse(status.tournament.sales_end_at);
  }

  get connected(): boolean {
    return Boolean(this.root.user.user?.wallet_address);
  }

  /** Prizes in TON go to a wallet that the player has proven theirs. */
  get proven(): boolean {
    return this.root.user.user?.wallet_proven === true;
  }

  /** An order of a mine that waits for its payment, or for an admin. */
  get order() {
    const order = this.trade?.orders.unsettled;
    return order?.kind === 'mine' ? order : null;
  }

  /** Energy left after the unconfirmed taps. */
  get energyLeft(): number {
    const { status } = this;
    if (!status) return 0;
    return Math.max(0, status.energy_info.current - this.batches.uncounted * status.rules.energy_per_tap);
  }

  /** There is energy for one more dig. */
  private get charged(): boolean {
    const { status } = this;
    return status !== null && this.energyLeft >= status.rules.energy_per_tap;
  }

  get canDig(): boolean {
    return this.running && this.closedWords === null && this.top !== null && this.charged;
  }

  /** Ore as the server knows it. */
  get confirmed(): Micro {
    return this.status ? toMicro(this.status.tournament_mcbk) : 0;
  }

  /** The same with what is still on its way, of which the server takes no more than there is energy for. */
  get dug(): Micro {
    const { status, top } = this;
    if (!status || !top) return this.confirmed;
    const most = Math.floor(status.energy_info.current / status.rules.energy_per_tap);
    return this.confirmed + Math.min(this.batches.uncounted, most) * toMicro(top.mcbk_per_tap);
  }

  dig(): Dig {
    const { batches, root, status } = this;
    if (!batches.started || !status) {
      if (this.loaded.is === 'failed') void this.load();
      return { is: 'not ready' };
    }
    // `running` and `closedWords` are old where they are drawn: what they let in at the end is never sent.
    const { clock, settings } = root;
    const on = isOn(status, clock.now, settings.untilTurn) && settings.runs(0);
    if (!on || batches.closed) return { is: 'not ready' };
    if (!this.top) {
      this.offer();
      return { is: 'locked' };
    }
    const now = root.platform.elapsed();
    if (now - this.lastDig < debounce) return { is: 'too soon' };
    this.lastDig = now;
    if (!this.charged) {
      const first = !this.refused;
      if (first) root.toasts.show('info', 'errors.no_energy');
      this.refused = true;
      if (batches.count > 0) void batches.send();
      else if (first) void this.load();
      return { is: 'no energy', first };
    }
    this.refused = false;
    batches.add();
    if (!this.charged || batches.pending.pending >= enough) void batches.send();
    return { is: 'counted' };
  }

  /** The panel of mines. To who is known to have none the first is offered instead, at once or as soon as it is known. */
  openUpgrades(): void {
    if (this.beginner) this.offer();
    else this.root.modals.openSheet('mines');
  }

  /** Spec §2: without a mine there is nothing to upgrade yet. */
  private get beginner(): boolean {
    return this.running && this.top === null;
  }

  /** Asks whether the player wants the next mine. */
  offer(): void {
    if (this.next) this.root.modals.enqueue({ is: 'mine', level: this.next.level });
  }

  closeOffer(): void {
    this.root.modals.close('mine');
  }

  /** Leads to the payment of a mine. Who has no wallet connects one first (spec §4), and stays here. */
  buy = flow(function* (this: Mines, level: number) {
    const { modals } = this.root;
    const pressed = modals.held('mine');
    if (!pressed) return;
    const wanted = () => modals.held('mine') === pressed; // else they have thought better of it
    // What was dug in this mine counts as this mine's ore, whenever the next one opens.
    if (this.connected) void this.batches.send();
    const trade = yield* wait(this.openTrade());
    if (!wanted()) return;
    if (!trade) {
      this.root.toasts.show('error', 'errors.offline');
      return;
    }
    if (!this.connected) {
      this.closeOffer();
      modals.closeSheet();
      void trade.wallet.connect(true);
      return;
    }
    if (this.checking || trade.orders.taken) return;
    this.checking = true;
    yield this.load(); // another page of the player may have bought it
    this.checking = false;
    if (this.owns(level)) this.root.toasts.show('success', 'toast.mine_open');
    else if (!wanted()) return;
    else if (yield* wait(trade.orders.buyMine(level, wanted))) {
      if (wanted()) this.closeOffer();
    } else if (!trade.orders.taken) {
      const { refusal } = trade.orders;
      if (refusal && ofOnePart(refusal) && refusal.params.feature === 'mines') this.batches.close();
      void this.load(); // what we know of the tournament may be old
    }
  });

  /** True if this answer was taken: it came, and nothing newer had. */
  load = flow(function* (this: Mines) {
    const turn = this.requests.next();
    if (this.loaded.is === 'failed') this.loaded = { is: 'loading' };
    try {
      const status = yield* wait(this.root.api.mines());
      if (!this.requests.accept(turn)) return false;
      this.know(status);
      return true;
    } catch (error) {
      const { code } = asApiError(error);
      if (this.requests.isLast(turn) && this.loaded.is === 'loading') this.loaded = { is: 'failed', code };
      return false;
    }
  });

  /** The leaderboard is looked at, until the answer is called: it is kept fresh, and soon has what was dug just before. */
  compare(): () => void {
    this.refetch();
    this.compared = true;
    const refresh = setInterval(() => {
      if (isSeen()) void this.miners.load();
    }, fresh);
    return () => {
      this.compared = false;
      clearInterval(refresh);
    };
  }

  /** Leaderboard and rules open. */
  refetch(): void {
    void this.load();
    void this.miners.load();
  }

  private enter(): void {
    this.entered = true;
    this.batches.reread();
    if (this.batches.count === 0 || !this.status) void this.load();
    this.batches.resume();
    void this.openTrade().then((trade) => {
      void trade?.orders.find();
      void trade?.market.loadConfig();
    });
  }

  private leave(): void {
    if (!this.entered) return;
    this.entered = false;
    this.refused = false;
    this.closeOffer();
    if (this.batches.count === 0) return;
    this.root.tap.showSaving();
    void this.batches.send();
  }

  private onForeground(): void {
    this.batches.onForeground();
    if (!this.root.on('/mines')) return;
    if (this.batches.count === 0) void this.load();
    void this.trade?.market.loadConfig(); // sales may be open again
  }

  /** The stores that sell; null where their code did not come. */
  private openTrade = flow(function* (this: Mines) {
    if (this.trade) return this.trade;
    try {
      const trade = yield* wait(this.root.loadTrade());
      if (!this.trade) {
        this.trade = trade;
        reaction(
          () => trade.orders.order?.kind === 'mine' && trade.orders.order.status,
          () => void this.load(),
        );
      }
      return trade;
    } catch {
      return null;
    }
  });

  private async best() {
    const turn = this.compares.next();
    const { leaderboard, me } = await this.root.api.miners();
    this.found(me, turn);
    return { rows: leaderboard, hasMore: false };
  }

  private found(me: Miner, turn: number): void {
    if (this.compares.accept(turn)) this.me = me;
  }

  /** Whether the answer is of the window that is known: another may have begun, and been loaded, while it was on its way. */
  private count(
    { accepted, total_mcbk, current_energy, max_energy }: MineAnswer,
    isReplay: boolean,
  ): boolean {
    if (accepted > 0) this.root.writeAccess.rewarded();
    if (!this.status) return false;
    const energy_info = { ...this.status.energy_info, current: current_energy, max: max_energy };
    if (this.digsIn !== energy_info.full_at) return false;
    const overtaken = this.requests.supersede();
    this.loaded = { is: 'known', status: { ...this.status, tournament_mcbk: total_mcbk, energy_info } };
    if (!isReplay) this.noteDay(energy_info);
    if (overtaken) void this.load(); // what is not believed may tell of another mine
    if (this.compared) void this.miners.load();
    return true;
  }

  private know(status: MinesStatus): void {
    if (status.id !== this.status?.id) this.dugOn = 0; // another tournament
    this.loadedAt = this.root.clock.now;
    this.loaded = { is: 'known', status };
    this.noteDay(status.energy_info);
  }

  /** Energy that is gone was dug with in its window, which lies within a UTC day. */
  private noteDay({ current, max, full_at }: MinesStatus['energy_info']): void {
    if (current < max) this.dugOn = dayOf(Date.parse(full_at) - 1);
  }
}

export const minerKey = (miner: Miner): number => miner.user.id;
