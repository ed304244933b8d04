import type { Options, WalletApp } from './WalletApp';

export { walletName } from './list';
export { isEnded, isKept, setEnded, tonConnectStorage as shelfOf } from './session';
export type * from './WalletApp';

/** Fetches the code that speaks to wallets, which is no part of the first screen's. */
export async function openWallet(options: Options): Promise<WalletApp> {
  const { openConnector } = await import('./connector');
  return openConnector(options);
}
