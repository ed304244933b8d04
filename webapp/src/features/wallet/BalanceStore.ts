import { flow, makeAutoObservable, observableRef } from 'mobx';
import type { Api } from '../../api/client';
import { asApiError } from '../../api/error';
import type { WalletState } from '../../api/types';
import { wait } from '../../stores/wait';

/** What the connected wallet holds, as the chain shows it. */
export class BalanceStore {
  private known: WalletState | null = null;

  constructor(private readonly api: Api) {
    makeAutoObservable<this, 'api' | 'known'>(this, { api: false, known: observableRef });
  }

  load = flow(function* (this: BalanceStore) {
    try {
      this.known = yield* wait(this.api.wallet());
    } catch (error) {
      asApiError(error); // what was known stays
    }
  });

  /** TON of the wallet of this address; null while nobody has told. */
  of(address: string | null): number | null {
    return this.known && this.known.wallet_address === address ? this.known.ton_balance : null;
  }
}
