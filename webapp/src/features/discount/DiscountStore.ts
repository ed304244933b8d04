import { flow, makeAutoObservable, when } from 'mobx';
import type { RootStore } from '../../app/RootStore';
import { wait } from '../../stores/wait';
import { oneTon, orderFault } from '../market/amount';
import type { Trade } from '../market/Trade';

/** The longest timer a browser keeps, milliseconds; a longer one would end at once. */
const longestTimer = 2 ** 31 - 1;
/** How long Skip keeps the offer away, milliseconds (decision 0032). */
const rest = 86_400_000;
/** What the offer is for: exactly this much (spec §5). */
export const offered = oneTon;

/** A device may be shared, so each player is remembered under their own key. */
const key = (player: number) => `discount_skipped:${player}`;

/** The offer of the first days, while the launch price really holds. */
export class DiscountStore {
  #ending: ReturnType<typeof setTimeout> | undefined;
  #free = () => true;
  /** They went to connect a wallet for it. */
  #awaited = false;

  readonly #root: RootStore;
  readonly #trade: Trade;

  constructor(root: RootStore, trade: Trade) {
    this.#root = root;
    this.#trade = trade;
    makeAutoObservable(this);
  }

  /** Offers it to a player who has not skipped it lately, if there is something to offer, as soon as they are `free`. */
  consider = flow(function* (this: DiscountStore, free: () => boolean) {
    this.#free = free;
    const { modals, clock } = this.#root;
    const { market, prices } = this.#trade;
    if (this.unwelcome) return;
    const config = yield* wait(market.loadConfig());
    if (!config?.sales_enabled) return;
    const info = yield* wait(prices.freshInfo());
    if (!info?.discount.active) return;
    yield when(free); // the answers took their time, and who taps by now goes on
    if (this.unwelcome) return;
    const time = Date.parse(info.discount.ends_at) - clock.now;
    if (!(time > 0)) return;
    modals.enqueue({ is: 'discount' });
    clearTimeout(this.#ending);
    this.#ending = setTimeout(() => this.close(), Math.min(time, longestTimer));
  });

  /** Milliseconds since 1970 when the launch price ends; null where there is none. */
  get endsAt(): number | null {
    const { info } = this.#trade.prices;
    return info.is === 'known' && info.info.discount.active ? Date.parse(info.info.discount.ends_at) : null;
  }

  get needsWallet(): boolean {
    return this.#trade.market.needsWallet;
  }

  /** Whether there is a price to order at, as in the market; without a wallet none is made yet. */
  get pricing(): Trade['market']['pricing'] {
    return this.needsWallet ? 'fresh' : this.#trade.market.pricing;
  }

  putAway(): void {
    const { user, platform, clock } = this.#root;
    if (user.user) platform.storage.set(key(user.user.id), String(clock.now));
    this.close();
  }

  /** Without a word about it, it comes again with the next visit. */
  close(): void {
    this.#root.modals.close('discount');
  }

  /** Spec §4: it closes once the payment has been started. In Stars the market has the amounts. */
  buy = flow(function* (this: DiscountStore) {
    const { toasts, route } = this.#root;
    const { connection, orders, market } = this.#trade;
    const fault = orderFault(offered);
    if (fault !== null) return toasts.show('error', fault);
    if (this.pricing !== 'fresh') return;
    if (market.inStars) {
      this.close();
      return route.go('/market');
    }
    if (this.needsWallet) {
      this.close(); // the wallet's window would be under it
      void connection.connect(true);
      return void this.comeBack();
    }
    if (yield* wait(orders.buy(offered))) this.close();
  });

  /** Who connects a wallet for it sees it again, unless they have gone elsewhere. */
  private comeBack = flow(function* (this: DiscountStore) {
    const { route, clock } = this.#root;
    const { path } = route;
    if (this.#awaited) return;
    this.#awaited = true;
    yield when(() => !this.needsWallet || route.path !== path);
    this.#awaited = false;
    if (this.needsWallet || route.path !== path) return;
    if (this.endsAt !== null && clock.now < this.endsAt) yield* wait(this.consider(this.#free));
  });

  /** Skipped within a day, or in the way: the player stands in the market with an order to be paid. */
  private get unwelcome(): boolean {
    const { user, platform, clock, route } = this.#root;
    if (!user.user?.age_consent_accepted) return true;
    const skipped = Number(platform.storage.get(key(user.user.id)) ?? Number.NaN);
    if (Math.abs(clock.now - skipped) < rest) return true;
    return route.path === '/market' && this.#trade.orders.open !== null;
  }
}
