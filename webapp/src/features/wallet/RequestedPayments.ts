import { isObject, type KeyValueStorage, readRecords } from '../../storage';

/** `sent`: the payment has left the wallet. `until`: when the record expires, Unix milliseconds. */
export type RequestedPayment = { readonly sent: boolean; readonly until: number };

const key = 'asked_payments';

/** Payment requests by order, stored on the device: on a phone the page is often gone when the player returns from the wallet app. */
export class RequestedPayments {
  readonly #box: KeyValueStorage;

  constructor(box: KeyValueStorage) {
    this.#box = box;
  }

  /** Those that have not expired at `now`. */
  at(now: number): [order: number, payment: RequestedPayment][] {
    return Object.entries(readRecords(this.#box, key))
      .filter(
        (record): record is [string, RequestedPayment] =>
          isRequestedPayment(record[1]) && record[1].until > now,
      )
      .map(([order, payment]) => [Number(order), payment]);
  }

  /** Drops those that have expired at `now`. */
  keep(order: number, payment: RequestedPayment, now: number): void {
    this.#write([...this.at(now).filter(([id]) => id !== order), [order, payment]]);
  }

  forget(order: number, now: number): void {
    this.#write(this.at(now).filter(([id]) => id !== order));
  }

  #write(all: [number, RequestedPayment][]): void {
    if (all.length === 0) this.#box.remove(key);
    else this.#box.set(key, JSON.stringify(Object.fromEntries(all)));
  }
}

function isRequestedPayment(value: unknown): value is RequestedPayment {
  return isObject(value) && typeof value.sent === 'boolean' && typeof value.until === 'number';
}
