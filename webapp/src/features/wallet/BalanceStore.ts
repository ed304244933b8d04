import { flow, makeAutoObservable, observableRef } from 'mobx';
import type { Api } from '../../api/client';
import { asApiError } from '../../api/error';
import type { WalletState } from '../../api/types';
import { isVisible } from '../../stores/PageLifecycle';
import { wait } from '../../stores/wait';

/** A failed load is repeated after this while a screen shows the balance, milliseconds. */
const requestTimeoutMs = 30_000;

/** What the connected wallet holds, as the chain shows it. */
export class BalanceStore {
  private loaded: WalletState | null = null;
  /** The last load has failed, or had no balance. */
  #stale = false;
  /** Questions on their way. */
  private asking = 0;
  #watching = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #api: Api;

  constructor(api: Api) {
    this.#api = api;
    makeAutoObservable<this, 'loaded'>(this, { loaded: observableRef });
  }

  /** A screen shows it from now on. */
  watch(): void {
    this.#watching = true;
  }

  leave(): void {
    this.#watching = false;
    clearTimeout(this.#timer);
  }

  /** The device has a network again. */
  onForeground(): void {
    if (this.#watching && this.#stale) this.tick();
  }

  load = flow(function* (this: BalanceStore) {
    this.asking += 1;
    try {
      this.loaded = yield* wait(this.#api.wallet());
      this.#stale = this.loaded.wallet_address !== null && this.loaded.ton_balance === null;
    } catch (error) {
      asApiError(error); // what was known stays
      this.#stale = true;
    } finally {
      this.asking -= 1;
    }
    clearTimeout(this.#timer);
    if (this.#watching && this.#stale) this.#timer = setTimeout(() => this.tick(), requestTimeoutMs);
  });

  /** Not in the background: on return it is loaded at once (Trade). */
  private tick(): void {
    if (isVisible()) void this.load();
  }

  /** The first load of this address's balance is in flight. */
  awaits(address: string): boolean {
    return this.asking > 0 && !this.#stale && this.loaded?.wallet_address !== address;
  }

  /** TON held by this address; null until loaded. */
  of(address: string | null): number | null {
    return this.loaded && this.loaded.wallet_address === address ? this.loaded.ton_balance : null;
  }
}
