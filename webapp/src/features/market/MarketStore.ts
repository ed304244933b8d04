import { flow, makeAutoObservable, observableRef } from 'mobx';
import { asApiError } from '../../api/error';
import type { Config, Currency } from '../../api/types';
import type { RootStore } from '../../app/RootStore';
import { type Language, type Micro, toMicro } from '../../format';
import { wait } from '../../stores/wait';
import {
  clampAmount,
  maxAmount,
  type Nanoton,
  nanotons,
  oneTon,
  readTon,
  stepAmount,
  validateField,
  writeTon,
} from './amount';
import { coinsFor, worth } from './coins';
import { type Bounds, clampStars, coinsForStars, everyAmount, type Stars, starPresets } from './stars';
import type { Trade } from './Trade';

/** The storage key of the player's currency. */
const key = 'pay_with';

/** The order form: amount, price, currency, and whether sales are open. */
export class MarketStore {
  /** Null until loaded; until then sales are taken to be open. */
  config: Config | null = null;
  agreed = false;
  /** The wallet app's name in the list of wallets; null until loaded. */
  private nameInWalletList: string | null = null;
  private amount: Nanoton = oneTon;
  /** The text being typed; null if none is. */
  private draft: string | null = null;
  private wantedStars: Stars = 100;
  /** The player's last choice. */
  private preferred: string | null;

  readonly #root: RootStore;
  readonly #trade: Trade;

  constructor(root: RootStore, trade: Trade) {
    this.#root = root;
    this.#trade = trade;
    this.preferred = root.platform.storage.get(key);
    makeAutoObservable(this, { config: observableRef });
  }

  /** The market is on screen. */
  enter(): void {
    void this.#trade.orders.find();
    void this.loadConfig();
  }

  loadConfig = flow(function* (this: MarketStore, anew = this.closed) {
    try {
      this.config = yield* wait(this.#root.api.config(anew));
    } catch (error) {
      asApiError(error); // the last known one stays
    }
    if (this.nameInWalletList === null && this.config) void this.loadWalletName(this.config.wallet);
    return this.config;
  });

  private loadWalletName = flow(function* (
    this: MarketStore,
    { wallets_list_url, app_name }: Config['wallet'],
  ) {
    try {
      const list = new URL(wallets_list_url, window.location.href).href;
      this.nameInWalletList = yield* wait(this.#root.platform.walletName(list, app_name));
    } catch {
      // `walletApp` falls back to the app's id
    }
  });

  /** Sales are switched off. */
  get closed(): boolean {
    return this.config?.sales_enabled === false;
  }

  /** The accepted currencies. A server of a version before Stars sends none: it accepts TON. */
  get currencies(): readonly Currency[] {
    return this.config?.pay_with ?? ['TON'];
  }

  get currency(): Currency {
    const all = this.currencies;
    return all.find((one) => one === this.preferred) ?? all[0] ?? 'TON';
  }

  get inStars(): boolean {
    return this.currency === 'XTR';
  }

  payWith(currency: Currency): void {
    this.preferred = currency;
    this.#root.platform.storage.set(key, currency);
  }

  /** The price of a Star and the bounds of an order; null until loaded. */
  get starTerms(): (Bounds & { readonly usd: Micro }) | null {
    const { info } = this.#trade.prices;
    return info.is === 'known' && info.info.stars
      ? { ...info.info.stars, usd: toMicro(info.info.stars.usd) }
      : null;
  }

  get starPresets(): readonly Stars[] {
    return starPresets(this.starTerms ?? everyAmount);
  }

  get stars(): Stars {
    return clampStars(this.wantedStars, this.starTerms ?? everyAmount);
  }

  chooseStars(stars: Stars): void {
    this.wantedStars = stars;
  }

  /** The wallet app's display name, such as "Tonkeeper". */
  get walletApp(): string {
    if (this.nameInWalletList !== null) return this.nameInWalletList;
    const name = this.config?.wallet.app_name || 'tonkeeper';
    return name[0]?.toUpperCase() + name.slice(1);
  }

  /** What the field shows. */
  text(language: Language): string {
    return this.draft ?? writeTon(this.amount, language);
  }

  /** The amount in the field; null if it is none. */
  get chosen(): Nanoton | null {
    return this.draft === null ? this.amount : readTon(this.draft);
  }

  /** An empty field is no error. */
  get validationError() {
    return this.draft === '' ? null : validateField(this.chosen);
  }

  write(draft: string): void {
    // One decimal (spec §2): further ones are cut off.
    this.draft = draft.trim().replace(/([.,]\d)\d+$/, '$1');
  }

  /** Spec §5: clamps the typed amount when the field loses the focus. */
  commitDraft(): void {
    if (this.draft !== null) this.choose(clampAmount(readTon(this.draft)));
  }

  step(up: boolean): void {
    this.choose(stepAmount(this.chosen, up));
  }

  max(): void {
    const { held } = this.#trade.wallet;
    this.choose(maxAmount(held === null ? null : nanotons(held)));
  }

  agree(agreed: boolean): void {
    this.agreed = agreed;
  }

  /**
   * Whether the prices can be sold at. `paused`: the price of TON is stale or has jumped, and the server refuses orders
   * (decision 0032). `missing`: a price could not be loaded.
   */
  get pricing(): 'awaited' | 'paused' | 'missing' | 'fresh' {
    const { rate, price, ton, tonFailed } = this.#trade.prices;
    if (this.inStars) {
      if (price?.approximate) return 'missing';
      return price && this.starTerms ? 'fresh' : 'awaited';
    }
    if (rate?.approximate && ton && !tonFailed) return 'paused';
    if (rate?.approximate || price?.approximate) return 'missing';
    return rate && price ? 'fresh' : 'awaited';
  }

  /**
   * How many coins the amount buys, approximately, and its value in US dollars; null unless both prices are fresh.
   */
  get quote(): { coins: Micro; usd: Micro } | null {
    const { rate, price } = this.#trade.prices;
    if (!price || this.pricing !== 'fresh') return null;
    if (this.inStars) {
      const star = this.starTerms?.usd ?? 0;
      return { coins: coinsForStars(this.stars, star, price.usd), usd: this.stars * star };
    }
    if (!rate) return null;
    if (this.chosen === null || this.validationError !== null) return null;
    return {
      coins: coinsFor(this.chosen, rate.usd, price.usd),
      usd: worth(Number(this.chosen / 1000n), rate.usd),
    };
  }

  /** TON is paid with, and no wallet is connected. */
  get needsWallet(): boolean {
    return !this.inStars && !this.#root.user.user?.wallet_address;
  }

  connect(): void {
    void this.#trade.connection.connect();
  }

  /** Spec §5. */
  get canBuy(): boolean {
    const enough = this.inStars || (this.chosen !== null && validateField(this.chosen) === null);
    if (this.pricing !== 'fresh' || this.closed || this.#trade.orders.buying) return false;
    return this.agreed && enough && this.#root.user.user !== null;
  }

  buy(): Promise<boolean> {
    const { orders } = this.#trade;
    return this.inStars ? orders.buyStars(this.stars) : orders.buy(this.chosen);
  }

  choose(amount: Nanoton): void {
    this.amount = amount;
    this.draft = null;
  }
}
