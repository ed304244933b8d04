import { flow, makeAutoObservable, observableRef, reaction } from 'mobx';
import { isFeatureOff } from '../../api/error';
import type { MineLevel } from '../../api/types';
import type { RootStore } from '../../app/RootStore';
import { wait } from '../../stores/wait';
import { nanotons } from '../market/amount';
import { type Stars, starsFor } from '../market/stars';
import type { Trade } from '../market/Trade';
import type { MineDigging } from './MineDigging';
import type { Tournament } from './Tournament';

/** Offers mines and orders them. */
export class MinePurchase {
  /** The stores that sell; null until their code has loaded. */
  trade: Trade | null = null;
  private checking = false;
  readonly #root: RootStore;
  readonly #tournament: Tournament;
  readonly #digging: MineDigging;

  constructor(root: RootStore, tournament: Tournament, digging: MineDigging) {
    this.#root = root;
    this.#tournament = tournament;
    this.#digging = digging;
    makeAutoObservable(this, { trade: observableRef });
  }

  /** A mine is being ordered. */
  get buying(): boolean {
    return this.checking || (this.trade?.orders.buying ?? false);
  }

  /** Mines are sold now. A mine is bought to be dug: outside the season no order is taken (decision 0037). */
  get sold(): boolean {
    const { status, running } = this.#tournament;
    if (this.trade?.market.closed || this.#digging.closedMessage !== null) return false;
    return running && status !== null && this.#root.clock.now < Date.parse(status.tournament.sales_end_at);
  }

  /** The button leads to a wallet: TON is paid with, and none is connected. */
  get needsWallet(): boolean {
    return this.trade ? this.trade.market.needsWallet : !this.#root.user.user?.wallet_address;
  }

  get inStars(): boolean {
    return this.trade?.market.inStars ?? false;
  }

  /** A mine's approximate price in Stars; null if TON is paid with. The server computes the exact one. */
  starsFor({ cost }: Pick<MineLevel, 'cost'>): Stars | null {
    const { market, prices } = this.trade ?? {};
    if (!market?.inStars || !market.starTerms || !prices?.rate || prices.rate.approximate) return null;
    return starsFor(nanotons(cost), prices.rate.usd, market.starTerms.usd);
  }

  /** An order of a mine that waits for its payment, or for an admin. */
  get order() {
    const order = this.trade?.orders.unsettled;
    return order?.kind === 'mine' ? order : null;
  }

  /** Opens the panel of mines, or offers the first one to a player without any. */
  openUpgrades(): void {
    if (this.#tournament.isBeginner) this.offer();
    else this.#root.modals.openSheet('mines');
  }

  /** Opens the offer of the next mine. */
  offer(): void {
    const { next } = this.#tournament;
    if (next) this.#root.modals.enqueue({ is: 'mine', level: next.level });
  }

  closeOffer(): void {
    this.#root.modals.close('mine');
  }

  /** Leads to the payment of a mine. Without a wallet one is connected first (spec §4), on this screen. */
  buy = flow(function* (this: MinePurchase, level: number) {
    const { modals, toasts } = this.#root;
    const { batches } = this.#digging;
    const offer = modals.find('mine');
    if (!offer) return;
    const isOffered = () => modals.find('mine') === offer; // else the player has closed it meanwhile
    // What was dug in this mine counts as this mine's ore, whenever the next one opens.
    if (!this.needsWallet) void batches.send();
    const trade = yield* wait(this.loadTrade());
    if (!isOffered()) return;
    if (!trade) {
      toasts.show('error', 'errors.offline');
      return;
    }
    if (this.needsWallet) {
      this.closeOffer();
      modals.closeSheet();
      void trade.connection.connect(true);
      return;
    }
    if (this.checking || trade.orders.isBusy) return;
    this.checking = true;
    yield this.#tournament.load(); // another page of the player may have bought it
    this.checking = false;
    if (this.#tournament.owns(level)) toasts.show('success', 'toast.mine_open');
    else if (!isOffered()) return;
    else if (yield* wait(trade.orders.buyMine(level, trade.market.currency, isOffered))) {
      if (isOffered()) this.closeOffer();
    } else if (!trade.orders.isBusy) {
      const { refusal } = trade.orders;
      if (refusal && isFeatureOff(refusal) && refusal.params.feature === 'mines') batches.close();
      void this.#tournament.load(); // the loaded status may be stale
    }
  });

  /** Null where the code could not be loaded. */
  loadTrade = flow(function* (this: MinePurchase) {
    if (this.trade) return this.trade;
    try {
      const trade = yield* wait(this.#root.loadTrade());
      if (!this.trade) {
        this.trade = trade;
        reaction(
          () => trade.orders.order?.kind === 'mine' && trade.orders.order.status,
          () => void this.#tournament.load(),
        );
      }
      return trade;
    } catch {
      return null;
    }
  });
}
