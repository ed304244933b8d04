import { flow, makeAutoObservable, observableRef } from 'mobx';
import type { RootStore } from '../../app/RootStore';
import { once } from '../../once';
import { pause } from '../../pause';
import { isVisible } from '../../stores/PageLifecycle';
import type { Account, WalletApp, WidgetWindow } from '../../wallet';
import { isEnded, isKept, setEnded, tonConnectStorage } from '../../wallet/session';
import type { Trade } from '../market/Trade';
import { fetchPayload, renewalDelay } from './request';

/** Spec §9, milliseconds. */
const connectDelay = 300;
/** For the widget's code and its window, milliseconds. */
const openTimeout = 20_000;
/** Spec §4: "on error, retry the same way", once. */
const attempts = 2;
/** A payload that could not be renewed is tried again after this, milliseconds. */
const renewalRetry = 5000;

/** The connection of this device to the player's wallet app, by TON Connect. */
export class WalletConnection {
  /** `opening`: the window is about to open. */
  step: 'idle' | 'opening' | 'open' = 'idle';
  account: Account | null = null;
  /** Set once its code is loaded; a stored connection may still be being restored. */
  app: WalletApp | null = null;
  readonly #root: RootStore;
  readonly #trade: Trade;
  #window: WidgetWindow | null = null;
  readonly #open = once(() => this.#load());
  #isRestored = false;
  /** We end the connection ourselves. */
  #isEnding = false;
  /** Resolves once the last connection has ended. */
  #ended: Promise<void> = Promise.resolve();
  #renewal: ReturnType<typeof setTimeout> | undefined;

  constructor(root: RootStore, trade: Trade) {
    this.#root = root;
    this.#trade = trade;
    makeAutoObservable(this, { account: observableRef, app: observableRef });
  }

  /** This device keeps a connection of the player. */
  isKept(): boolean {
    const { user, platform } = this.#root;
    return user.user !== null && isKept(platform.storage, user.user.id);
  }

  /** Loads the widget; without its code the wallet can still be connected later, and orders paid by their link. */
  load(): void {
    this.#open().catch(() => undefined);
  }

  /** Spec §4, wallet connect flow. `buying`: a toast says why the window opens. */
  connect = flow(function* (this: WalletConnection, buying = false) {
    const { toasts } = this.#root;
    if (this.step !== 'idle' || this.#trade.wallet.saving) return;
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
      // Nothing was connected, or the wallet is unreachable.
    } finally {
      this.#isEnding = false;
    }
  }

  /** The player has ended the connection that is kept, though the bridge may not have answered yet: the next page ends it. */
  markEnded(ended: boolean): void {
    const { platform, user } = this.#root;
    if (user.user) setEnded(platform.storage, user.user.id, ended);
  }

  isMarkedEnded(): boolean {
    const { platform, user } = this.#root;
    return user.user !== null && isEnded(platform.storage, user.user.id);
  }

  setLanguage(): void {
    const language = this.#root.user.user?.language;
    if (language) this.app?.setLanguage(language);
  }

  async #openWindow(): Promise<void> {
    const app = await withTimeout(this.#open());
    await withTimeout(this.#ended); // it would take the new connection with it
    if (app.account) await this.drop();
    await pause(connectDelay);
    await withTimeout(app.open());
  }

  async #load(): Promise<WalletApp> {
    const { user: users, platform, toasts } = this.#root;
    const { market } = this.#trade;
    const [config, user] = [market.config ?? (await market.loadConfig()), users.user];
    if (!config || !user) throw new Error('no config, or no player');
    const app = await platform.openWallet({
      manifest: new URL('/tonconnect-manifest.json', window.location.href).href,
      list: new URL(config.wallet.wallets_list_url, window.location.href).href,
      app: config.wallet.app_name,
      network: config.network,
      returnTo: config.bot_username === null ? null : `https://t.me/${config.bot_username}`,
      language: user.language,
      storage: tonConnectStorage(platform.storage, user.id),
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
    if (account && !this.#isEnding) this.#trade.wallet.onRestored(account);
  }

  private onChange(account: Account | null): void {
    if (!this.#isRestored) return;
    const before = this.account;
    this.account = account;
    clearTimeout(this.#renewal);
    if (account) void this.#trade.wallet.onConnected(account);
    else if (before && !this.#isEnding) void this.#trade.wallet.onDisconnected(before);
  }

  /** The order is paid: closes the widget's payment window. */
  closePayment(): void {
    if (this.#window === 'payment') this.app?.close();
  }

  private onWindow(window: WidgetWindow | null): void {
    this.#window = window;
    this.#root.modals.setCloseExternal(window === null ? null : () => this.app?.close());
    if (window === 'connect') {
      if (this.step !== 'open') void this.renew(true);
      this.step = 'open';
    } else if (this.step === 'open') {
      clearTimeout(this.#renewal);
      this.step = 'idle';
      this.app?.setPayload('loading'); // the next window needs a new payload
    }
  }

  /** A payload is good for some minutes: while the window is open and seen, a new one takes its place. */
  private async renew(isFirst: boolean): Promise<void> {
    const { api, clock } = this.#root;
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
