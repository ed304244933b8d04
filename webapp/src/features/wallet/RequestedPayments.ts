import type { KeyValueStorage } from '../../storage';

/** A payment that the wallet was asked for. `sent`: it has left the wallet. `until`: when that is over, milliseconds since 1970. */
export type RequestedPayment = { readonly sent: boolean; readonly until: number };

const key = 'asked_payments';

/**
 * The payments that the wallet was asked for, by their orders, kept on the device: on a phone the page is often gone when
 * the player comes back from the wallet app.
 */
export class RequestedPayments {
  constructor(private readonly box: KeyValueStorage) {}

  /** Those that are not over at `now`. */
  at(now: number): [order: number, asked: RequestedPayment][] {
    return Object.entries(this.records())
      .filter(
        (record): record is [string, RequestedPayment] => isRequested(record[1]) && record[1].until > now,
      )
      .map(([order, request]) => [Number(order), request]);
  }

  /** Those that are over at `now` go. */
  keep(order: number, request: RequestedPayment, now: number): void {
    this.write([...this.at(now).filter(([id]) => id !== order), [order, request]]);
  }

  forget(order: number, now: number): void {
    this.write(this.at(now).filter(([id]) => id !== order));
  }

  private write(all: [number, RequestedPayment][]): void {
    if (all.length === 0) this.box.remove(key);
    else this.box.set(key, JSON.stringify(Object.fromEntries(all)));
  }

  private records(): Record<string, unknown> {
    try {
      const read: unknown = JSON.parse(this.box.get(key) ?? '{}');
      return typeof read === 'object' && read !== null ? { ...read } : {};
    } catch {
      return {};
    }
  }
}

function isRequested(value: unknown): value is RequestedPayment {
  if (typeof value !== 'object' || value === null) return false;
  const { sent, until } = value as Partial<RequestedPayment>;
  return typeof sent === 'boolean' && typeof until === 'number';
}
