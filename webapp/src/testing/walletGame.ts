import { afterEach, beforeEach, expect, vi } from 'vitest';
import { RootStore } from '../app/RootStore';
import { friendly } from './FakePurse';
import { FakeServer } from './FakeServer';
import type { FakeWallet } from './FakeWallet';
import { createTestPlatform } from './platform';

/** The address of the player's wallet, once it is connected. */
export const ours = friendly('0:aa');

export const pass = (time: number) => vi.advanceTimersByTimeAsync(time);

export function setVisibility(visibilityState: 'hidden' | 'visible') {
  Object.defineProperty(document, 'visibilityState', { value: visibilityState, configurable: true });
}

/** The game with a wallet app, anew for each test of a file; reloads keep the server and the device. */
export function walletGame() {
  let server = new FakeServer();

  beforeEach(() => {
    vi.useFakeTimers({ now: Date.parse('2026-03-01T12:00:00Z') });
    localStorage.clear();
    window.scrollTo = vi.fn();
    server = new FakeServer();
  });

  afterEach(() => {
    setVisibility('visible');
    vi.useRealTimers();
  });

  const requests = (path: string) => server.requests.filter((one) => one.path === `/api/${path}`);
  const address = () => server.player(7).user.wallet_address;

  async function load(path = '/wallet', before: (phone: FakeWallet) => void = () => undefined) {
    window.history.replaceState(null, '', path);
    const { platform, host } = createTestPlatform(server);
    before(host.wallet);
    const root = new RootStore(platform);
    void root.boot.start();
    await pass(2510);
    const trade = await root.loadTrade();
    await pass(10);
    const { connection, wallet, payments, orders } = trade;
    return { root, connection, wallet, payments, orders, phone: host.wallet, host };
  }

  /** The wallet window is open. */
  async function opened() {
    const all = await load();
    void all.connection.connect();
    await pass(310);
    expect(all.phone.isOpen).toBe(true);
    return all;
  }

  async function connected() {
    const all = await opened();
    await all.phone.accept();
    await pass(10);
    expect(address()).toBe(ours);
    all.root.toasts.retract('toast.wallet_joined');
    return all;
  }

  return {
    get server() {
      return server;
    },
    requests,
    /** What the server was told of wallets. */
    changes: () => requests('user/wallet').flatMap(({ body }) => (body === null ? [] : [body])),
    address,
    load,
    opened,
    connected,
  };
}
