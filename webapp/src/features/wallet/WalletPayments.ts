import { flow, makeAutoObservable, reaction } from 'mobx';
import type { Order } from '../../api/types';
import type { RootStore } from '../../app/RootStore';
import { wait } from '../../stores/wait';
import type { Answer, Transfer } from '../../wallet';
import type { Trade } from '../market/Trade';
import { RequestedPayments } from './RequestedPayments';
import { transferOf } from './request';
import type { ServerWallet } from './ServerWallet';
import type { WalletConnection } from './WalletConnection';

/** A phone that slept hears only now what the wallet answered; milliseconds. */
const answerGrace = 10_000;
/** The server may see the chain this long after an order has expired, milliseconds. */
const chainDelay = 86_400_000;

/** Payments requested from the connected wallet; only the chain decides what is credited. */
export class WalletPayments {
  /** Orders whose payments wait in the wallet. */
  paying: readonly number[] = [];
  /** Orders whose payments were sent; whether one has arrived shows only in the order. */
  sent: readonly number[] = [];
  readonly #root: RootStore;
  readonly #connection: WalletConnection;
  readonly #wallet: ServerWallet;
  readonly #requested: RequestedPayments;
  /** Each ends the wait for an answer. */
  readonly #waits = new Set<() => void>();
  /** The order that was requested last. */
  #latest: number | null = null;

  constructor(root: RootStore, { connection, wallet }: Trade) {
    this.#root = root;
    this.#connection = connection;
    this.#wallet = wallet;
    this.#requested = new RequestedPayments(root.platform.storage);
    makeAutoObservable(this);
  }

  /** Takes up what an earlier page has requested. Called once. */
  start(): void {
    const { now } = this.#root.clock;
    for (const [order, { sent, until }] of this.#requested.at(now)) {
      if (sent) this.sent = [...this.sent, order];
      else {
        this.paying = [...this.paying, order];
        setTimeout(() => this.settle(order), until - now);
      }
    }
    reaction(
      () => this.#connection.account,
      (account) => {
        if (!account) for (const giveUp of this.#waits) giveUp();
      },
    );
  }

  /** True if the payment was requested: not twice at a time for one order, but also while another order's is open. */
  pay = flow(function* (this: WalletPayments, order: Order) {
    const { clock, toasts } = this.#root;
    const { app } = this.#connection;
    const transfer = transferOf(order, clock.now);
    if (!app || !this.#wallet.live || !transfer) return false;
    if (this.paying.includes(order.id) || this.sent.includes(order.id)) return false;
    this.paying = [...this.paying, order.id];
    this.#latest = order.id;
    this.#requested.keep(order.id, { sent: false, until: transfer.validUntil * 1000 }, clock.now);
    const { timedOut, cancel } = this.#timeout(transfer);
    try {
      const answering = app.pay(transfer);
      // However late: while the wallet app is in front, nothing is heard of it.
      void answering.then((answer) => {
        if (answer.outcome === 'sent') this.markSent(order, answer.shown);
      });
      const { outcome, shown } = yield* wait(Promise.race([answering, timedOut]));
      if (outcome === 'sent' || this.sent.includes(order.id)) return true; // or an earlier request for it was, late
      this.#requested.forget(order.id, clock.now);
      // The player may be looking at another order by now.
      if (!shown && this.#latest === order.id)
        toasts.show('error', outcome === 'declined' ? 'errors.cancelled' : 'errors.not_sent');
    } finally {
      cancel();
      this.settle(order.id);
    }
    return true;
  });

  /** The order has ended without its payment. */
  onExpiredUnpaid(order: number): void {
    this.sent = this.sent.filter((id) => id !== order);
    this.#requested.forget(order, this.#root.clock.now);
  }

  /** The payment was sent and must not be offered again; `shown`: a toast has said so. */
  markSent({ id, expires_at }: Order, shown: boolean): void {
    const { toasts, clock } = this.#root;
    if (this.sent.includes(id)) return;
    if (!shown) toasts.show('success', 'toast.sent');
    this.sent = [...this.sent, id];
    this.#requested.keep(id, { sent: true, until: Date.parse(expires_at) + chainDelay }, clock.now);
  }

  private settle(order: number): void {
    this.paying = this.paying.filter((id) => id !== order);
  }

  /** Nobody can confirm the payment any more: the connection has ended, or the time to sign is over. */
  #timeout({ validUntil }: Transfer) {
    let giveUp = () => {};
    const timedOut = new Promise<Answer>((resolve) => {
      giveUp = () => resolve({ outcome: 'failed', shown: false });
    });
    const { now } = this.#root.clock;
    let timer = setTimeout(
      () => {
        timer = setTimeout(giveUp, answerGrace);
      },
      validUntil * 1000 - now,
    );
    this.#waits.add(giveUp);
    const cancel = () => {
      clearTimeout(timer);
      this.#waits.delete(giveUp);
    };
    return { timedOut, cancel };
  }
}
