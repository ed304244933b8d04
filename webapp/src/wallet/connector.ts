import {
  CHAIN,
  type ConnectedWallet,
  TonConnect,
  TonConnectUI,
  toUserFriendlyAddress,
  UserRejectsError,
  type Wallet,
} from '@tonconnect/ui-react';
import i18next from 'i18next';
import { showDeclined, showWaiting } from './declined';
import { walletName } from './list';
import { required, settings } from './settings';
import type { Account, Options, Outcome, Proof, Transfer, WalletApp } from './WalletApp';
import './widget.css';

/** Telegram's own wallet: spec §8, its window does not say that a connection was declined. */
const telegrams = 'telegram-wallet';

const chains = { mainnet: CHAIN.MAINNET, testnet: CHAIN.TESTNET } as const;

/** Connects to the one named wallet app, by one list and no other, and tells nobody else of it. */
export async function openConnector(options: Options): Promise<WalletApp> {
  // Without its list the library would take one that is built into it, with wallets, pictures and bridges of strangers.
  await walletName(options.list, options.app);
  // The library sets it where it is missing, to nothing, and the page's policy complains of any such handler. With a
  // namespace it is there, and no handler.
  document.body.setAttributeNS('urn:mcbk', 'ontouchstart', '');
  const connector = new TonConnect({
    manifestUrl: options.manifest,
    walletsListSource: options.list,
    walletsRequiredFeatures: required,
    storage: options.storage,
    // By default each step is told to the library's makers, with the player's Telegram id.
    analytics: { mode: 'off' },
  });
  connector.setConnectionNetwork(chains[options.network]);
  return new Connector(new TonConnectUI({ connector, ...settings(options) }), options);
}

class Connector implements WalletApp {
  readonly restored: Promise<unknown>;
  /** Until then the connection is the kept one, whose proof has been seen. */
  private restoring = true;

  constructor(
    private readonly ui: TonConnectUI,
    private readonly options: Options,
  ) {
    this.restored = ui.connectionRestored.finally(() => {
      this.restoring = false;
    });
  }

  get account(): Account | null {
    return this.ui.wallet && accountOf(this.ui.wallet, true);
  }

  onChange(hear: (account: Account | null) => void): void {
    this.ui.onStatusChange((wallet: ConnectedWallet | null) =>
      hear(wallet && accountOf(wallet, this.restoring)),
    );
  }

  onDecline(hear: () => void): void {
    this.ui.onStatusChange(
      () => undefined,
      (error) => {
        if (!(error instanceof UserRejectsError)) return showWaiting(); // the library's window says what else it is
        if (this.options.app !== telegrams) showDeclined(i18next.t('errors.declined'));
        hear();
      },
    );
  }

  onWindow(hear: (open: boolean) => void): void {
    this.ui.onSingleWalletModalStateChange(({ status }) => {
      if (status === 'opened') showWaiting(); // whatever came of the last one
      hear(status === 'opened');
    });
  }

  propose(payload: string | null): void {
    this.ui.setConnectRequestParameters(
      payload === null ? null : { state: 'ready', value: { tonProof: payload } },
    );
  }

  open(): Promise<void> {
    return this.ui.openSingleWalletModal(this.options.app);
  }

  close(): void {
    this.ui.closeSingleWalletModal();
  }

  disconnect(): Promise<void> {
    return this.ui.disconnect();
  }

  async pay({ to, nanotons, payload, validUntil }: Transfer): Promise<Outcome> {
    try {
      await this.ui.sendTransaction({
        validUntil,
        network: chains[this.options.network],
        messages: [{ address: to, amount: nanotons, payload }],
      });
      return 'sent';
    } catch (error) {
      return error instanceof UserRejectsError ? 'declined' : 'failed';
    }
  }

  speak(language: Options['language']): void {
    // What is left out is forgotten.
    this.ui.uiOptions = settings({ ...this.options, language });
  }
}

function accountOf({ account, connectItems }: Wallet, restored: boolean): Account {
  return {
    address: toUserFriendlyAddress(account.address, account.chain === CHAIN.TESTNET),
    raw: account.address,
    proof: restored ? null : proofOf(account, connectItems),
  };
}

/** What a wallet has signed; null where it has not, or does not tell the key that a proof is judged by. */
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
