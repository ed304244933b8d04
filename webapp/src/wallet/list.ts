/** For the whole wallets list, milliseconds. */
const timeout = 15_000;

/** The name of the app in a wallets list. */
export async function walletName(list: string, app: string): Promise<string> {
  const stop = new AbortController(); // iOS 15 lacks `AbortSignal.timeout`
  setTimeout(() => stop.abort(), timeout);
  const wallets: unknown = await (await fetch(list, { signal: stop.signal })).json();
  const wallet = Array.isArray(wallets) && wallets.find((wallet) => wallet?.app_name === app);
  if (!wallet) throw new Error(`no ${app} in the list of wallets`);
  return typeof wallet.name === 'string' && wallet.name.trim() ? wallet.name.trim() : app;
}
