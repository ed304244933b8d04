import { computedStruct, flow, makeAutoObservable, observableRef } from 'mobx';
import { asApiError } from '../../api/error';
import type { PriceInfo, TonPrice } from '../../api/types';
import type { RootStore } from '../../app/RootStore';
import { type Micro, toMicro } from '../../format';
import { isVisible } from '../../stores/PageLifecycle';
import { wait } from '../../stores/wait';

/** Spec §9, milliseconds. */
const tonRefreshMs = 120_000;
const infoRefreshMs = 300_000;
/** The same while the known price is too old to sell at. */
const staleAfterMs = 30_000;
const infoCacheMs = 60_000;
/** Nothing is sold at an older price, milliseconds (decision 0032). */
const maxAgeMs = 600_000;
/** The delay before loading a price that is due by our clock, milliseconds. */
const dueDelayMs = 5000;

/** Spec §8: used if nothing could be loaded. No screen shows them, and nothing is sold at them. */
const fallback = { ton: 2_500_000, price: 1000, next: 1300, wallet: 10_000 };

type Info = { is: 'unknown' } | { is: 'failed' } | { is: 'known'; info: PriceInfo; at: number };

/** What one of a coin costs in US dollars. */
export type Rate = {
  readonly usd: Micro;
  readonly approximate: boolean;
  /** It is the fallback. */
  readonly fallback?: true;
};

/** What one MCBK costs in US dollars, what it will cost next, and from when on. */
export type McbkPrice = {
  readonly usd: Micro;
  /** Null where the last price of the schedule holds. */
  readonly next: Micro | null;
  /** Milliseconds since 1970; null where it is not known, or there is no next price. */
  readonly changesAt: number | null;
  readonly approximate: boolean;
};

/** The prices of TON and MCBK, refreshed while a screen shows them and when they are due to change. */
export class PriceStore {
  ton: TonPrice | null = null;
  /** The last load of the TON price has failed. */
  tonFailed = false;
  info: Info = { is: 'unknown' };
  loadingInfo = false;
  #watching = false;
  #asking: Promise<void> | null = null;
  /** When the price info was last requested. */
  #requestedAt = 0;
  #tonTimer: ReturnType<typeof setTimeout> | undefined;
  #infoTimer: ReturnType<typeof setTimeout> | undefined;

  readonly #root: RootStore;

  constructor(root: RootStore) {
    this.#root = root;
    makeAutoObservable(this, {
      ton: observableRef,
      rate: computedStruct,
      walletPrice: computedStruct,
      info: observableRef,
    });
  }

  /** What a TON costs. Null while the first answer is awaited. */
  get rate(): Rate | null {
    if (this.ton) {
      const age = this.#root.clock.now - Date.parse(this.ton.updated_at);
      return { usd: toMicro(this.ton.data.ton_price_usd), approximate: this.ton.stale || age > maxAgeMs };
    }
    return this.tonFailed ? { usd: fallback.ton, approximate: true, fallback: true } : null;
  }

  /** Null while the first answer is awaited. */
  get price(): McbkPrice | null {
    if (this.info.is === 'unknown') return null;
    if (this.info.is === 'failed')
      return { usd: fallback.price, next: fallback.next, changesAt: null, approximate: true };
    const { price, next_price, next_change_at } = this.info.info;
    return {
      usd: toMicro(price),
      next: next_price === null ? null : toMicro(next_price),
      changesAt: next_change_at === null ? null : Date.parse(next_change_at),
      approximate: false,
    };
  }

  /**
   * The MCBK price of the wallet screen; the answer of the TON price has it, too, if the price info cannot be loaded.
   * Null while the first answer is awaited.
   */
  get walletPrice(): Rate | null {
    if (this.info.is === 'known') return { usd: toMicro(this.info.info.price), approximate: false };
    if (this.ton) return { usd: toMicro(this.ton.data.mcbk_price_usd), approximate: this.tonFailed };
    if (this.info.is !== 'failed' || !this.tonFailed) return null;
    return { usd: fallback.wallet, approximate: true, fallback: true };
  }

  /** A screen shows the prices from now on. */
  watch(): void {
    if (this.#watching) return;
    this.#watching = true;
    void this.loadTon();
    void this.loadInfoIfStale();
  }

  leave(): void {
    this.#watching = false;
    clearTimeout(this.#tonTimer);
    clearTimeout(this.#infoTimer);
  }

  /** The page is visible again: its timers may have been suspended. */
  onForeground(): void {
    if (!this.#watching) return;
    void this.loadTon();
    void this.loadInfoIfStale();
  }

  /** The price info, from the cache or loaded; null if it cannot be loaded. */
  loadInfoIfStale = flow(function* (this: PriceStore) {
    if (this.info.is === 'known' && this.#root.clock.now - this.info.at < infoCacheMs && !this.isOutdated)
      this.scheduleReload();
    else yield this.loadInfo();
    return this.info.is === 'known' ? this.info.info : null;
  });

  loadTon = flow(function* (this: PriceStore) {
    clearTimeout(this.#tonTimer);
    try {
      this.ton = yield* wait(this.#root.api.tonPrice());
      this.tonFailed = false;
    } catch (error) {
      asApiError(error);
      this.tonFailed = true;
    } finally {
      if (this.#watching) {
        clearTimeout(this.#tonTimer);
        const pause = this.rate?.approximate ? staleAfterMs : tonRefreshMs;
        this.#tonTimer = setTimeout(() => {
          if (isVisible()) void this.loadTon();
        }, pause);
      }
    }
  });

  /** Concurrent calls share one request. */
  loadInfo(): Promise<void> {
    this.#asking ??= this.fetchInfo().finally(() => {
      this.#asking = null;
    });
    return this.#asking;
  }

  private fetchInfo = flow(function* (this: PriceStore) {
    this.loadingInfo = true;
    this.#requestedAt = this.#root.clock.now;
    try {
      const info = yield* wait(this.#root.api.priceInfo());
      this.info = { is: 'known', info, at: this.#root.clock.now };
    } catch (error) {
      asApiError(error);
      if (this.info.is !== 'known') this.info = { is: 'failed' };
    } finally {
      this.loadingInfo = false;
      this.scheduleReload();
    }
  });

  /** The next price is in force by now. */
  private get isOutdated(): boolean {
    const changesAt = this.price?.changesAt ?? null;
    return changesAt !== null && changesAt <= this.#root.clock.now;
  }

  /** Spec §4: reloaded after 5 minutes, and when the countdown reaches 0. */
  private scheduleReload(): void {
    clearTimeout(this.#infoTimer);
    if (!this.#watching) return;
    const changesAt = this.price?.changesAt ?? null;
    const next = Math.min(
      changesAt ?? Number.POSITIVE_INFINITY,
      this.#requestedAt + (this.price?.approximate ? staleAfterMs : infoRefreshMs),
    );
    const pause = next - this.#root.clock.now;
    this.#infoTimer = setTimeout(
      () => {
        if (isVisible()) void this.loadInfo();
      },
      pause > 0 ? pause : dueDelayMs,
    );
  }
}
