import type { Currency, Order, PriceInfo, Purchase, StarsPurchase, TonPrice, User } from '../api/types';
import { refusal } from './refusal';

/** Milliseconds. */
const day = 86_400_000;
const nearly = 78_489_000; // 21:48:09
const lock = 900_000;

export function aPrice(change: Partial<TonPrice> = {}): TonPrice {
  return {
    data: { ton_price_usd: 2.5, mcbk_price_usd: 0.005 },
    updated_at: inTime(0),
    stale: false,
    ...change,
  };
}

/** Milliseconds from now, as the server writes a time. */
export const inTime = (milliseconds: number) => new Date(Date.now() + milliseconds).toISOString();

/** Prices of day 42, when the launch price is long over. */
export function priceInfo(change: Partial<PriceInfo> = {}): PriceInfo {
  return {
    price: 0.005,
    period: 12,
    next_price: 0.0053,
    next_change_at: inTime(nearly),
    purchased_total: 18_402_118.25,
    purchased_goal: 30_000_000,
    discount: { active: false, price: 0.005, full_price: 0.01, ends_at: inTime(-32 * day) },
    stars: { usd: 0.013, min: 1, max: 10_000 },
    ...change,
  };
}

/** Prices of the third day: the launch price holds for a week yet. */
export function launchPrices(ends_at = inTime(7 * day + nearly)): PriceInfo {
  return priceInfo({
    price: 0.002,
    period: 1,
    next_price: 0.0023,
    next_change_at: ends_at,
    discount: { active: true, price: 0.002, full_price: 0.01, ends_at },
  });
}

/** An order of five TON that waits to be paid. */
export function anOrder(change: Partial<Order> = {}): Order {
  const comment = change.comment ?? 'MC-ABCDE12345';
  const to = 'UQBvQ8m1tttttttttttttttttttttttttttttttttttttttt7xKa';
  return {
    id: 1,
    kind: 'purchase',
    status: 'pending',
    comment,
    currency: 'TON',
    ton_amount: 5,
    mcbk_amount: 2500,
    payload: 'te6cckEBAQEADwAAHgAAAABNQy1BQkNERTEyMzQ1',
    paymentLink: `https://localhost/transfer/${to.slice(0, 48)}?amount=5000000000&text=${comment}`,
    payable: (change.status ?? 'pending') === 'pending',
    created_at: inTime(0),
    expires_at: inTime(lock),
    ...change,
  };
}

/** An order of 500 Stars that waits to be paid. */
export function aStarsOrder(change: Partial<Order> = {}): Order {
  const { payload, ...order } = anOrder({
    currency: 'XTR',
    ton_amount: 0,
    stars: 500,
    mcbk_amount: 1300,
    paymentLink: `https://t.me/$${change.comment ?? 'invoice'}`,
    ...change,
  });
  return order;
}

/** What the FakeServer sells, and the orders for it. A payment is whatever a test says has become of an order. */
export class FakeMarket {
  open = true;
  payWith: readonly Currency[] = ['TON'];
  ton = aPrice();
  info = priceInfo();
  /** The newest first. */
  orders: readonly Order[] = [];

  /** The answer to one of the market's calls; undefined to any other. */
  answer(call: string, body: unknown, user: User): unknown {
    if (call === 'GET /token/ton-price') return this.ton;
    if (call === 'GET /token/price-info') return this.info;
    if (call === 'POST /token/purchase') return this.sell(body as Purchase, user);
    if (call === 'POST /token/stars') return this.sellForStars(body as StarsPurchase);
    if (call === 'GET /orders') return { orders: this.orders, hasMore: false };
    const [, method, id] = /^(GET|DELETE) \/orders\/(\d+)$/.exec(call) ?? [];
    if (id === undefined) return undefined;
    return method === 'GET' ? this.order(Number(id)) : this.cancel(Number(id));
  }

  /** Something has become of an order. */
  becomes(id: number, change: Partial<Order>): Order {
    const payable = change.status === undefined ? {} : { payable: change.status === 'pending' };
    this.orders = this.orders.map((one) => (one.id === id ? { ...one, ...payable, ...change } : one));
    return this.order(id);
  }

  private order(id: number): Order {
    const order = this.orders.find((one) => one.id === id);
    if (!order) throw refusal(404, 'not_found');
    return order;
  }

  private sell({ ton_amount }: Purchase, user: User) {
    if (!user.wallet_address) throw refusal(409, 'wallet_not_connected');
    if (this.ton.stale) throw refusal(503, 'price_unavailable');
    const id = this.orders.length + 1;
    const comment = `MC-ABCDE1234${id}`;
    const order = anOrder({ id, comment, ton_amount, mcbk_amount: ton_amount * 500 });
    this.orders = [order, ...this.orders];
    return { success: true, paymentLink: order.paymentLink, message: 'created', order };
  }

  private sellForStars({ stars }: StarsPurchase) {
    const { min, max, usd } = this.info.stars;
    if (stars < min || stars > max) throw refusal(400, 'invalid_amount');
    const id = this.orders.length + 1;
    const mcbk_amount = Math.floor(Math.round((stars * usd * 1e12) / this.info.price) / 1e6) / 1e6;
    const order = aStarsOrder({ id, comment: `MC-ABCDE1234${id}`, stars, mcbk_amount });
    this.orders = [order, ...this.orders];
    const { paymentLink: invoice_link, expires_at } = order;
    return { order_id: id, invoice_link, mcbk: mcbk_amount, expires_at, order };
  }

  private cancel(id: number): Order {
    const { status, payable } = this.order(id);
    if (!payable && status !== 'cancelled') throw refusal(409, 'not_eligible');
    return this.becomes(id, status === 'held' ? { payable: false } : { status: 'cancelled' });
  }
}
