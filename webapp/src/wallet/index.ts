import type { Options, WalletApp } from './WalletApp';

export { walletName } from './list';
export type * from './WalletApp';

/** Loads TON Connect, which is not part of the first screen's code. */
export async function openWallet(options: Options): Promise<WalletApp> {
  const { openConnector } = await import('./connector');
  return openConnector(options);
}
