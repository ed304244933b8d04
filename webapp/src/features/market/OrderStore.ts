import { flow, makeAutoObservable, observableRef } from 'mobx';
import { type ApiError, asApiError, isTransient } from '../../api/error';
import type { Currency, Order } from '../../api/types';
import type { RootStore } from '../../app/RootStore';
import { errorKey, wordless } from '../../i18n/errors';
import { isVisible } from '../../stores/PageLifecycle';
import { wait } from '../../stores/wait';
import { inTon, type Nanoton, orderFault } from './amount';
import type { Stars } from './stars';

/** How often an order is asked for, milliseconds: while its player looks at it, and while they do something else. */
const watched = 3000;
const aside = 15_000;
/** At most five purchases are open at once (decision 0032), but a player may have many that are over. */
const listed = 20;

/** Grows with each payment: TON, and one more with the first. */
const paid = ({ status, paid_ton = 0 }: Order) => (status === 'paid' ? 1 : 0) + paid_ton;

/** Ended without any payment. */
const isUnpaid = ({ status, paid_ton, held_ton }: Order) =>
  status === 'expired' && paid_ton === undefined && held_ton === undefined;

const waits = ({ status }: Order) => status === 'pending' || status === 'held';

type Tried = { readonly what: string; readonly key: string };

type CreateOrder = (key: string) => Promise<{ readonly order: Order }>;

type Callbacks = {
  /** Leads to the payment of a new order, in Telegram, in the connected wallet or by its link, and says where. */
  readonly pay: (order: Order) => void;
  /** A player without a wallet wants to buy: a connection begins, and says so. */
  readonly unconnected: () => void;
  /** The payment has left the wallet. */
  readonly hasSent: (order: number) => boolean;
  /** The order has ended without its payment. */
  readonly unpaid: (order: number) => void;
  /** A player who wanted to buy has learnt that their wallet was let go on another device. */
  readonly letGo: () => void;
  /** The player has something they had not: felt by the phone. */
  readonly rewarded: () => void;
  /** The server has refused a purchase: what we know of prices and sales may be old. */
  readonly refused: () => void;
  /** What an order in Stars may be of has changed. */
  readonly starBounds: () => void;
};

/**
 * The player's order for coins or a mine, from the press on Buy to what it brings.
 *
 * Nothing of it is kept on the device: the server knows the open ones, and after a restart the newest is found there.
 */
export class OrderStore {
  /** The newest unsettled order, or the one whose end the player is being shown. */
  order: Order | null = null;
  buying = false;
  cancelling = false;
  /** What the server has refused the last press on Buy with; null where it has not. */
  refusal: ApiError | null = null;
  /** The purchase whose answer is still to come, or did not. */
  #tried: Tried | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Counts what has changed the order, so that what was asked for before is not believed. */
  #age = 0;

  readonly #root: RootStore;
  readonly #callbacks: Callbacks;

  constructor(root: RootStore, callbacks: Callbacks) {
    this.#root = root;
    this.#callbacks = callbacks;
    makeAutoObservable(this, { order: observableRef, refusal: false });
  }

  /** An order that still waits for its payment, though one may have come that did not do. */
  get open(): Order | null {
    return this.order?.payable ? this.order : null;
  }

  /** An order that something may still come of: one that waits for its payment, or an admin has to look at. */
  get unsettled(): Order | null {
    return this.order && waits(this.order) ? this.order : null;
  }

  /** Orders coins for an amount of TON, and leads to the wallet app; whether this press made the order. */
  buy = flow(function* (this: OrderStore, amount: Nanoton | null) {
    const fault = orderFault(amount);
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
      this.#callbacks.unconnected();
      return false;
    }
    if (this.taken) return false;
    this.buying = true;
    const doing = this.#root.toasts.wait('toast.creating_link');
    try {
      const order = yield* wait(this.made(what, create));
      this.#tried = null;
      this.take(order);
      if (wanted()) {
        this.#root.modals.openSheet('order');
        this.#callbacks.pay(order);
      }
      return true;
    } catch (error) {
      this.refusal = asApiError(error);
      this.refuse(this.refusal, currency);
      return false;
    } finally {
      this.buying = false;
      this.#root.toasts.dismiss(doing);
      this.plan();
    }
  });

  /** The order that a press on Buy is for. */
  private async made(what: string, create: CreateOrder): Promise<Order> {
    const before = this.#tried?.what === what ? this.#tried : null;
    const order = await this.send(before ?? this.begun(what), create);
    if (!before) return order;
    // A key that was sent before brings the order as it was made. That may be over by now, and another is wanted.
    const news = await this.#root.api.order(order.id);
    if (news.payable && this.#root.clock.now < Date.parse(news.expires_at)) return news;
    return this.send(this.begun(what), create);
  }

  private begun(what: string): Tried {
    this.#tried = { what, key: this.#root.platform.newId() };
    return this.#tried;
  }

  private async send({ key }: Tried, create: CreateOrder): Promise<Order> {
    try {
      return (await create(key)).order;
    } catch (error) {
      // Else the order may have been made: the same key returns it.
      if (!isTransient(asApiError(error))) this.#tried = null;
      throw error;
    }
  }

  /** Finds the newest order that waits for its payment, else for an admin, whoever made it and when. */
  find = flow(function* (this: OrderStore) {
    const age = this.#age;
    try {
      const { orders } = yield* wait(this.#root.api.orders(listed, 0));
      if (age !== this.#age || this.shown) return;
      for (const one of orders) if (isUnpaid(one) && this.#callbacks.hasSent(one.id)) this.endUnpaid(one);
      const ended = orders.find((one) => one.id === this.unsettled?.id && !waits(one));
      const newest = (wanted: Order['status']) => orders.find(({ status }) => status === wanted);
      this.take(ended ?? newest('pending') ?? newest('held') ?? null);
    } catch (error) {
      asApiError(error); // an order that is known goes on; one that is not is found the next time
    } finally {
      this.plan();
    }
  });

  /** The order's drawer is open. */
  get shown(): boolean {
    return this.#root.modals.sheet === 'order';
  }

  /** An order is being made, or shown. Its drawer may not cover the button yet, and a finger taps twice. */
  get taken(): boolean {
    return this.buying || this.shown;
  }

  show(): void {
    this.#root.modals.openSheet('order');
  }

  /** The drawer has come or gone: who waits asks more often, and an order that is over need not be shown again. */
  turned(): void {
    if (this.shown) {
      void this.refetch();
      return;
    }
    if (this.order && !this.unsettled) this.forget();
    this.plan();
  }

  /** The page is looked at again, as after a visit to the wallet app. */
  onForeground(): void {
    if (this.open?.kind === 'mine' && this.open.currency === 'TON') void this.hint(this.open);
    else if (this.order) void this.refetch();
  }

  /** Has the server look at the chain at once: the comment is a hint like any hash, and the payment alone counts. */
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

  /** Something was heard of an order that may have changed it. */
  recheck({ id }: Order): void {
    if (this.order?.id === id) void this.refetch();
  }

  /** What has become of the order. */
  private refetch = flow(function* (this: OrderStore) {
    const { order } = this;
    const age = this.#age;
    if (!order) return;
    clearTimeout(this.#timer);
    try {
      const news = yield* wait(this.#root.api.order(order.id));
      if (age === this.#age) this.take(news);
    } catch (error) {
      asApiError(error); // it is asked for again
    } finally {
      this.plan();
    }
  });

  private take(order: Order | null): void {
    const before = this.order;
    this.#age += 1;
    this.order = order;
    if (order && before?.id === order.id && paid(order) > paid(before)) this.credited(order);
    if (order && before?.id === order.id && waits(before) && isUnpaid(order)) this.endUnpaid(order);
    if (order && !this.unsettled && !this.shown) this.forget();
    this.plan();
  }

  private endUnpaid({ id, currency }: Order): void {
    this.#callbacks.unpaid(id);
    // Else the drawer says so; Stars may have been taken and not told of yet.
    if (!this.shown && currency === 'TON') this.#root.toasts.show('info', 'toast.no_payment');
  }

  /** An order that is over gives its place to another that is not, if there is one. */
  private forget(): void {
    this.#age += 1;
    this.order = null;
    void this.find();
  }

  private credited({ kind }: Order): void {
    if (this.#root.quiet) this.show();
    // Else the drawer celebrates it.
    if (!this.shown)
      this.#root.toasts.show('success', kind === 'mine' ? 'toast.mine_open' : 'toast.credited');
    this.#callbacks.rewarded();
    void this.#root.user.refresh();
  }

  /** Asks again later, for as long as there is something to wait for. */
  private plan(): void {
    clearTimeout(this.#timer);
    // Another payment may still come for an order that is over, and who looks at it is told.
    if (!this.open && !this.shown) return;
    this.#timer = setTimeout(() => this.tick(), this.shown ? watched : aside);
  }

  private tick(): void {
    // In the background nobody waits; `onForeground` asks as soon as somebody does.
    if (!isVisible()) this.plan();
    else void this.refetch();
  }

  /** Spec §8, purchase: every "no" has its words, what nobody foresaw is told as it came, and silence is a link not made. */
  private refuse(error: ApiError, currency: Currency): void {
    const { code } = error;
    const key = errorKey(code);
    const unforeseen = code === 'offline' || key === 'errors.internal';
    if (code === 'invalid_amount' && currency === 'XTR') this.#callbacks.starBounds();
    else if (error.message === wordless) this.#root.toasts.show('error', key);
    // Without a message of its own an error is called by its code.
    else if (unforeseen && error.message !== code)
      this.#root.toasts.show('error', 'toast.failed', { message: error.message });
    else if (unforeseen && (error.status === 0 || error.status >= 500))
      this.#root.toasts.show('error', 'errors.payment_link_failed');
    else this.#root.toasts.show('error', key);
    this.#callbacks.refused();
    if (code === 'wallet_not_connected') void this.reconnect();
    // Five are open, or the answer was lost: there may be one to be paid.
    void this.find();
  }

  /** The wallet was let go on another device: what is shown of it is put right. */
  private async reconnect(): Promise<void> {
    await this.#root.user.refresh();
    if (!this.#root.user.user?.wallet_address && !this.taken) this.#callbacks.letGo();
  }
}
