import type { ComponentType } from 'react';
import type { WalletChange } from '../api/types';
import type { Language } from '../format';
import type { TonConnectStorage } from './session';

/** The wallet's signature over the server's payload: proves ownership of the address. */
export type Proof = NonNullable<WalletChange['proof']>;

/** The wallet that is connected on this device. */
export type Account = {
  /** User-friendly, non-bounceable (`UQ…`). */
  readonly address: string;
  /** `0:` and 64 hex digits. */
  readonly raw: string;
  /** Null where the wallet signed none, and for a restored connection. */
  readonly proof: Proof | null;
};

/** One transfer for the player to confirm. */
export type Transfer = {
  readonly to: string;
  readonly nanotons: string;
  /** The message body, base64 of a bag of cells. */
  readonly payload: string;
  /** Unix seconds; a wallet signs nothing later. */
  readonly validUntil: number;
};

/** `failed`: the wallet was not reached, or did not answer in time. */
export type Outcome = 'sent' | 'declined' | 'failed';

export type Answer = {
  readonly outcome: Outcome;
  /** Whether the widget has shown it to the player. */
  readonly shown: boolean;
};

/** A window of the widget that lies over the game. */
export type WidgetWindow = 'connect' | 'payment';

export type Options = {
  readonly manifest: string;
  /** URL of the only wallets list that is used. */
  readonly list: string;
  /** The wallet app that the game names. */
  readonly app: string;
  readonly network: 'mainnet' | 'testnet';
  /** Where a wallet leads back to from Telegram Web, or from a wallet that is a mini-app itself. */
  readonly returnTo: `https://${string}` | null;
  readonly language: Language;
  readonly storage: TonConnectStorage;
};

/** TON Connect, as the stores and screens use it. */
export type WalletApp = {
  /** Settles once a kept connection is restored, or found to be gone. */
  readonly restored: Promise<unknown>;
  readonly account: Account | null;
  /** TON Connect's button with its dropdown and notifications. Only one may be rendered at a time. */
  readonly Button: ComponentType;
  onChange(listener: (account: Account | null) => void): void;
  onDecline(listener: () => void): void;
  onWindow(listener: (window: WidgetWindow | null) => void): void;
  /** The payload to sign on connecting: `null` requests the address alone, `loading` shows a loader until it is set. */
  setPayload(payload: string | null | 'loading'): void;
  /** Opens the window of the named wallet app. */
  open(): Promise<void>;
  /** Closes whichever window is open. */
  close(): void;
  disconnect(): Promise<void>;
  pay(transfer: Transfer): Promise<Answer>;
  setLanguage(language: Language): void;
};
