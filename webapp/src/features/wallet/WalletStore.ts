import { flow, makeAutoObservable, observableRef } from 'mobx';
import type { Api } from '../../api/client';
import { ApiError, asApiError } from '../../api/error';
import type { Config, Order } from '../../api/types';
import { errorKey } from '../../i18n/errors';
import type { KeyValueStorage } from '../../storage';
import type { Clock } from '../../stores/Clock';
import { isVisible } from '../../stores/PageLifecycle';
import type { ToastStore } from '../../stores/ToastStore';
import type { UserStore } from '../../stores/UserStore';
import { wait } from '../../stores/wait';
import {
  type Account,
  isEnded,
  isKept,
  type Options,
  type Outcome,
  setEnded,
  shelfOf,
  type Transfer,
  type WalletApp,
} from '../../wallet';
import { BalanceStore } from './BalanceStore';
import { RequestedPayments } from './RequestedPayments';
import { type Payload, payloadOf, proofEnds, transferOf } from './request';

/** Spec §9: the window opens this long after it was asked for, milliseconds. */
const connectDelay = 300;
/** What opens is waited for so long, milliseconds: code that stalls never fails. */
const stepTimeoutMs = 20_000;
/** Spec §4, "on error, retry the same way": once. */
const tries = 2;
/** How often the server is told of a wallet before the player hears that it failed, and the pause between, milliseconds. */
const tellings = 3;
const tellingPause = 2000;
/** A server that wants to be left alone longer is told with the next visit, milliseconds. */
const longestPause = 30_000;

/** A renewal that could not be had, or not now, is tried again after this, milliseconds. */
const renewalPause = 5000;

/** What the server may find wrong with a proof. The address can be connected all the same, and coins bought with it. */
const unproven: readonly string[] = ['wallet_proof_invalid', 'nonce_used', 'expired'];
/** What may have gone well, or will in a moment. */
const passing = ({ code, status }: ApiError) =>
  code === 'request_in_progress' || code === 'rate_limited' || status === 0 || status >= 500;

/** `opening`: its window is to come. `asking`: the window is open. `telling`: the server hears of a wallet, or of none. */
type Doing = 'nothing' | 'opening' | 'asking' | 'telling';

export type Deps = {
  readonly api: Api;
  readonly user: UserStore;
  readonly clock: Clock;
  readonly toasts: ToastStore;
  readonly box: KeyValueStorage;
  readonly newId: () => string;
  /** Speaks to wallet apps; its code is fetched when it is first wanted. */
  readonly openWallet: (options: Options) => Promise<WalletApp>;
  /** The present config; null when it does not come. */
  readonly config: () => Promise<Config | null>;
  /** The library's window lies over everything, and this closes it; null when it is gone. */
  readonly cover: (close: (() => void) | null) => void;
};

/** A phone that slept meanwhile hears only now what the wallet has answered; milliseconds. */
const grace = 10_000;
/** The chain may be seen this long after an order's time was over, milliseconds: what was sent is still said to be. */
const seenLate = 86_400_000;

/**
 * The player's wallet: the address that the server knows, and the wallet app that this device is connected to.
 *
 * The address is the truth, and may have been connected on another device. The connection is what a payment can be
 * asked of; it is live while both name the same wallet.
 */
export class WalletStore {
  readonly balance: BalanceStore;
  doing: Doing = 'nothing';
  /** The wallet that is connected on this device. */
  account: Account | null = null;
  /** The orders whose payments wait in the wallet. */
  paying: readonly number[] = [];
  /**
   * The orders whose payments have left the wallet: another press would pay twice. The chain decides, but the server may know
   * it late, so that nothing but the order's own end says that a payment has not come.
   */
  sent: readonly number[] = [];
  private readonly requested: RequestedPayments;
  private app: WalletApp | null = null;
  private fetching: Promise<WalletApp> | null = null;
  /** We end the connection ourselves, so its end is no news. */
  private leaving = false;
  /** Done once the last connection has ended. */
  private ended: Promise<void> = Promise.resolve();
  private renewal: ReturnType<typeof setTimeout> | undefined;
  /** Each ends the wait for a payment. */
  private readonly waits = new Set<() => void>();
  /** The order that the wallet was asked to pay last. */
  private newest: number | null = null;

  constructor(private readonly deps: Deps) {
    this.balance = new BalanceStore(deps.api);
    this.requested = new RequestedPayments(deps.box);
    makeAutoObservable<
      this,
      | 'deps'
      | 'requested'
      | 'app'
      | 'fetching'
      | 'leaving'
      | 'ended'
      | 'renewal'
      | 'waits'
      | 'newest'
      | 'untilNobodyCanSay'
    >(this, {
      balance: false,
      account: observableRef,
      deps: false,
      requested: false,
      app: false,
      fetching: false,
      leaving: false,
      ended: false,
      renewal: false,
      waits: false,
      newest: false,
      untilNobodyCanSay: false,
    });
  }

  /** Takes up what an earlier page has asked the wallet for. Called once. */
  start(): void {
    const { now } = this.deps.clock;
    for (const [order, { sent, until }] of this.requested.at(now)) {
      if (sent) this.sent = [...this.sent, order];
      else {
        this.paying = [...this.paying, order];
        setTimeout(() => this.answered(order), until - now);
      }
    }
  }

  /** The wallet that the server knows of, as people see it. */
  get address(): string | null {
    return this.deps.user.user?.wallet_address ?? null;
  }

  /** A payment can be asked of the connected wallet. */
  get live(): boolean {
    return this.account !== null && this.account.address === this.address;
  }

  /** TON in the connected wallet; null while it is not known. */
  get held(): number | null {
    return this.balance.of(this.address);
  }

  /** A screen that shows the wallet, or sells, has come: its balance is asked for from now on, and a kept connection taken up. */
  enter(): void {
    this.balance.watch();
    if (this.address !== null) void this.balance.load();
    this.resume();
  }

  private resume(): void {
    const player = this.deps.user.user?.id;
    if (player === undefined || this.app || !isKept(this.deps.box, player)) return;
    this.open().catch(() => undefined); // the wallet can still be connected anew, and orders paid by their link
  }

  /** Spec §4, wallet connect flow. A player who wants to buy is told why the window opens. */
  connect = flow(function* (this: WalletStore, buying = false) {
    if (this.doing !== 'nothing') return;
    const { toasts } = this.deps;
    this.doing = 'opening';
    const notice = toasts.wait('toast.connecting_wallet');
    try {
      for (let left = tries; ; left -= 1) {
        try {
          yield this.tryConnect();
          if (buying) toasts.show('info', 'errors.wallet_needed');
          return;
        } catch {
          if (left > 1) continue;
          toasts.show('error', 'errors.wallet_connect');
          this.rest();
          return;
        }
      }
    } finally {
      toasts.dismiss(notice);
    }
  });

  /** Ends the connection here, and the server forgets the address. */
  disconnect = flow(function* (this: WalletStore) {
    if (this.doing !== 'nothing') return;
    const player = this.deps.user.user?.id;
    const kept = player !== undefined && isKept(this.deps.box, player);
    this.doing = 'telling';
    try {
      // The page may go before the wallet's bridge has answered; then the next one ends it.
      if (kept) setEnded(this.deps.box, player, true);
      yield this.save(null);
      // The wallet app is told, too, even if nothing else has needed its code yet.
      if (kept) this.end();
    } catch (error) {
      if (kept) setEnded(this.deps.box, player, false);
      this.deps.toasts.show('error', errorKey(asApiError(error).code));
    } finally {
      this.rest();
    }
  });

  /**
   * Asks the connected wallet to pay an order; what is credited the chain alone decides. Whether it was asked: never
   * twice at a time for one order, but also while it has not answered about another, which may be cancelled by now.
   */
  pay = flow(function* (this: WalletStore, order: Order) {
    const { clock, toasts } = this.deps;
    const transfer = transferOf(order, clock.now);
    if (!this.app || !this.live || !transfer) return false;
    if (this.paying.includes(order.id) || this.sent.includes(order.id)) return false;
    this.paying = [...this.paying, order.id];
    this.newest = order.id;
    this.requested.keep(order.id, { sent: false, until: transfer.validUntil * 1000 }, clock.now);
    const { gone, forget } = this.untilNobodyCanSay(transfer);
    try {
      const answer = this.app.pay(transfer);
      // However late: while the wallet app is in front, nothing is heard of it.
      void answer.then((outcome) => {
        if (outcome === 'sent') this.hasSent(order);
      });
      const outcome = yield* wait(Promise.race([answer, gone]));
      if (outcome === 'sent' || this.sent.includes(order.id)) return true; // or an earlier request for it was, late
      this.requested.forget(order.id, clock.now);
      // Who has gone on to another order would take it for that one's.
      if (this.newest === order.id)
        toasts.show('error', outcome === 'declined' ? 'errors.cancelled' : 'errors.not_sent');
    } finally {
      forget();
      this.answered(order.id);
    }
    return true;
  });

  private hasSent({ id, expires_at }: Order): void {
    const { toasts, clock } = this.deps;
    if (this.sent.includes(id)) return;
    toasts.show('success', 'toast.sent');
    this.sent = [...this.sent, id];
    this.requested.keep(id, { sent: true, until: Date.parse(expires_at) + seenLate }, clock.now);
  }

  /** The order has ended without its payment. */
  unpaid(order: number): void {
    this.sent = this.sent.filter((id) => id !== order);
    this.requested.forget(order, this.deps.clock.now);
  }

  private answered(order: number): void {
    this.paying = this.paying.filter((id) => id !== order);
  }

  /** A payment that nobody can confirm any more: the connection was ended, or the time to sign is over. */
  private untilNobodyCanSay({ validUntil }: Transfer) {
    let giveUp = () => {};
    const gone = new Promise<Outcome>((give) => {
      giveUp = () => give('failed');
    });
    let timer = setTimeout(
      () => {
        timer = setTimeout(giveUp, grace);
      },
      validUntil * 1000 - this.deps.clock.now,
    );
    this.waits.add(giveUp);
    const forget = () => {
      clearTimeout(timer);
      this.waits.delete(giveUp);
    };
    return { gone, forget };
  }

  speak(): void {
    const language = this.deps.user.user?.language;
    if (language) this.app?.speak(language);
  }

  /** One try: whatever was connected is let go, and the window opens. */
  private async tryConnect(): Promise<void> {
    const app = await inTime(this.open());
    await inTime(this.ended); // it would take the new one with it
    if (app.account) await this.drop();
    const [payload] = await Promise.all([
      payloadOf(this.deps.api),
      new Promise((later) => setTimeout(later, connectDelay)),
    ]);
    app.propose(payload?.payload ?? null);
    await inTime(app.open());
    this.renewBefore(payload);
  }

  private open(): Promise<WalletApp> {
    this.fetching ??= this.fetch().catch((error: unknown) => {
      this.fetching = null;
      throw error;
    });
    return this.fetching;
  }

  private async fetch(): Promise<WalletApp> {
    const { deps } = this;
    const [config, user] = [await deps.config(), deps.user.user];
    if (!config || !user) throw new Error('nothing is known of the wallet app');
    const app = await deps.openWallet({
      manifest: new URL('/tonconnect-manifest.json', window.location.href).href,
      list: new URL(config.wallet.wallets_list_url, window.location.href).href,
      app: config.wallet.app_name,
      network: config.network,
      returnTo: config.bot_username === null ? null : `https://t.me/${config.bot_username}`,
      language: user.language,
      storage: shelfOf(deps.box, user.id),
    });
    app.onChange((account) => this.changed(account));
    app.onWindow((open) => this.turned(open));
    app.onDecline(() => deps.toasts.show('error', 'errors.declined'));
    await app.restored;
    this.began(app);
    return app;
  }

  /** The kept connection, if there is one, stands again: the wallet is the one it was, and the server knows it. */
  private began(app: WalletApp): void {
    this.app = app;
    this.account = app.account;
    // The player has ended it while it was restored.
    if (!this.account || this.leaving) return;
    const { box, user } = this.deps;
    const ended = user.user !== null && isEnded(box, user.user.id);
    // It never heard of the wallet, or has forgotten it; another wallet, chosen since, counts more than this one.
    if (this.live) this.stands();
    else if (this.address === null && !ended) void this.connected(this.account);
    else this.end();
  }

  private changed(account: Account | null): void {
    if (!this.app) return; // `began` looks at what was restored
    const before = this.account;
    this.account = account;
    if (!account) for (const giveUp of this.waits) giveUp();
    if (account) void this.connected(account);
    else if (before && !this.leaving) void this.left(before);
  }

  /** The library's window has come or gone; it also goes when the wallet has answered. */
  private turned(open: boolean): void {
    this.deps.cover(open ? () => this.app?.close() : null);
    if (open) this.doing = 'asking';
    else if (this.doing === 'asking') this.rest();
  }

  private rest(): void {
    clearTimeout(this.renewal);
    this.doing = 'nothing';
  }

  /** What is signed is good for some minutes only: while the window is open and looked at, a new one takes its place. */
  private renewBefore(payload: Payload | null): void {
    clearTimeout(this.renewal);
    if (!payload) return;
    this.renewal = setTimeout(() => void this.renew(), proofEnds(payload, this.deps.clock.now));
  }

  private async renew(): Promise<void> {
    if (this.doing !== 'asking') return;
    // Away in the wallet app the old one may be about to be signed, and a new one would end that.
    const payload = !isVisible() ? null : await payloadOf(this.deps.api);
    if (this.doing !== 'asking') return;
    if (!payload) {
      this.renewal = setTimeout(() => void this.renew(), renewalPause);
      return;
    }
    this.app?.propose(payload.payload);
    this.renewBefore(payload);
  }

  /** The wallet has said yes. */
  private connected = flow(function* (this: WalletStore, account: Account) {
    const { toasts } = this.deps;
    clearTimeout(this.renewal);
    this.stands();
    this.doing = 'telling';
    toasts.retract('errors.declined'); // at the try before
    const notice = toasts.wait('toast.connecting_wallet'); // its window is gone, and nothing else says that it is not done yet
    try {
      try {
        yield this.save(account);
      } catch (error) {
        const { code } = asApiError(error);
        if (!unproven.includes(code)) throw error;
        yield this.save({ ...account, proof: null });
        toasts.show('error', 'errors.unproven');
      }
      void this.balance.load();
    } catch (error) {
      toasts.dismiss(notice); // letting the wallet go may take long
      const { code, message } = asApiError(error);
      if (code === 'wallet_address_invalid') toasts.show('error', 'toast.failed', { message });
      else toasts.show('error', passing(asApiError(error)) ? 'errors.wallet_connect' : errorKey(code));
      // What the server does not want is no connection; what it did not hear of is told with the next visit.
      if (!passing(asApiError(error))) yield this.drop();
    } finally {
      toasts.dismiss(notice);
      this.rest();
    }
  });

  /** The wallet app has ended the connection. */
  private left = flow(function* (this: WalletStore, { address }: Account) {
    const { user, toasts, newId } = this.deps;
    const key = newId();
    let said = false;
    try {
      yield this.patiently(async () => {
        // On another device the player may have chosen another wallet, which stays; here one may be connected by now.
        await user.load(null);
        if (this.address !== address || this.account) return;
        said = true;
        await this.say(null, key);
      });
      if (said && this.address === null) toasts.show('info', 'toast.wallet_left');
    } catch (error) {
      toasts.show('error', errorKey(asApiError(error).code));
    }
  });

  /** Tells the server which wallet it is, or that there is none. */
  private save(account: Account | null): Promise<void> {
    const key = this.deps.newId();
    return this.patiently(() => this.say(account, key));
  }

  private say(account: Account | null, key: string): Promise<void> {
    const { api, user } = this.deps;
    const change = {
      wallet_address: account?.raw ?? null,
      ...(account?.proof ? { proof: account.proof } : {}),
    };
    return user.alter(() => api.setWallet(change, key));
  }

  /** What the server did not hear is said again. */
  private async patiently(send: () => Promise<void>): Promise<void> {
    for (let left = tellings; ; left -= 1) {
      try {
        return await send();
      } catch (error) {
        if (!(error instanceof ApiError) || !passing(error) || left === 1) throw error;
        const pause = Math.max(tellingPause, (error.retryAfter ?? 0) * 1000);
        if (pause > longestPause) throw error;
        await new Promise((later) => setTimeout(later, pause));
      }
    }
  }

  /** Ends the connection, and nobody waits for that but the next one: its bridge may take long. */
  private end(): void {
    const { box, user } = this.deps;
    if (user.user && this.address === null) setEnded(box, user.user.id, true); // it may have stood again meanwhile
    this.leaving = true;
    this.ended = this.ended.then(() => this.drop());
  }

  /** What the device keeps is as the player wants it. */
  private stands(): void {
    const { box, user } = this.deps;
    if (user.user) setEnded(box, user.user.id, false);
  }

  /** Ends the connection on this device; the wallet app hears of it if it can. */
  private async drop(): Promise<void> {
    this.leaving = true;
    try {
      const app = await this.open();
      if (app.account) await app.disconnect();
      this.stands();
    } catch {
      // There is nothing to end, or nobody to tell.
    } finally {
      this.leaving = false;
    }
  }
}

/** Rejects where it takes too long; it may come all the same. */
function inTime<T>(coming: Promise<T>): Promise<T> {
  return Promise.race([
    coming,
    new Promise<never>((_, fail) => setTimeout(() => fail(new Error('too late')), stepTimeoutMs)),
  ]);
}
