import { reaction } from 'mobx';
import { use } from 'react';
import { useRoot } from '../../app/RootContext';
import type { RootStore } from '../../app/RootStore';
import { isVisible, onPage } from '../../stores/PageLifecycle';
import { whenBecomes } from '../../stores/whenBecomes';
import { DiscountStore } from '../discount/DiscountStore';
import { HistoryStore } from '../wallet/HistoryStore';
import { ServerWallet } from '../wallet/ServerWallet';
import { WalletConnection } from '../wallet/WalletConnection';
import { WalletPayments } from '../wallet/WalletPayments';
import { MarketStore } from './MarketStore';
import { OrderStore } from './OrderStore';
import { PriceStore } from './PriceStore';
import { StarPayments } from './StarPayments';
import { everyAmount } from './stars';

/** How often closed sales are checked, milliseconds. */
const rest = 60_000;

/** Everything about buying coins, and the wallet or the Stars they are bought with. Its code is no part of the first screen's: RootStore fetches it when it is wanted. */
export class Trade {
  readonly prices: PriceStore;
  readonly orders: OrderStore;
  readonly market: MarketStore;
  readonly discount: DiscountStore;
  readonly connection: WalletConnection;
  readonly wallet: ServerWallet;
  readonly payments: WalletPayments;
  readonly stars: StarPayments;
  readonly history: HistoryStore;

  constructor(private readonly root: RootStore) {
    const { modals, toasts, route } = root;
    this.prices = new PriceStore(root);
    this.orders = new OrderStore(root, {
      pay: (order) => {
        const { wallet, payments, market } = this;
        if (payments.sent.includes(order.id)) return;
        if (order.currency === 'XTR') return void this.stars.pay(order);
        // A wallet connected here is asked for the payment; otherwise the link opens the wallet app.
        if (wallet.live) void payments.pay(order);
        else {
          toasts.show('success', 'toast.link_created', { wallet: market.walletApp });
          root.platform.host.openPage(order.paymentLink);
        }
      },
      walletMissing: () => void this.connection.connect(true),
      hasSent: (id) => this.payments.sent.includes(id),
      expiredUnpaid: (id) => this.payments.onExpiredUnpaid(id),
      walletDisconnected: () => {
        // In an offer and in the mines the button connects a wallet; elsewhere the player has moved on.
        const over = modals.shown !== null || modals.sheet !== 'none';
        if (route.path === '/market' && !over) void this.connection.connect(true);
      },
      rewarded: () => {
        root.rewarded();
        this.connection.closePayment();
        void this.prices.loadInfo(); // its coins count towards the goal of all players
        void this.wallet.balance.load(); // it has paid
        // The open history may have been scrolled: it is reset to its first page only when it is closed.
        if (route.path === '/wallet' && modals.sheet !== 'history') this.history.refresh();
      },
      refused: () => {
        void this.prices.loadTon();
        void this.prices.loadInfo();
        void this.market.loadConfig(true);
      },
      starBoundsChanged: async () => {
        await this.prices.loadInfo();
        const { min, max } = this.market.starTerms ?? everyAmount;
        toasts.show('error', 'toast.star_bounds', { min: String(min), max: String(max) });
      },
    });
    this.connection = new WalletConnection(root, this);
    this.wallet = new ServerWallet(root, this);
    this.payments = new WalletPayments(root, this);
    this.stars = new StarPayments(root, this);
    this.market = new MarketStore(root, this);
    this.discount = new DiscountStore(root, this);
    this.history = new HistoryStore(root.api);
  }

  /** Ties the stores to the rest of the game. Called once. */
  start(): void {
    const { route, modals, user } = this.root;
    const here = () => this.root.isOn('/market');
    const purse = () => this.root.isOn('/wallet');
    /** Where the wallet matters. From one screen to another its balance is loaded anew. */
    const walletAt = () =>
      here() || purse() || this.root.isOn('/mines')
        ? route.path
        : modals.has('discount') || this.orders.shown;
    this.payments.start();
    whenBecomes(here, () => this.market.enter(), { fireImmediately: true });
    reaction(
      walletAt,
      (entered) => {
        if (entered) this.wallet.enter();
        else this.wallet.balance.leave();
      },
      { fireImmediately: true },
    );
    whenBecomes(
      () => purse() && modals.sheet !== 'history',
      () => this.history.refresh(),
      { fireImmediately: true },
    );
    whenBecomes(
      () => modals.sheet === 'wallet' && this.wallet.address === null,
      () => modals.closeSheet(),
    );
    reaction(
      () => user.user?.language,
      () => this.connection.setLanguage(),
    );
    reaction(
      () =>
        here() ||
        purse() ||
        modals.has('discount') ||
        ((this.root.isOn('/mines') || this.root.isOn('/mines-rules')) && this.market.inStars),
      (looked) => (looked ? this.prices.watch() : this.prices.leave()),
      { fireImmediately: true },
    );
    let reopening: ReturnType<typeof setInterval> | undefined;
    reaction(
      () => (here() || this.root.isOn('/mines')) && this.market.closed,
      (closed) => {
        clearInterval(reopening);
        if (!closed) return;
        reopening = setInterval(() => {
          if (isVisible()) void this.market.loadConfig();
        }, rest);
      },
      { fireImmediately: true },
    );
    whenBecomes(
      () => modals.has('discount') && (this.discount.endsAt === null || this.market.closed),
      () => this.discount.close(),
    );
    reaction(
      () => this.orders.shown,
      () => this.orders.onSheetToggled(),
    );
    onPage('foreground', () => {
      this.prices.onForeground();
      this.orders.onForeground();
      if (here()) void this.market.loadConfig(); // sales may be open again
      // The player may have topped up the wallet.
      if (walletAt()) this.wallet.enter();
    });
    onPage('online', () => this.wallet.balance.onForeground());
  }
}

/** Suspends what is rendered until the stores are there. */
export function useTrade(): Trade {
  return use(useRoot().loadTrade());
}
