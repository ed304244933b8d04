import { flow, makeAutoObservable } from 'mobx';
import { ApiError, asApiError, isTransient } from '../../api/error';
import type { RootStore } from '../../app/RootStore';
import { errorKey } from '../../i18n/errors';
import { pause } from '../../pause';
import type { Account } from '../../wallet';
import type { Trade } from '../market/Trade';
import { BalanceStore } from './BalanceStore';
import type { WalletConnection } from './WalletConnection';

/** Tries before the player hears that it failed, and the pause between them, milliseconds. */
const attempts = 3;
const retryDelay = 2000;
/** With a longer retryAfter the change is sent at the next visit, milliseconds. */
const maxRetryDelay = 30_000;

/** What the server may find wrong with a proof: the address can be connected without one. */
const proofErrors: readonly string[] = ['wallet_proof_invalid', 'nonce_used', 'expired'];

/**
 * The player's wallet as the server knows it: the truth, which may have been connected on another device. It is live
 * while this device is connected to the same wallet.
 */
export class ServerWallet {
  readonly balance: BalanceStore;
  /** A wallet change is being sent. */
  saving = false;
  readonly #root: RootStore;
  readonly #connection: WalletConnection;

  constructor(root: RootStore, { connection }: Trade) {
    this.balance = new BalanceStore(root.api);
    this.#root = root;
    this.#connection = connection;
    makeAutoObservable(this, { balance: false });
  }

  /** User-friendly. */
  get address(): string | null {
    return this.#root.user.user?.wallet_address ?? null;
  }

  /** Whether this device can ask the wallet for a payment. */
  get live(): boolean {
    const { account } = this.#connection;
    return account !== null && account.address === this.address;
  }

  /** TON in the wallet; null while unknown. */
  get held(): number | null {
    return this.balance.of(this.address);
  }

  /** A screen that shows the wallet, or sells, has opened. */
  enter(): void {
    this.balance.watch();
    if (this.address !== null) void this.balance.load();
    if (this.#connection.isKept()) this.#connection.load();
  }

  /** The server forgets the address, and the connection of this device ends. */
  disconnect = flow(function* (this: ServerWallet) {
    if (this.saving || this.#connection.step !== 'idle') return;
    const connection = this.#connection;
    const isKept = connection.isKept();
    this.saving = true;
    try {
      if (isKept) connection.markEnded(true);
      yield this.#save(null);
      if (isKept) this.#end();
    } catch (error) {
      if (isKept) connection.markEnded(false);
      this.#root.toasts.show('error', errorKey(asApiError(error).code));
    } finally {
      this.saving = false;
    }
  });

  /** The server may never have heard of the wallet, or forgotten it; another wallet, chosen since, takes precedence. */
  onRestored(account: Account): void {
    if (this.live) this.#connection.markEnded(false);
    else if (this.address === null && !this.#connection.isMarkedEnded()) void this.onConnected(account);
    else this.#end();
  }

  onConnected = flow(function* (this: ServerWallet, account: Account) {
    const { toasts } = this.#root;
    this.#connection.markEnded(false);
    this.saving = true;
    toasts.retract('errors.declined'); // at the try before
    const notice = toasts.wait('toast.connecting_wallet');
    try {
      try {
        yield this.#save(account);
        toasts.show('success', 'toast.wallet_joined');
      } catch (error) {
        const { code } = asApiError(error);
        if (!proofErrors.includes(code)) throw error;
        yield this.#save({ ...account, proof: null });
        toasts.show('error', 'errors.unproven');
      }
      void this.balance.load();
    } catch (caught) {
      toasts.dismiss(notice); // ending the connection may take long
      const error = asApiError(caught);
      if (error.code === 'wallet_address_invalid')
        toasts.show('error', 'toast.failed', { message: error.message });
      else toasts.show('error', isTransient(error) ? 'errors.wallet_connect' : errorKey(error.code));
      // A refused wallet is disconnected; after any other failure the change is sent at the next visit.
      if (!isTransient(error)) yield this.#connection.drop();
    } finally {
      toasts.dismiss(notice);
      this.saving = false;
    }
  });

  onDisconnected = flow(function* (this: ServerWallet, { address }: Account) {
    const { user, toasts, platform } = this.#root;
    const key = platform.newId();
    let saved = false;
    try {
      yield this.#retry(async () => {
        // Another wallet, chosen on another device, stays; here one may be connected by now.
        await user.load(null);
        if (this.address !== address || this.#connection.account) return;
        saved = true;
        await this.#put(null, key);
      });
      if (!saved || this.address !== null) return;
      toasts.retract('toast.wallet_joined');
      toasts.show('info', 'toast.wallet_left');
    } catch (error) {
      toasts.show('error', errorKey(asApiError(error).code));
    }
  });

  #end(): void {
    if (this.address === null) this.#connection.markEnded(true); // it may have been restored meanwhile
    this.#connection.end();
  }

  #save(account: Account | null): Promise<void> {
    const key = this.#root.platform.newId();
    return this.#retry(() => this.#put(account, key));
  }

  #put(account: Account | null, key: string): Promise<void> {
    const { api, user } = this.#root;
    const change = {
      wallet_address: account?.raw ?? null,
      ...(account?.proof ? { proof: account.proof } : {}),
    };
    return user.enqueueChange(() => api.setWallet(change, key));
  }

  async #retry(request: () => Promise<void>): Promise<void> {
    for (let left = attempts; ; left -= 1) {
      try {
        return await request();
      } catch (error) {
        if (!(error instanceof ApiError) || !isTransient(error) || left === 1) throw error;
        const delay = Math.max(retryDelay, (error.retryAfter ?? 0) * 1000);
        if (delay > maxRetryDelay) throw error;
        await pause(delay);
      }
    }
  }
}
