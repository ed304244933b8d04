import { flow, makeAutoObservable, when } from 'mobx';
import type { RootStore } from '../../app/RootStore';
import { wait } from '../../stores/wait';
import { oneTon, validateOrder } from '../market/amount';
import type { Trade } from '../market/Trade';

/** The longest delay of setTimeout, milliseconds; a longer one would fire at once. */
const longestTimer = 2 ** 31 - 1;
/** After Skip the offer is not shown for this long, milliseconds (decision 0032). */
const skipMs = 86_400_000;
/** Exactly this much is offered (spec §5). */
export const discountAmount = oneTon;

/** A device may be shared, so each player is remembered under their own key. */
const key = (player: number) => `discount_skipped:${player}`;

/** The offer of the first days, while the launch price really holds. */
export class DiscountStore {
  #closeTimer: ReturnType<typeof setTimeout> | undefined;
  #free = () => true;
  #isConnecting = false;

  readonly #root: RootStore;
  readonly #trade: Trade;

  constructor(root: RootStore, trade: Trade) {
    this.#root = root;
    this.#trade = trade;
    makeAutoObservable(this);
  }

  /** Offers it to a player who has not skipped it lately, if there is something to offer, as soon as they are `free`. */
  offer = flow(function* (this: DiscountStore, free: () => boolean) {
    this.#free = free;
    const { modals, clock } = this.#root;
    const { market, prices } = this.#trade;
    if (this.isSuppressed) return;
    const config = yield* wait(market.loadConfig());
    if (!config?.sales_enabled) return;
    const info = yield* wait(prices.loadInfoIfStale());
    if (!info?.discount.active) return;
    yield when(free); // the answers took their time, and who taps by now goes on
    if (this.isSuppressed) return;
    const time = Date.parse(info.discount.ends_at) - clock.now;
    if (!(time > 0)) return;
    modals.enqueue({ is: 'discount' });
    clearTimeout(this.#closeTimer);
    this.#closeTimer = setTimeout(() => this.close(), Math.min(time, longestTimer));
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

  dismissForDay(): void {
    const { user, platform, clock } = this.#root;
    if (user.user) platform.storage.set(key(user.user.id), String(clock.now));
    this.close();
  }

  /** Unlike after `dismissForDay`, it is offered again at the next visit. */
  close(): void {
    this.#root.modals.close('discount');
  }

  /** Spec §4: it closes once the payment has been started. In Stars the market has the amounts. */
  buy = flow(function* (this: DiscountStore) {
    const { toasts, route } = this.#root;
    const { connection, orders, market } = this.#trade;
    const fault = validateOrder(discountAmount);
    if (fault !== null) return toasts.show('error', fault);
    if (this.pricing !== 'fresh') return;
    if (market.inStars) {
      this.close();
      return route.go('/market');
    }
    if (this.needsWallet) {
      this.close(); // the wallet's window would be under it
      void connection.connect(true);
      return void this.offerOnceConnected();
    }
    if (yield* wait(orders.buy(discountAmount))) this.close();
  });

  /** Opens the offer again once a wallet is connected, unless the player has left the screen. */
  private offerOnceConnected = flow(function* (this: DiscountStore) {
    const { route, clock } = this.#root;
    const { path } = route;
    if (this.#isConnecting) return;
    this.#isConnecting = true;
    yield when(() => !this.needsWallet || route.path !== path);
    this.#isConnecting = false;
    if (this.needsWallet || route.path !== path) return;
    if (this.endsAt !== null && clock.now < this.endsAt) yield* wait(this.offer(this.#free));
  });

  /** Skipped within a day, or the player is in the market with an open order. */
  private get isSuppressed(): boolean {
    const { user, platform, clock, route } = this.#root;
    if (!user.user?.age_consent_accepted) return true;
    const skipped = Number(platform.storage.get(key(user.user.id)) ?? Number.NaN);
    if (Math.abs(clock.now - skipped) < skipMs) return true;
    return route.path === '/market' && this.#trade.orders.open !== null;
  }
}
