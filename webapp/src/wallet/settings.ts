import { THEME, type TonConnectUiCreateOptions } from '@tonconnect/ui-react';
import type { Options } from './WalletApp';

/** The library takes no CSS variables: these are the `--c-ton-…` colours, surfaces and texts of tokens.css. */
const colours = {
  accent: '#63C3FF',
  connectButton: { background: '#12303F', foreground: '#63C3FF' },
  background: { primary: '#2E2218', secondary: '#3E2E20', segment: '#4A3826', tint: '#3E2E20' },
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

/** Spec §2, wallet-connect widget: theme, and the return link. */
export function settings({ language, returnTo }: Pick<Options, 'language' | 'returnTo'>) {
  return {
    language,
    uiPreferences: { theme: THEME.DARK, borderRadius: 'm', colorsSet: { [THEME.DARK]: colours } },
    walletsRequiredFeatures: required,
    enableAndroidBackHandler: true,
    actionsConfiguration: {
      // In a browser `back` would be this very page, which is not the game without Telegram around it.
      returnStrategy: window.parent === window ? 'back' : (returnTo ?? 'none'),
      ...(returnTo === null ? {} : { twaReturnUrl: returnTo }),
    },
  } satisfies TonConnectUiCreateOptions;
}
