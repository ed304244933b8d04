import { reaction } from 'mobx';
import { use } from 'react';
import type { Api } from '../../api/client';
import { useRoot } from '../../app/RootContext';
import type { KeyValueStorage } from '../../storage';
import type { Clock } from '../../stores/Clock';
import type { ModalStore } from '../../stores/ModalStore';
import { isVisible, onPage } from '../../stores/PageLifecycle';
import type { RouteStore } from '../../stores/RouteStore';
import type { ShellStore } from '../../stores/ShellStore';
import type { ToastStore } from '../../stores/ToastStore';
import type { UserStore } from '../../stores/UserStore';
import type { Options, WalletApp } from '../../wallet';
import { DiscountStore } from '../discount/DiscountStore';
import { HistoryStore } from '../wallet/HistoryStore';
import { ServerWallet } from '../wallet/ServerWallet';
import { WalletConnection } from '../wallet/WalletConnection';
import { WalletPayments } from '../wallet/WalletPayments';
import { MarketStore } from './MarketStore';
import { OrderStore } from './OrderStore';
import { PriceStore } from './PriceStore';

/** What buying coins needs of the rest of the game. */
export type Deps = {
  readonly api: Api;
  readonly user: UserStore;
  readonly clock: Clock;
  readonly modals: ModalStore;
  readonly toasts: ToastStore;
  readonly route: RouteStore;
  readonly shell: ShellStore;
  readonly box: KeyValueStorage;
  readonly newId: () => string;
  /** Speaks to wallet apps; its code is fetched when it is first wanted. */
  readonly openWallet: (options: Options) => Promise<WalletApp>;
  /** The name that a list of wallets gives an app; rejects without one. */
  readonly walletName: (list: string, app: string) => Promise<string>;
  /** Opens a page outside of the game. */
  readonly open: (link: string) => void;
  /** The player has coins they had not. */
  readonly rewarded: () => void;
  /** Puts a text where the player can paste it from; false if the device does not let us. */
  readonly copy: (text: string) => Promise<boolean>;
};

/** How often who finds sales closed asks whether they are open again, milliseconds. */
const rest = 60_000;

/** Everything about buying coins, and the wallet they are bought with. Its code is no part of the first screen's: RootStore fetches it when it is wanted. */
export class Trade {
  readonly prices: PriceStore;
  readonly orders: OrderStore;
  readonly market: MarketStore;
  readonly discount: DiscountStore;
  readonly connection: WalletConnection;
  readonly wallet: ServerWallet;
  readonly payments: WalletPayments;
  readonly history: HistoryStore;

  constructor(private readonly deps: Deps) {
    const { api, user, clock, modals, toasts } = deps;
    this.prices = new PriceStore(api, clock);
    this.orders = new OrderStore(api, user, modals, toasts, {
      newId: deps.newId,
      now: () => clock.now,
      open: deps.open,
      pay: (order) => {
        const { wallet, payments, market } = this;
        if (payments.sent.includes(order.id)) return;
        // Who has a wallet connected here is asked in it; everybody else is led to their wallet app by the link.
        if (wallet.live) void payments.pay(order);
        else {
          toasts.show('success', 'toast.link_created', { wallet: market.walletApp });
          deps.open(order.paymentLink);
        }
      },
      unconnected: () => void this.connection.connect(true),
      hasSent: (id) => this.payments.sent.includes(id),
      unpaid: (id) => this.payments.unpaid(id),
      letGo: () => {
        // In an offer, and in the mines, the button now leads to a wallet; elsewhere they want something else by now.
        const over = modals.shown !== null || modals.sheet !== 'none';
        if (deps.route.path === '/market' && !over) void this.connection.connect(true);
      },
      rewarded: () => {
        deps.rewarded();
        void this.prices.loadInfo(); // its coins count towards the goal of all players
        void this.wallet.balance.load(); // it has paid
        // Who reads it may have scrolled on: it is not cut to its first page before they close it.
        if (deps.route.path === '/wallet' && modals.sheet !== 'history') this.history.refresh();
      },
      refused: () => {
        void this.prices.loadTon();
        void this.market.loadConfig(true);
      },
    });
    const { prices, orders } = this;
    this.connection = new WalletConnection({
      ...deps,
      config: async () => this.market.config ?? (await this.market.loadConfig()),
      cover: (close) => modals.coverBy(close),
      isSaving: () => this.wallet.saving,
      onRestored: (account) => this.wallet.onRestored(account),
      onConnected: (account) => void this.wallet.onConnected(account),
      onDisconnected: (account) => void this.wallet.onDisconnected(account),
    });
    const { connection } = this;
    this.wallet = new ServerWallet(deps, connection);
    const { wallet } = this;
    this.payments = new WalletPayments(deps, connection, wallet);
    this.market = new MarketStore(api, user, prices, orders, wallet, deps.walletName);
    this.discount = new DiscountStore({ ...deps, prices, orders, connection, market: this.market });
    this.history = new HistoryStore(api);
  }

  /** Ties the stores to the rest of the game. Called once. */
  start(): void {
    const { route, shell, modals, user } = this.deps;
    const on = (path: string) => route.path === path && shell.ready;
    const here = () => on('/market');
    const purse = () => on('/wallet');
    /** Where the wallet matters. From one screen to another its balance is loaded anew. */
    const walletAt = () =>
      here() || purse() || on('/mines') ? route.path : modals.holds('discount') || this.orders.shown;
    this.payments.start();
    reaction(
      here,
      (entered) => {
        if (entered) this.market.enter();
      },
      { fireImmediately: true },
    );
    reaction(
      walletAt,
      (entered) => {
        if (entered) this.wallet.enter();
        else this.wallet.balance.leave();
      },
      { fireImmediately: true },
    );
    reaction(
      () => purse() && modals.sheet !== 'history',
      (looked) => {
        if (looked) this.history.refresh();
      },
      { fireImmediately: true },
    );
    reaction(
      () => modals.sheet === 'wallet' && this.wallet.address === null,
      (gone) => {
        if (gone) modals.closeSheet();
      },
    );
    reaction(
      () => user.user?.language,
      () => this.connection.setLanguage(),
    );
    reaction(
      () => here() || purse() || modals.holds('discount'),
      (looked) => (looked ? this.prices.watch() : this.prices.leave()),
      { fireImmediately: true },
    );
    let reopening: ReturnType<typeof setInterval> | undefined;
    reaction(
      () => (here() || on('/mines')) && this.market.closed,
      (closed) => {
        clearInterval(reopening);
        if (!closed) return;
        reopening = setInterval(() => {
          if (isVisible()) void this.market.loadConfig();
        }, rest);
      },
      { fireImmediately: true },
    );
    reaction(
      () => modals.holds('discount') && (this.discount.endsAt === null || this.market.closed),
      (over) => {
        if (over) this.discount.close();
      },
    );
    reaction(
      () => this.orders.shown,
      () => this.orders.turned(),
    );
    onPage('foreground', () => {
      this.prices.onForeground();
      this.orders.onForeground();
      if (here()) void this.market.loadConfig(); // sales may be open again
      // They may come back from their wallet app, and have put TON into it.
      if (walletAt()) this.wallet.enter();
    });
    onPage('online', () => this.wallet.balance.onForeground());
  }

  /** Whether the device let us: else the player is told to mark the text, which must then be there to be marked. */
  async copy(text: string, done: 'toast.copied' | 'toast.address_copied' = 'toast.copied'): Promise<boolean> {
    const { toasts, copy } = this.deps;
    const copied = await copy(text);
    if (copied) toasts.show('success', done);
    else toasts.show('info', 'toast.copy_failed');
    return copied;
  }
}

/** Suspends what is rendered until the stores are there. */
export function useTrade(): Trade {
  return use(useRoot().loadTrade());
}
