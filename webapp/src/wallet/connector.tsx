import {
  CHAIN,
  type ConnectedWallet,
  type SendTransactionRequest,
  TonConnect,
  TonConnectButton,
  TonConnectUI,
  TonConnectUIProvider,
  type TonConnectUiCreateOptions,
  toUserFriendlyAddress,
  UserRejectsError,
  type Wallet,
} from '@tonconnect/ui-react';
import { walletName } from './list';
import { required, settings } from './settings';
import type { Account, Answer, Options, Proof, Transfer, WalletApp, WidgetWindow } from './WalletApp';
import './widget.css';

const chains = { mainnet: CHAIN.MAINNET, testnet: CHAIN.TESTNET } as const;

/** Sets up TON Connect for the one named wallet app: our own wallets list, no analytics. */
export async function openConnector(options: Options): Promise<WalletApp> {
  // Without its list the library would fall back to a built-in one, with other wallets' pictures and bridges.
  await walletName(options.list, options.app);
  // The library sets a missing `ontouchstart` handler, which the page's policy reports. With a namespace it is no handler.
  document.body.setAttributeNS('urn:mcbk', 'ontouchstart', '');
  const connector = new Connector({
    manifestUrl: options.manifest,
    walletsListSource: options.list,
    walletsRequiredFeatures: required,
    storage: options.storage,
    analytics: { mode: 'off' },
  });
  connector.setConnectionNetwork(chains[options.network]);
  return new Widget(connector, options);
}

type SendOptions = { onRequestSent?: () => void; signal?: AbortSignal; traceId?: string };

/** Closing the confirmation window aborts the widget's wait, but the wallet still has the request: its answer is kept. */
class Connector extends TonConnect {
  readonly answers = new WeakMap<SendTransactionRequest, Promise<unknown>>();

  override sendTransaction(request: SendTransactionRequest, options: SendOptions | (() => void) = {}) {
    const { signal: _, ...rest } = typeof options === 'function' ? { onRequestSent: options } : options;
    const answer = super.sendTransaction(request, rest);
    this.answers.set(request, answer);
    return answer;
  }
}

/** The window for a choice of wallets loads pictures from other sites, and there is only one wallet to choose. */
class NamedWalletUI extends TonConnectUI {
  readonly #app: string;

  constructor(app: string, options: TonConnectUiCreateOptions) {
    super(options);
    this.#app = app;
  }

  override openModal(): Promise<void> {
    return this.openSingleWalletModal(this.#app);
  }
}

type Stage = 'before' | 'success' | 'error';

class Widget implements WalletApp {
  readonly restored: Promise<unknown>;
  readonly #connector: Connector;
  readonly #ui: TonConnectUI;
  readonly #options: Options;
  /** Until the connection is restored, its proof is an old one. */
  #restoring = true;
  #window: WidgetWindow | null = null;
  /** What the widget shows of the last payment. */
  #shown: Stage[] = [];

  constructor(connector: Connector, options: Options) {
    this.#connector = connector;
    this.#options = options;
    this.#ui = new NamedWalletUI(options.app, { connector, ...settings(options) });
    this.restored = this.#ui.connectionRestored.finally(() => {
      this.#restoring = false;
    });
    this.setPayload('loading');
  }

  get account(): Account | null {
    return this.#ui.wallet && accountOf(this.#ui.wallet, true);
  }

  readonly Button = () => (
    <TonConnectUIProvider instance={this.#ui}>
      <TonConnectButton />
    </TonConnectUIProvider>
  );

  onChange(listener: (account: Account | null) => void): void {
    this.#ui.onStatusChange((wallet: ConnectedWallet | null) =>
      listener(wallet && accountOf(wallet, this.#restoring)),
    );
  }

  onDecline(listener: () => void): void {
    this.#ui.onStatusChange(
      () => undefined,
      (error) => {
        if (error instanceof UserRejectsError) listener();
      },
    );
  }

  onWindow(listener: (window: WidgetWindow | null) => void): void {
    const turn = (window: WidgetWindow, open: boolean) => {
      if (!open && this.#window !== window) return;
      this.#window = open ? window : null;
      listener(this.#window);
    };
    this.#ui.onSingleWalletModalStateChange(({ status }) => turn('connect', status === 'opened'));
    // biome-ignore lint/complexity/useLiteralKeys: the library has no other event of this window opening or closing
    this.#ui['onTransactionModalStateChange']((action: { openModal: boolean } | null) => {
      // Closed by the player, it would be followed by "Transaction canceled", which is not known.
      if (action === null) this.#shown.length = 0;
      turn('payment', action?.openModal === true);
    });
  }

  setPayload(payload: string | null | 'loading'): void {
    if (payload === null) this.#ui.setConnectRequestParameters(null);
    else if (payload === 'loading') this.#ui.setConnectRequestParameters({ state: 'loading' });
    else this.#ui.setConnectRequestParameters({ state: 'ready', value: { tonProof: payload } });
  }

  open(): Promise<void> {
    return this.#ui.openModal();
  }

  close(): void {
    // The only way to close every window: the one of a payment has no method for it.
    document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape' }));
  }

  disconnect(): Promise<void> {
    return this.#ui.disconnect();
  }

  async pay({ to, nanotons, payload, validUntil }: Transfer): Promise<Answer> {
    if (!this.#ui.connected) return { outcome: 'failed', shown: false };
    this.#shown.length = 0; // what becomes of an earlier payment would be taken for this one's
    const shown: Stage[] = ['before', 'success', 'error'];
    this.#shown = shown;
    const request = {
      validUntil,
      network: chains[this.#options.network],
      messages: [{ address: to, amount: nanotons, payload }],
    };
    const { actionsConfiguration } = settings(this.#options); // the button's options reset the widget's
    const outcome = await this.#ui
      .sendTransaction(request, { ...actionsConfiguration, modals: shown, notifications: shown })
      .catch((error: unknown) => this.#connector.answers.get(request) ?? Promise.reject(error))
      .then(
        () => 'sent' as const,
        (error: unknown) => (error instanceof UserRejectsError ? ('declined' as const) : ('failed' as const)),
      );
    return { outcome, shown: shown.length > 0 };
  }

  setLanguage(language: Options['language']): void {
    // Options that are left out are reset.
    this.#ui.uiOptions = settings({ ...this.#options, language });
  }
}

function accountOf({ account, connectItems }: Wallet, restored: boolean): Account {
  return {
    address: toUserFriendlyAddress(account.address, account.chain === CHAIN.TESTNET),
    raw: account.address,
    proof: restored ? null : proofOf(account, connectItems),
  };
}

/** Null where the wallet signed nothing, or does not give the public key. */
export function proofOf(account: Wallet['account'], items: Wallet['connectItems']): Proof | null {
  const signed = items?.tonProof;
  if (!signed || !('proof' in signed) || !account.publicKey) return null;
  const { timestamp, domain, payload, signature } = signed.proof;
  return {
    timestamp,
    domain,
    payload,
    signature,
    public_key: account.publicKey,
    state_init: account.walletStateInit ?? '',
  };
}
