import { computedStruct, flow, makeAutoObservable, observableRef } from 'mobx';
import type { Api } from '../../api/client';
import { asApiError } from '../../api/error';
import type { PriceInfo, TonPrice } from '../../api/types';
import { type Micro, toMicro } from '../../format';
import type { Clock } from '../../stores/Clock';
import { isVisible } from '../../stores/PageLifecycle';
import { wait } from '../../stores/wait';

/** Spec §9, milliseconds. */
const tonRefresh = 120_000;
const infoRefresh = 300_000;
/** The same while nothing is sold at what is known: who waits to buy need not reload the page. */
const staleAfterMs = 30_000;
const infoCache = 60_000;
/** Past this age nothing is sold at a price, milliseconds (decision 0032). */
const ageAllowed = 600_000;
/** The server may need a moment for what our clock says is due. */
const requestTimeoutMs = 5000;

/** Spec §8: where nothing could be loaded. No screen shows them as figures, and nothing is ever sold on them. */
const fallback = { ton: 2_500_000, price: 1000, next: 1300, wallet: 10_000 };

type Info = { is: 'unknown' } | { is: 'failed' } | { is: 'known'; info: PriceInfo; at: number };

/** What one of a coin costs in US dollars. */
export type Rate = {
  readonly usd: Micro;
  readonly approximate: boolean;
  /** Nothing could be loaded. */
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

/** The prices of TON and of MCBK: kept fresh while somebody looks at them, and asked for again when they change. */
export class PriceStore {
  ton: TonPrice | null = null;
  /** The TON price was last asked for in vain. */
  tonFailed = false;
  info: Info = { is: 'unknown' };
  loadingInfo = false;
  #watching = false;
  #asking: Promise<void> | null = null;
  /** When the price info was last asked for. */
  #requestedAt = 0;
  #tonTimer: ReturnType<typeof setTimeout> | undefined;
  #infoTimer: ReturnType<typeof setTimeout> | undefined;

  readonly #api: Api;
  readonly #clock: Clock;

  constructor(api: Api, clock: Clock) {
    this.#api = api;
    this.#clock = clock;
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
      const age = this.#clock.now - Date.parse(this.ton.updated_at);
      return { usd: toMicro(this.ton.data.ton_price_usd), approximate: this.ton.stale || age > ageAllowed };
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
   * What the wallet screen values MCBK at: the price of TON brings today's too, where the price info does not come.
   * Null while the first answer is awaited.
   */
  get walletPrice(): Rate | null {
    if (this.info.is === 'known') return { usd: toMicro(this.info.info.price), approximate: false };
    if (this.ton) return { usd: toMicro(this.ton.data.mcbk_price_usd), approximate: this.tonFailed };
    if (this.info.is !== 'failed' || !this.tonFailed) return null;
    return { usd: fallback.wallet, approximate: true, fallback: true };
  }

  /** Somebody looks at the prices from now on. */
  watch(): void {
    if (this.#watching) return;
    this.#watching = true;
    void this.loadTon();
    void this.freshInfo();
  }

  leave(): void {
    this.#watching = false;
    clearTimeout(this.#tonTimer);
    clearTimeout(this.#infoTimer);
  }

  /** The page is looked at staleAfterMs: timers may have slept with it. */
  onForeground(): void {
    if (!this.#watching) return;
    void this.loadTon();
    void this.freshInfo();
  }

  /** The price info, asked for unless the last answer is young enough. */
  freshInfo = flow(function* (this: PriceStore) {
    if (this.info.is === 'known' && this.#clock.now - this.info.at < infoCache && !this.due) this.plan();
    else yield this.loadInfo();
    return this.info.is === 'known' ? this.info.info : null;
  });

  loadTon = flow(function* (this: PriceStore) {
    clearTimeout(this.#tonTimer);
    try {
      this.ton = yield* wait(this.#api.tonPrice());
      this.tonFailed = false;
    } catch (error) {
      asApiError(error);
      this.tonFailed = true;
    } finally {
      if (this.#watching) {
        clearTimeout(this.#tonTimer);
        const pause = this.rate?.approximate ? staleAfterMs : tonRefresh;
        this.#tonTimer = setTimeout(() => {
          if (isVisible()) void this.loadTon();
        }, pause);
      }
    }
  });

  /** Whoever asks while the answer is on its way waits for that one. */
  loadInfo(): Promise<void> {
    this.#asking ??= this.fetchInfo().finally(() => {
      this.#asking = null;
    });
    return this.#asking;
  }

  private fetchInfo = flow(function* (this: PriceStore) {
    this.loadingInfo = true;
    this.#requestedAt = this.#clock.now;
    try {
      const info = yield* wait(this.#api.priceInfo());
      this.info = { is: 'known', info, at: this.#clock.now };
    } catch (error) {
      asApiError(error);
      if (this.info.is !== 'known') this.info = { is: 'failed' };
    } finally {
      this.loadingInfo = false;
      this.plan();
    }
  });

  /** The price that is known has been replaced by the next one. */
  private get due(): boolean {
    const changesAt = this.price?.changesAt ?? null;
    return changesAt !== null && changesAt <= this.#clock.now;
  }

  /** Spec §4: asked for again after 5 minutes, or when the countdown has reached 0. */
  private plan(): void {
    clearTimeout(this.#infoTimer);
    if (!this.#watching) return;
    const changesAt = this.price?.changesAt ?? null;
    const next = Math.min(
      changesAt ?? Number.POSITIVE_INFINITY,
      this.#requestedAt + (this.price?.approximate ? staleAfterMs : infoRefresh),
    );
    const pause = next - this.#clock.now;
    this.#infoTimer = setTimeout(
      () => {
        if (isVisible()) void this.loadInfo();
      },
      pause > 0 ? pause : requestTimeoutMs,
    );
  }
}
