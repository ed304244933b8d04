import { THEME, type TonConnectUiCreateOptions } from '@tonconnect/ui-react';
import type { Options } from './WalletApp';

/** The library's windows know nothing of tokens.css; these are its `--c-ton`, surfaces and texts. */
const colours = {
  accent: '#0098EA',
  background: { primary: '#231A12', secondary: '#2E2218', segment: '#3E2E20', tint: '#2E2218' },
  text: { primary: '#FFF3DF', secondary: '#D6C3A6' },
  icon: {
    primary: '#FFF3DF',
    secondary: '#D6C3A6',
    tertiary: '#AD977B',
    success: '#AECF5C',
    error: '#FF9A7D',
  },
};

/** What a wallet must be able to do: a payment is one message. */
export const required = { sendTransaction: { minMessages: 1 } };

/** Spec §2, wallet-connect widget: how the library's windows look and where wallets lead back to. */
export function settings({ language, returnTo }: Pick<Options, 'language' | 'returnTo'>) {
  return {
    language,
    uiPreferences: { theme: THEME.DARK, borderRadius: 'm', colorsSet: { [THEME.DARK]: colours } },
    walletsRequiredFeatures: required,
    enableAndroidBackHandler: true,
    actionsConfiguration: {
      // The order's drawer says what is to be done. A window over it would know neither Telegram's back button nor that
      // the wallet has gone, and closing it would look like taking the payment back, which waits in the wallet all the same.
      modals: [],
      // They belong to the library's own connect button, which the game does not draw: it says them itself.
      notifications: [],
      // In a browser the library would lead back to this very page, which without Telegram around it is not the game.
      returnStrategy: window.parent === window ? 'back' : (returnTo ?? 'none'),
      ...(returnTo === null ? {} : { twaReturnUrl: returnTo }),
    },
  } satisfies TonConnectUiCreateOptions;
}
