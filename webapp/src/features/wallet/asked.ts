import type { Box } from '../../storage';

/** A payment that the wallet was asked for. `sent`: it has left the wallet. `until`: when that is over, milliseconds since 1970. */
export type Asked = { readonly sent: boolean; readonly until: number };

const key = 'asked_payments';

/**
 * The payments that the wallet was asked for, by their orders, kept on the device: on a phone the page is often gone when
 * the player comes back from the wallet app.
 */
export class AskedPayments {
  constructor(private readonly box: Box) {}

  /** Those that are not over at `now`. */
  at(now: number): [order: number, asked: Asked][] {
    return Object.entries(this.records())
      .filter((record): record is [string, Asked] => isAsked(record[1]) && record[1].until > now)
      .map(([order, asked]) => [Number(order), asked]);
  }

  /** Those that are over at `now` go. */
  keep(order: number, asked: Asked, now: number): void {
    this.write([...this.at(now).filter(([id]) => id !== order), [order, asked]]);
  }

  forget(order: number, now: number): void {
    this.write(this.at(now).filter(([id]) => id !== order));
  }

  private write(all: [number, Asked][]): void {
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

function isAsked(value: unknown): value is Asked {
  if (typeof value !== 'object' || value === null) return false;
  const { sent, until } = value as Partial<Asked>;
  return typeof sent === 'boolean' && typeof until === 'number';
}
