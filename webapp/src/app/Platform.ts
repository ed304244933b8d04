import type { Api } from '../api/client';
import type { ApiError } from '../api/error';
import type { AdNetwork } from '../features/ads/network';
import type { UnloadPath } from '../features/digging/flushOnUnload';
import type { Language } from '../format';
import type { KeyValueStorage } from '../storage';
import type { InvoiceStatus, Launch } from '../telegram';
import type { Options, WalletApp } from '../wallet';

/** What the stores need of Telegram's client around the app. */
type Host = {
  /** How the app was opened. */
  launch(): Launch;
  /** Dresses what lies around the app; never rejects. */
  start(launch: Launch): Promise<void>;
  backButton(onPress: (() => void) | null): void;
  confirmClosing(on: boolean): void;
  /** Asks the player whether the bot may write to them; false where nobody can. */
  requestWriteAccess(onAnswer?: (allowed: boolean) => void): boolean;
  /** Closes the app; null where nobody can. */
  closeApp(): (() => void) | null;
  errorHaptic(): void;
  rewardHaptic(): void;
  /** Opens a page outside of the game. */
  openPage(link: string): void;
  /** Opens Telegram's payment of an invoice, and says how it ended, which proves nothing; null where nobody says. */
  openInvoice(link: string): Promise<InvoiceStatus | null>;
};

/** Everything outside the stores, handed in so that tests can stand in for it. */
export type Platform = {
  readonly connect: (initData: () => string, onRefusal: (error: ApiError) => void) => Api;
  readonly host: Host;
  readonly storage: KeyValueStorage;
  readonly speak: (language: Language) => Promise<boolean>;
  readonly flushOnUnload: (path: UnloadPath, batch: object, initData: string) => void;
  /** Fetches the ad network's script; rejects without it. */
  readonly fetchNetwork: (url: string) => Promise<AdNetwork>;
  /** Lets what is felt be heard too, or no more; `aloud` lets it be heard at once. Rejects where it cannot. */
  readonly playSounds: (on: boolean, aloud: boolean) => Promise<void>;
  /** Speaks to wallet apps; fetches its code. */
  readonly openWallet: (options: Options) => Promise<WalletApp>;
  /** The name that a list of wallets gives an app; rejects without one. */
  readonly walletName: (list: string, app: string) => Promise<string>;
  readonly newId: () => string;
  readonly random: () => number;
  /** Bytes nobody can guess. */
  readonly randomBytes: (length: number) => Uint8Array;
  /** The browser's own hashes; null where the page did not come over a secure connection. */
  readonly subtle: SubtleCrypto | null;
  /** Puts a text where the player can paste it from; false if the device does not let us. */
  readonly copy: (text: string) => Promise<boolean>;
  /** Wall clock, milliseconds since 1970. */
  readonly now: () => number;
  /** Milliseconds that only ever grow. */
  readonly elapsed: () => number;
  /** The player asked for less motion. */
  readonly prefersReducedMotion: () => boolean;
};
