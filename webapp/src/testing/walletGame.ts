import { expect } from 'vitest';
import { friendly } from './FakePurse';
import type { FakeWallet } from './FakeWallet';
import { pass, playGame, requestsTo, server } from './playGame';

/** The address of the player's wallet, once it is connected. */
export const ours = friendly('0:aa');

/** What the server was told of wallets. */
export const changes = () => requestsTo('user/wallet').flatMap(({ body }) => (body === null ? [] : [body]));
export const address = () => server.player(7).user.wallet_address;

/** The game with a wallet app; a reload keeps the server and the device. */
export async function load(path = '/wallet', before: (phone: FakeWallet) => void = () => undefined) {
  const { root, host } = await playGame({ path, prepare: ({ wallet }) => before(wallet) });
  const { connection, wallet, payments, orders } = await root.loadTrade();
  await pass(20);
  return { root, connection, wallet, payments, orders, phone: host.wallet, host };
}

/** The wallet window is open. */
export async function opened() {
  const all = await load();
  void all.connection.connect();
  await pass(310);
  expect(all.phone.isOpen).toBe(true);
  return all;
}

export async function connected() {
  const all = await opened();
  await all.phone.accept();
  await pass(10);
  expect(address()).toBe(ours);
  all.root.toasts.retract('toast.wallet_joined');
  return all;
}
