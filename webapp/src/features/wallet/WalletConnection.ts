import { flow, makeAutoObservable, observableRef } from 'mobx';
import type { Api } from '../../api/client';
import type { Config } from '../../api/types';
import type { KeyValueStorage } from '../../storage';
import type { Clock } from '../../stores/Clock';
import { isVisible } from '../../stores/PageLifecycle';
import type { ToastStore } from '../../stores/ToastStore';
import type { UserStore } from '../../stores/UserStore';
import {
  type Account,
  isEnded,
  isKept,
  type Options,
  setEnded,
  tonConnectStorage,
  type WalletApp,
  type WidgetWindow,
} from '../../wallet';
import { fetchPayload, renewalDelay } from './request';

/** Spec §9, milliseconds. */
const connectDelay = 300;
/** For the widget's code and its window, milliseconds. */
const openTimeout = 20_000;
/** Spec §4: "on error, retry the same way", once. */
const attempts = 2;
/** A payload that could not be renewed is tried again after this, milliseconds. */
const renewalRetry = 5000;

export type ConnectionDeps = {
  readonly api: Api;
  readonly user: UserStore;
  readonly clock: Clock;
  readonly toasts: ToastStore;
  readonly box: KeyValueStorage;
  /** Loads TON Connect's code. */
  readonly openWallet: (options: Options) => Promise<WalletApp>;
  /** Null when it cannot be loaded. */
  readonly config: () => Promise<Config | null>;
  /** A window of the widget lies over everything, and this closes it; null once it is gone. */
  readonly cover: (close: (() => void) | null) => void;
  /** The server is being told about a wallet. */
  readonly isSaving: () => boolean;
  /** A kept connection is restored. */
  readonly onRestored: (account: Account) => void;
  readonly onConnected: (account: Account) => void;
  /** The connection was ended in the wallet app, or in the widget. */
  readonly onDisconnected: (account: Account) => void;
};

/** The connection of this device to the player's wallet app, by TON Connect. */
export class WalletConnection {
  /** `opening`: the window is still to come. */
  step: 'idle' | 'opening' | 'open' = 'idle';
  account: Account | null = null;
  /** Once its code is here; a kept connection may still be being restored. */
  app: WalletApp | null = null;
  readonly #deps: ConnectionDeps;
  #loading: Promise<WalletApp> | null = null;
  #isRestored = false;
  /** We end the connection ourselves. */
  #isEnding = false;
  /** Resolves once the last connection has ended. */
  #ended: Promise<void> = Promise.resolve();
  #renewal: ReturnType<typeof setTimeout> | undefined;

  constructor(deps: ConnectionDeps) {
    this.#deps = deps;
    makeAutoObservable(this, { account: observableRef, app: observableRef });
  }

  /** This device keeps a connection of the player. */
  isKept(): boolean {
    const { user, box } = this.#deps;
    return user.user !== null && isKept(box, user.user.id);
  }

  /** Loads the widget; without its code the wallet can still be connected later, and orders paid by their link. */
  load(): void {
    this.#open().catch(() => undefined);
  }

  /** Spec §4, wallet connect flow. `buying`: the player is told why the window opens. */
  connect = flow(function* (this: WalletConnection, buying = false) {
    const { toasts, isSaving } = this.#deps;
    if (this.step !== 'idle' || isSaving()) return;
    this.step = 'opening';
    const notice = toasts.wait('toast.connecting_wallet');
    try {
      for (let left = attempts; ; left -= 1) {
        try {
          yield this.#openWindow();
          if (buying) toasts.show('info', 'errors.wallet_needed');
          return;
        } catch {
          if (left > 1) continue;
          toasts.show('error', 'errors.wallet_connect');
          this.step = 'idle';
          return;
        }
      }
    } finally {
      toasts.dismiss(notice);
    }
  });

  /** Ends the connection in the background: the bridge may take long. Only the next connection waits for it. */
  end(): void {
    this.#isEnding = true;
    this.#ended = this.#ended.then(() => this.drop());
  }

  /** Ends the connection; the wallet app hears of it if it can be reached. */
  async drop(): Promise<void> {
    this.#isEnding = true;
    try {
      const app = await this.#open();
      if (app.account) await app.disconnect();
      this.markEnded(false);
    } catch {
      // Nothing to end, or nobody to tell.
    } finally {
      this.#isEnding = false;
    }
  }

  /** The player has ended the connection that is kept, though the bridge may not have answered yet: the next page ends it. */
  markEnded(ended: boolean): void {
    const { box, user } = this.#deps;
    if (user.user) setEnded(box, user.user.id, ended);
  }

  isMarkedEnded(): boolean {
    const { box, user } = this.#deps;
    return user.user !== null && isEnded(box, user.user.id);
  }

  setLanguage(): void {
    const language = this.#deps.user.user?.language;
    if (language) this.app?.setLanguage(language);
  }

  async #openWindow(): Promise<void> {
    const app = await withTimeout(this.#open());
    await withTimeout(this.#ended); // it would take the new connection with it
    if (app.account) await this.drop();
    await new Promise((resolve) => setTimeout(resolve, connectDelay));
    await withTimeout(app.open());
  }

  #open(): Promise<WalletApp> {
    this.#loading ??= this.#load().catch((error: unknown) => {
      this.#loading = null;
      throw error;
    });
    return this.#loading;
  }

  async #load(): Promise<WalletApp> {
    const { openWallet, user: users, box, toasts, config: loadConfig } = this.#deps;
    const [config, user] = [await loadConfig(), users.user];
    if (!config || !user) throw new Error('no config, or no player');
    const app = await openWallet({
      manifest: new URL('/tonconnect-manifest.json', window.location.href).href,
      list: new URL(config.wallet.wallets_list_url, window.location.href).href,
      app: config.wallet.app_name,
      network: config.network,
      returnTo: config.bot_username === null ? null : `https://t.me/${config.bot_username}`,
      language: user.language,
      storage: tonConnectStorage(box, user.id),
    });
    app.onChange((account) => this.onChange(account));
    app.onWindow((window) => this.onWindow(window));
    app.onDecline(() => toasts.show('error', 'errors.declined'));
    this.onLoad(app);
    await app.restored;
    this.onRestore(app.account);
    return app;
  }

  private onLoad(app: WalletApp): void {
    this.app = app;
  }

  private onRestore(account: Account | null): void {
    this.#isRestored = true;
    this.account = account;
    if (account && !this.#isEnding) this.#deps.onRestored(account);
  }

  private onChange(account: Account | null): void {
    if (!this.#isRestored) return;
    const before = this.account;
    this.account = account;
    clearTimeout(this.#renewal);
    if (account) this.#deps.onConnected(account);
    else if (before && !this.#isEnding) this.#deps.onDisconnected(before);
  }

  private onWindow(window: WidgetWindow | null): void {
    this.#deps.cover(window === null ? null : () => this.app?.close());
    if (window === 'connect') {
      if (this.step !== 'open') void this.renew(true);
      this.step = 'open';
    } else if (this.step === 'open') {
      clearTimeout(this.#renewal);
      this.step = 'idle';
      this.app?.setPayload('loading'); // the next window waits for a payload of its own
    }
  }

  /** A payload is good for some minutes: while the window is open and seen, a new one takes its place. */
  private async renew(isFirst: boolean): Promise<void> {
    const { api, clock } = this.#deps;
    // In the wallet app the old payload may be about to be signed, which a new one would end.
    const payload = isFirst || isVisible() ? await fetchPayload(api) : null;
    if (this.step !== 'open') return;
    if (payload || isFirst) this.app?.setPayload(payload?.payload ?? null);
    if (isFirst && !payload) return; // the address is connected without a proof
    clearTimeout(this.#renewal);
    const delay = payload ? renewalDelay(payload, clock.now) : renewalRetry;
    this.#renewal = setTimeout(() => void this.renew(false), delay);
  }
}

/** Rejects after a timeout: code that stalls never fails. */
function withTimeout<T>(promise: Promise<T>): Promise<T> {
  return Promise.race([
    promise,
    new Promise<never>((_, reject) => setTimeout(() => reject(new Error('timeout')), openTimeout)),
  ]);
}
