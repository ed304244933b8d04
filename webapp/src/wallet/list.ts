/** For the whole list of wallets, milliseconds. Who waits for it gives up later, and asks once more. */
const timeout = 15_000;

/** The name that a list of wallets gives the app. */
export async function walletName(list: string, app: string): Promise<string> {
  const stop = new AbortController(); // iOS 15 lacks `AbortSignal.timeout`
  setTimeout(() => stop.abort(), timeout);
  const wallets: unknown = await (await fetch(list, { signal: stop.signal })).json();
  const wallet = Array.isArray(wallets) && wallets.find((wallet) => wallet?.app_name === app);
  if (!wallet) throw new Error(`no ${app} in the list of wallets`);
  return typeof wallet.name === 'string' && wallet.name.trim() ? wallet.name.trim() : app;
}
