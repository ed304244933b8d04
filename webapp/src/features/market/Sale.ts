import { reaction } from 'mobx';
import type { Api } from '../../api/client';
import type { Box } from '../../storage';
import type { Clock } from '../../stores/Clock';
import type { ModalStore } from '../../stores/ModalStore';
import type { RouteStore } from '../../stores/RouteStore';
import type { ShellStore } from '../../stores/ShellStore';
import type { ToastStore } from '../../stores/ToastStore';
import type { UserStore } from '../../stores/UserStore';
import { DiscountStore } from '../discount/DiscountStore';
import { MarketStore } from './MarketStore';
import { OrderStore } from './OrderStore';
import { PriceStore } from './PriceStore';

/** What buying coins needs of the rest of the game. */
export type Neighbours = {
  readonly api: Api;
  readonly user: UserStore;
  readonly clock: Clock;
  readonly modals: ModalStore;
  readonly toasts: ToastStore;
  readonly route: RouteStore;
  readonly shell: ShellStore;
  readonly box: Box;
  readonly newId: () => string;
  /** Opens a page outside of the game. */
  readonly open: (link: string) => void;
  /** The player has coins they had not. */
  readonly rewarded: () => void;
  /** Puts a text where the player can paste it from; false if the device does not let us. */
  readonly copy: (text: string) => Promise<boolean>;
};

/** Everything about buying coins. Its code is no part of the first screen's: RootStore fetches it when it is wanted. */
export class Sale {
  readonly prices: PriceStore;
  readonly orders: OrderStore;
  readonly market: MarketStore;
  readonly discount: DiscountStore;

  constructor(private readonly near: Neighbours) {
    const { api, user, clock, modals, toasts } = near;
    this.prices = new PriceStore(api, clock);
    this.orders = new OrderStore(api, user, modals, toasts, {
      newId: near.newId,
      open: near.open,
      rewarded: near.rewarded,
      walletApp: () => this.market.walletApp,
      refused: () => {
        void this.prices.loadTon();
        void this.market.loadConfig();
      },
    });
    const { prices, orders } = this;
    this.market = new MarketStore(api, user, prices, orders);
    this.discount = new DiscountStore({ ...near, prices, orders, market: this.market });
  }

  /** Ties the stores to the rest of the game. Called once. */
  start(): void {
    const { route, shell, modals } = this.near;
    const here = () => route.path === '/market' && shell.shell.is === 'ready';
    reaction(
      here,
      (entered) => {
        if (entered) this.market.enter();
      },
      { fireImmediately: true },
    );
    reaction(
      () => here() || modals.holds('discount'),
      (looked) => (looked ? this.prices.watch() : this.prices.leave()),
      { fireImmediately: true },
    );
    reaction(
      () => modals.holds('discount') && this.discount.endsAt === null,
      (over) => {
        if (over) this.discount.close();
      },
    );
    reaction(
      () => this.orders.shown,
      () => this.orders.turned(),
    );
    document.addEventListener('visibilitychange', () => {
      if (document.visibilityState === 'hidden') return;
      this.prices.wake();
      this.orders.wake();
    });
  }

  async copy(text: string): Promise<void> {
    const { toasts, copy } = this.near;
    if (await copy(text)) toasts.show('success', 'toast.copied');
    else toasts.show('info', 'toast.copy_failed');
  }
}
