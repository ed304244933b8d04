import { flow, makeAutoObservable, observableRef } from 'mobx';
import { type ApiError, asApiError, isTransient } from '../../api/error';
import type { Currency, Order } from '../../api/types';
import type { RootStore } from '../../app/RootStore';
import { errorKey, internalErrorText } from '../../i18n/errors';
import { isVisible } from '../../stores/PageLifecycle';
import { wait } from '../../stores/wait';
import { inTon, type Nanoton, validateOrder } from './amount';
import type { Stars } from './stars';

/** How often an order is fetched, milliseconds: while its drawer is open, and otherwise. */
const shownPollMs = 3000;
const hiddenPollMs = 15_000;
/** How many orders are listed. At most five purchases are open at once (decision 0032). */
const ordersListed = 20;

/** Grows with each payment. */
const paymentProgress = ({ status, paid_ton = 0 }: Order) => (status === 'paid' ? 1 : 0) + paid_ton;

/** Ended without any payment. */
const isUnpaid = ({ status, paid_ton, held_ton }: Order) =>
  status === 'expired' && paid_ton === undefined && held_ton === undefined;

const isPending = ({ status }: Order) => status === 'pending' || status === 'held';

type Attempt = { readonly what: string; readonly key: string };

type CreateOrder = (key: string) => Promise<{ readonly order: Order }>;

type Callbacks = {
  /** Leads to the payment of a new order, in Telegram, in the connected wallet or by its link, and says where. */
  readonly pay: (order: Order) => void;
  /** A player without a wallet wants to buy. */
  readonly walletMissing: () => void;
  /** The payment has left the wallet. */
  readonly hasSent: (order: number) => boolean;
  /** The order has ended without its payment. */
  readonly expiredUnpaid: (order: number) => void;
  /** The wallet was disconnected on another device. */
  readonly walletDisconnected: () => void;
  /** The order has brought its coins or mine. */
  readonly rewarded: () => void;
  /** The server has refused a purchase: known prices and sales may be stale. */
  readonly refused: () => void;
  /** What an order in Stars may be of has changed. */
  readonly starBoundsChanged: () => void;
};

/**
 * The player's order for coins or a mine, from the press on Buy to what it brings.
 *
 * Nothing is stored on the device: after a restart the newest open order is fetched from the server.
 */
export class OrderStore {
  /** The newest unsettled order, or the one whose end the player is being shown. */
  order: Order | null = null;
  buying = false;
  cancelling = false;
  /** The error of the last press on Buy; null if there was none. */
  refusal: ApiError | null = null;
  /** The purchase whose outcome is unknown. */
  #attempt: Attempt | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Counts changes of the order, so that answers to earlier requests are ignored. */
  #version = 0;

  readonly #root: RootStore;
  readonly #callbacks: Callbacks;

  constructor(root: RootStore, callbacks: Callbacks) {
    this.#root = root;
    this.#callbacks = callbacks;
    makeAutoObservable(this, { order: observableRef, refusal: false });
  }

  /** An order that can be paid. */
  get open(): Order | null {
    return this.order?.payable ? this.order : null;
  }

  /** An order that waits for its payment, or for an admin. */
  get unsettled(): Order | null {
    return this.order && isPending(this.order) ? this.order : null;
  }

  /** Orders coins for an amount of TON, and leads to the wallet app; whether this press made the order. */
  buy = flow(function* (this: OrderStore, amount: Nanoton | null) {
    const fault = validateOrder(amount);
    if (amount === null || fault !== null) {
      this.#root.toasts.show('error', fault ?? 'errors.invalid_amount');
      return false;
    }
    return yield* wait(
      this.place(`purchase ${amount}`, 'TON', (key) =>
        this.#root.api.purchase({ ton_amount: inTon(amount) }, key),
      ),
    );
  });

  /** Orders coins for Stars, and opens Telegram's payment; whether this press made the order. */
  buyStars(stars: Stars): Promise<boolean> {
    return this.place(`stars ${stars}`, 'XTR', (key) => this.#root.api.orderStars({ stars }, key));
  }

  /**
   * Orders a mine, and leads to its payment, unless it is not wanted any more by then; whether this press made the order, which
   * then waits like any other.
   */
  buyMine(level: number, currency: Currency, wanted: () => boolean): Promise<boolean> {
    const order: CreateOrder = (key) => this.#root.api.orderMine(level, currency, key);
    return this.place(`mine ${level} ${currency}`, currency, order, wanted);
  }

  /** `what` is the same for a purchase that is tried again. */
  private place = flow(function* (
    this: OrderStore,
    what: string,
    currency: Currency,
    create: CreateOrder,
    wanted = () => true,
  ) {
    this.refusal = null;
    if (currency === 'TON' && !this.#root.user.user?.wallet_address) {
      this.#callbacks.walletMissing();
      return false;
    }
    if (this.isBusy) return false;
    this.buying = true;
    const doing = this.#root.toasts.wait('toast.creating_link');
    try {
      const order = yield* wait(this.createOrder(what, create));
      this.#attempt = null;
      this.take(order);
      if (wanted()) {
        this.#root.modals.openSheet('order');
        this.#callbacks.pay(order);
      }
      return true;
    } catch (error) {
      this.refusal = asApiError(error);
      this.showRefusal(this.refusal, currency);
      return false;
    } finally {
      this.buying = false;
      this.#root.toasts.dismiss(doing);
      this.schedulePoll();
    }
  });

  /** The order that a press on Buy is for. */
  private async createOrder(what: string, create: CreateOrder): Promise<Order> {
    const before = this.#attempt?.what === what ? this.#attempt : null;
    const order = await this.send(before ?? this.newAttempt(what), create);
    if (!before) return order;
    // A repeated key returns the order as it was created. It may have ended by now; then a new one is wanted.
    const news = await this.#root.api.order(order.id);
    if (news.payable && this.#root.clock.now < Date.parse(news.expires_at)) return news;
    return this.send(this.newAttempt(what), create);
  }

  private newAttempt(what: string): Attempt {
    this.#attempt = { what, key: this.#root.platform.newId() };
    return this.#attempt;
  }

  private async send({ key }: Attempt, create: CreateOrder): Promise<Order> {
    try {
      return (await create(key)).order;
    } catch (error) {
      // After a transient error the order may exist: the same key returns it.
      if (!isTransient(asApiError(error))) this.#attempt = null;
      throw error;
    }
  }

  /** Fetches the newest order that waits for its payment, else for an admin. */
  find = flow(function* (this: OrderStore) {
    const version = this.#version;
    try {
      const { orders } = yield* wait(this.#root.api.orders(ordersListed, 0));
      if (version !== this.#version || this.shown) return;
      for (const one of orders)
        if (isUnpaid(one) && this.#callbacks.hasSent(one.id)) this.onExpiredUnpaid(one);
      const ended = orders.find((one) => one.id === this.unsettled?.id && !isPending(one));
      const newest = (wanted: Order['status']) => orders.find(({ status }) => status === wanted);
      this.take(ended ?? newest('pending') ?? newest('held') ?? null);
    } catch (error) {
      asApiError(error); // tried again later
    } finally {
      this.schedulePoll();
    }
  });

  /** The order's drawer is open. */
  get shown(): boolean {
    return this.#root.modals.sheet === 'order';
  }

  /** An order is being created or shown: a double tap creates no second one. */
  get isBusy(): boolean {
    return this.buying || this.shown;
  }

  show(): void {
    this.#root.modals.openSheet('order');
  }

  /** The drawer was opened or closed: that changes how often the order is fetched, and an ended one is dropped once seen. */
  onSheetToggled(): void {
    if (this.shown) {
      void this.refetch();
      return;
    }
    if (this.order && !this.unsettled) this.forget();
    this.schedulePoll();
  }

  /** The page is visible again, as after a visit to the wallet app. */
  onForeground(): void {
    if (this.open?.kind === 'mine' && this.open.currency === 'TON') void this.hint(this.open);
    else if (this.order) void this.refetch();
  }

  /** Has the server read the chain at once; only the payment found there counts. */
  private hint = flow(function* (this: OrderStore, { level = 0, comment }: Order) {
    try {
      yield* wait(this.#root.api.unlockMine({ level, transaction_hash: comment }));
    } catch (error) {
      asApiError(error); // the order itself says what became of it
    }
    void this.refetch();
  });

  /** Opens the wallet app once more. */
  pay(): void {
    if (this.open) this.#root.platform.host.openPage(this.open.paymentLink);
  }

  cancel = flow(function* (this: OrderStore) {
    const { open } = this;
    if (!open || this.cancelling) return;
    this.cancelling = true;
    try {
      const news = yield* wait(this.#root.api.cancelOrder(open.id));
      // Another may have been made meanwhile, and is being paid.
      if (this.order?.id === open.id) this.take(news);
    } catch (error) {
      // Paid or expired meanwhile: the order itself says which.
      if (asApiError(error).code === 'not_eligible') void this.refetch();
      else this.#root.toasts.show('error', errorKey(asApiError(error).code));
    } finally {
      this.cancelling = false;
    }
  });

  /** The order may have changed. */
  refetchIfShown({ id }: Order): void {
    if (this.order?.id === id) void this.refetch();
  }

  private refetch = flow(function* (this: OrderStore) {
    const { order } = this;
    const version = this.#version;
    if (!order) return;
    clearTimeout(this.#timer);
    try {
      const news = yield* wait(this.#root.api.order(order.id));
      if (version === this.#version) this.take(news);
    } catch (error) {
      asApiError(error); // fetched again later
    } finally {
      this.schedulePoll();
    }
  });

  private take(order: Order | null): void {
    const before = this.order;
    this.#version += 1;
    this.order = order;
    if (order && before?.id === order.id && paymentProgress(order) > paymentProgress(before))
      this.credited(order);
    if (order && before?.id === order.id && isPending(before) && isUnpaid(order)) this.onExpiredUnpaid(order);
    if (order && !this.unsettled && !this.shown) this.forget();
    this.schedulePoll();
  }

  private onExpiredUnpaid({ id, currency }: Order): void {
    this.#callbacks.expiredUnpaid(id);
    // Else the drawer says so; Stars may have been taken and not told of yet.
    if (!this.shown && currency === 'TON') this.#root.toasts.show('info', 'toast.no_payment');
  }

  /** Drops an ended order and looks for another open one. */
  private forget(): void {
    this.#version += 1;
    this.order = null;
    void this.find();
  }

  private credited({ kind }: Order): void {
    if (this.#root.isIdle) this.show();
    // Else the drawer celebrates it.
    if (!this.shown)
      this.#root.toasts.show('success', kind === 'mine' ? 'toast.mine_open' : 'toast.credited');
    this.#callbacks.rewarded();
    void this.#root.user.refresh();
  }

  /** Schedules the next fetch, if the order can still change. */
  private schedulePoll(): void {
    clearTimeout(this.#timer);
    // An ended order may still be paid while its drawer is open.
    if (!this.open && !this.shown) return;
    this.#timer = setTimeout(() => this.poll(), this.shown ? shownPollMs : hiddenPollMs);
  }

  private poll(): void {
    // `onForeground` fetches it as soon as the page is visible.
    if (!isVisible()) this.schedulePoll();
    else void this.refetch();
  }

  /** Spec §8, purchase: known codes have their texts, others show the server's message, no answer is a failed link. */
  private showRefusal(error: ApiError, currency: Currency): void {
    const { code } = error;
    const key = errorKey(code);
    const unforeseen = code === 'offline' || key === 'errors.internal';
    if (code === 'invalid_amount' && currency === 'XTR') this.#callbacks.starBoundsChanged();
    else if (error.message === internalErrorText) this.#root.toasts.show('error', key);
    // Without a message of its own an error is called by its code.
    else if (unforeseen && error.message !== code)
      this.#root.toasts.show('error', 'toast.failed', { message: error.message });
    else if (unforeseen && (error.status === 0 || error.status >= 500))
      this.#root.toasts.show('error', 'errors.payment_link_failed');
    else this.#root.toasts.show('error', key);
    this.#callbacks.refused();
    if (code === 'wallet_not_connected') void this.reconnect();
    // With five open, or a lost answer, there may be one to pay.
    void this.find();
  }

  /** The wallet was disconnected on another device: loads the player again. */
  private async reconnect(): Promise<void> {
    await this.#root.user.refresh();
    if (!this.#root.user.user?.wallet_address && !this.isBusy) this.#callbacks.walletDisconnected();
  }
}
