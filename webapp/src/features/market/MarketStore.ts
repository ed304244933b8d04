import { flow, makeAutoObservable, observableRef } from 'mobx';
import { asApiError } from '../../api/error';
import type { Config, Currency } from '../../api/types';
import type { RootStore } from '../../app/RootStore';
import { type Language, type Micro, toMicro } from '../../format';
import { wait } from '../../stores/wait';
import {
  clamped,
  fieldFault,
  most,
  type Nanoton,
  nanotons,
  oneTon,
  readTon,
  stepped,
  writeTon,
} from './amount';
import { coinsFor, worth } from './coins';
import { type Bounds, clampStars, coinsForStars, everyAmount, type Stars, starPresets } from './stars';
import type { Trade } from './Trade';

/** Under this the device remembers what its player pays with. */
const key = 'pay_with';

/** What the player sees before they order: how much, for what, and whether anything is sold. */
export class MarketStore {
  /** Unknown until asked for; without an answer nothing is said to be closed. */
  config: Config | null = null;
  agreed = false;
  /** What the list of wallets calls the app; null while it is not known. */
  private listedName: string | null = null;
  private amount: Nanoton = oneTon;
  /** What is being written; null when nobody writes. */
  private draft: string | null = null;
  private wantedStars: Stars = 100;
  /** What the player last chose to pay with. */
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
      asApiError(error); // what was known holds
    }
    if (this.listedName === null && this.config) void this.loadWalletName(this.config.wallet);
    return this.config;
  });

  private loadWalletName = flow(function* (
    this: MarketStore,
    { wallets_list_url, app_name }: Config['wallet'],
  ) {
    try {
      const list = new URL(wallets_list_url, window.location.href).href;
      this.listedName = yield* wait(this.#root.platform.walletName(list, app_name));
    } catch {
      // the name is made of the app's own
    }
  });

  /** Nothing is sold now. */
  get closed(): boolean {
    return this.config?.sales_enabled === false;
  }

  /** What players can pay with. A server from before Stars does not tell: it takes TON. */
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

  /** What orders in Stars go by: the price of a Star and their bounds; null while it is not known. */
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

  /** What players call the wallet app, such as "Tonkeeper". */
  get walletApp(): string {
    if (this.listedName !== null) return this.listedName;
    const name = this.config?.wallet.app_name || 'tonkeeper';
    return name[0]?.toUpperCase() + name.slice(1);
  }

  /** What the field shows. */
  text(language: Language): string {
    return this.draft ?? writeTon(this.amount, language);
  }

  /** What the field holds; null when it is no amount. */
  get chosen(): Nanoton | null {
    return this.draft === null ? this.amount : readTon(this.draft);
  }

  /** Who has written nothing yet has done nothing wrong. */
  get fault() {
    return this.draft === '' ? null : fieldFault(this.chosen);
  }

  write(draft: string): void {
    // The field goes by tenths (spec §2): further decimals are not taken.
    this.draft = draft.trim().replace(/([.,]\d)\d+$/, '$1');
  }

  /** Spec §5: what is written is clamped once the player is done. */
  settle(): void {
    if (this.draft !== null) this.choose(clamped(readTon(this.draft)));
  }

  step(up: boolean): void {
    this.choose(stepped(this.chosen, up));
  }

  max(): void {
    const { held } = this.#trade.wallet;
    this.choose(most(held === null ? null : nanotons(held)));
  }

  agree(agreed: boolean): void {
    this.agreed = agreed;
  }

  /**
   * What is shown of the prices is what is sold at. `paused`: the price of TON is too old or has jumped, and the server sells nothing
   * at it (decision 0032). `missing`: one of them did not come, or not lately, and nobody buys at a made-up one.
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
   * About how many coins the amount brings, and what it is worth in US dollars; null unless both prices are known:
   * what is made up is shown as a price, but nobody is told what they would get for it.
   */
  get brings(): { coins: Micro; usd: Micro } | null {
    const { rate, price } = this.#trade.prices;
    if (!price || this.pricing !== 'fresh') return null;
    if (this.inStars) {
      const star = this.starTerms?.usd ?? 0;
      return { coins: coinsForStars(this.stars, star, price.usd), usd: this.stars * star };
    }
    if (!rate) return null;
    if (this.chosen === null || this.fault !== null) return null;
    return {
      coins: coinsFor(this.chosen, rate.usd, price.usd),
      usd: worth(Number(this.chosen / 1000n), rate.usd),
    };
  }

  /** The button leads to a wallet: TON is paid with, and none is connected. */
  get needsWallet(): boolean {
    return !this.inStars && !this.#root.user.user?.wallet_address;
  }

  connect(): void {
    void this.#trade.connection.connect();
  }

  /** Spec §5: also a price to buy at. */
  get mayBuy(): boolean {
    const enough = this.inStars || (this.chosen !== null && fieldFault(this.chosen) === null);
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
