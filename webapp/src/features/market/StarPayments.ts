import { flow, makeAutoObservable, observableRef } from 'mobx';
import type { Order } from '../../api/types';
import type { RootStore } from '../../app/RootStore';
import { wait } from '../../stores/wait';
import type { InvoiceStatus } from '../../telegram';
import type { Trade } from './Trade';

/** Within this time a second press does not open the same invoice again, milliseconds. */
const doublePress = 3000;

/** Payments requested from Telegram. Its status is a hint: only the server knows what was paid. */
export class StarPayments {
  /** What Telegram said last of an order's payment. */
  private statuses: ReadonlyMap<number, InvoiceStatus> = new Map();
  /** The order whose invoice was just opened. */
  #opened: number | null = null;
  readonly #root: RootStore;
  readonly #trade: Trade;

  constructor(root: RootStore, trade: Trade) {
    this.#root = root;
    this.#trade = trade;
    makeAutoObservable<this, 'statuses'>(this, { statuses: observableRef });
  }

  statusOf({ id }: Order): InvoiceStatus | null {
    return this.statuses.get(id) ?? null;
  }

  /** Opens Telegram's payment over the game. */
  pay = flow(function* (this: StarPayments, order: Order) {
    const { payments, orders } = this.#trade;
    if (this.#opened === order.id || payments.sent.includes(order.id)) return;
    this.#opened = order.id;
    const release = () => {
      if (this.#opened === order.id) this.#opened = null;
    };
    setTimeout(release, doublePress);
    const status = yield* wait(this.#root.platform.host.openInvoice(order.paymentLink));
    release();
    // An old client opens it outside of the game and reports nothing.
    if (status === null) return;
    this.statuses = new Map(this.statuses).set(order.id, status);
    if (status === 'paid' || status === 'pending') payments.markSent(order, true);
    orders.refetchIfShown(order);
  });
}
