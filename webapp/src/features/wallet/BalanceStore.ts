import { flow, makeAutoObservable, observableRef } from 'mobx';
import type { Api } from '../../api/client';
import { asApiError } from '../../api/error';
import type { WalletState } from '../../api/types';
import { isSeen } from '../../stores/seen';
import { wait } from '../../stores/wait';

/** What nobody could tell is asked for again after this while somebody looks, milliseconds. */
const patience = 30_000;

/** What the connected wallet holds, as the chain shows it. */
export class BalanceStore {
  private known: WalletState | null = null;
  /** The last answer did not come, or did not tell. */
  private owed = false;
  /** Questions on their way. */
  private asking = 0;
  private watching = false;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly api: Api) {
    makeAutoObservable<this, 'api' | 'known' | 'owed' | 'watching' | 'timer'>(this, {
      api: false,
      known: observableRef,
      owed: false,
      watching: false,
      timer: false,
    });
  }

  /** Somebody looks at it from now on. */
  watch(): void {
    this.watching = true;
  }

  leave(): void {
    this.watching = false;
    clearTimeout(this.timer);
  }

  /** The device has a network again. */
  wake(): void {
    if (this.watching && this.owed) this.tick();
  }

  load = flow(function* (this: BalanceStore) {
    this.asking += 1;
    try {
      this.known = yield* wait(this.api.wallet());
      this.owed = this.known.wallet_address !== null && this.known.ton_balance === null;
    } catch (error) {
      asApiError(error); // what was known stays
      this.owed = true;
    } finally {
      this.asking -= 1;
    }
    clearTimeout(this.timer);
    if (this.watching && this.owed) this.timer = setTimeout(() => this.tick(), patience);
  });

  /** In the background nobody looks; who comes back asks at once (Sale). */
  private tick(): void {
    if (isSeen()) void this.load();
  }

  /** The first answer about the wallet of this address is on its way: nobody has failed to tell yet. */
  awaits(address: string): boolean {
    return this.asking > 0 && !this.owed && this.known?.wallet_address !== address;
  }

  /** TON of the wallet of this address; null while nobody has told. */
  of(address: string | null): number | null {
    return this.known && this.known.wallet_address === address ? this.known.ton_balance : null;
  }
}
