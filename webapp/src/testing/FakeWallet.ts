import { createElement } from 'react';
import { expect, vi } from 'vitest';
import type { Account, Answer, Options, Outcome, Transfer, WalletApp, WidgetWindow } from '../wallet';
import { friendly } from './FakePurse';

/** The key under which the library keeps a connection. */
const connection = 'ton-connect-storage_bridge-connection';

/** A wallet app whose owner does what a test says. It keeps a connection on the device, as the library does. */
export class FakeWallet {
  /** What it was opened with, each time. */
  readonly opened: Options[] = [];
  /** The next of these fail: fetching the code, or opening the window. */
  broken = { code: 0, window: 0 };
  /** These neither come nor fail while the network stalls. */
  stalled: 'nothing' | 'code' | 'window' = 'nothing';
  /** Until this comes, what was kept is not restored. */
  restored: Promise<void> = Promise.resolve();
  /** Until this comes, a connection that we have ended is still kept: the bridge has not answered. */
  goodbye: Promise<void> = Promise.resolve();
  /** How often its window was opened, and whether it is open now. */
  windows = 0;
  isOpen = false;
  /** What the wallet is asked to sign; null when only its address is wanted. */
  payload: string | null | 'loading' = 'loading';
  language: string | null = null;
  /** Payments that wait for the owner. */
  readonly requests: { transfer: Transfer; answer: (outcome: Outcome, shown?: boolean) => void }[] = [];
  account: Account | null = null;
  private hear: (account: Account | null) => void = () => undefined;
  private no: () => void = () => undefined;
  private turn: (window: WidgetWindow | null) => void = () => undefined;

  async open(options: Options): Promise<WalletApp> {
    if (this.broken.code > 0) {
      this.broken.code -= 1;
      throw new TypeError('Failed to fetch');
    }
    if (this.stalled === 'code') await new Promise(() => {});
    this.opened.push(options);
    const kept = await options.storage.getItem(connection);
    this.account = kept === null ? null : { ...JSON.parse(kept), proof: null };
    const app: WalletApp = {
      restored: this.restored,
      account: null,
      Button: () =>
        createElement('button', { type: 'button', onClick: () => void app.open() }, 'Connect Wallet'),
      onChange: (hear) => {
        this.hear = hear;
      },
      onDecline: (no) => {
        this.no = no;
      },
      onWindow: (turn) => {
        this.turn = turn;
      },
      setPayload: (payload) => {
        this.payload = payload;
      },
      open: async () => {
        if (this.broken.window > 0) {
          this.broken.window -= 1;
          throw new Error('unknown wallet');
        }
        if (this.stalled === 'window') await new Promise(() => {});
        this.windows += 1;
        this.shut(true);
      },
      close: () => this.shut(false),
      disconnect: () => this.end(),
      pay: (transfer) =>
        new Promise<Answer>((resolve) => {
          const answer = (outcome: Outcome, shown = true) => resolve({ outcome, shown });
          this.requests.push({ transfer, answer });
        }),
      setLanguage: (language) => {
        this.language = language;
      },
    };
    return Object.defineProperty(app, 'account', { get: () => this.account });
  }

  /** The owner says yes once the window offers it, and the wallet signs what it was asked to, or does not know how. */
  async accept(raw = '0:aa', signs = true): Promise<void> {
    if (signs) await vi.waitFor(() => expect(this.payload).not.toBe('loading'));
    const domain = { lengthBytes: 9, value: 'mcbk.test' };
    const signed = { timestamp: 1, domain, signature: 'c2ln', public_key: 'ff', state_init: '' };
    const proof = signs && this.payload !== null ? { ...signed, payload: this.payload } : null;
    this.account = { address: friendly(raw), raw, proof };
    await this.keep(JSON.stringify(this.account));
    this.shut(false);
    this.hear(this.account);
  }

  /** The owner says no; the window stays. */
  decline(): void {
    this.no();
  }

  /** The owner ends the connection in the wallet app. */
  async leave(): Promise<void> {
    this.account = null;
    await this.keep(null);
    this.hear(null);
  }

  private async end(): Promise<void> {
    this.account = null;
    this.hear(null);
    await this.goodbye;
    await this.keep(null);
  }

  /** The widget shows what became of a payment. */
  showPayment(): void {
    this.isOpen = true;
    this.turn('payment');
  }

  private shut(open: boolean): void {
    this.isOpen = open;
    this.turn(open ? 'connect' : null);
  }

  private async keep(value: string | null): Promise<void> {
    const { storage } = this.opened.at(-1) ?? {};
    if (value === null) await storage?.removeItem(connection);
    else await storage?.setItem(connection, value);
  }
}
