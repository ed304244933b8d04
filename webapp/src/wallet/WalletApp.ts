import type { WalletChange } from '../api/types';
import type { Language } from '../format';
import type { TonConnectStorage } from './session';

/** What a wallet app signed to prove that the address is its owner's. */
export type Proof = NonNullable<WalletChange['proof']>;

/** A wallet that a wallet app has connected to the game on this device. */
export type Account = {
  /** As people see it, non-bounceable (`UQ…`). */
  readonly address: string;
  /** `0:` and 64 hex digits. */
  readonly raw: string;
  /** Null when the wallet gave none; also of a connection that was restored. */
  readonly proof: Proof | null;
};

/** One transfer that the player is asked to confirm. */
export type Transfer = {
  readonly to: string;
  /** Whole billionths of a TON. */
  readonly nanotons: string;
  /** The message's body, base64 of a bag of cells. */
  readonly payload: string;
  /** Unix seconds; a wallet signs nothing later. */
  readonly validUntil: number;
};

/** What became of a request: the wallet signed and sent it, its owner said no, or it was not asked, or not in time. */
export type Outcome = 'sent' | 'declined' | 'failed';

export type Options = {
  readonly manifest: string;
  /** The one list that wallets are taken from. */
  readonly list: string;
  /** The one wallet app the game names. */
  readonly app: string;
  readonly network: 'mainnet' | 'testnet';
  /** Where a wallet leads back to from Telegram Web, or being a mini-app itself. */
  readonly returnTo: `https://${string}` | null;
  readonly language: Language;
  readonly storage: TonConnectStorage;
};

/** The wallet app, as the stores see it: TON Connect behind words of our own. */
export type WalletApp = {
  /** Settles once it is known whether a kept connection still stands. */
  readonly restored: Promise<unknown>;
  readonly account: Account | null;
  /** Called with each change: a wallet was connected, or is no longer. */
  onChange(hear: (account: Account | null) => void): void;
  /** The owner said no to a connection. */
  onDecline(hear: () => void): void;
  /** The window of a connection has opened or closed over everything; a payment has none. */
  onWindow(hear: (open: boolean) => void): void;
  /** What the wallet is to sign when it connects; null asks for the address alone. */
  propose(payload: string | null): void;
  /** Opens the window of the named wallet app. */
  open(): Promise<void>;
  /** Closes that window. */
  close(): void;
  disconnect(): Promise<void>;
  pay(transfer: Transfer): Promise<Outcome>;
  speak(language: Language): void;
};
