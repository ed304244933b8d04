import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { RootStore } from '../../app/RootStore';
import { friendly } from '../../testing/FakePurse';
import { FakeServer } from '../../testing/FakeServer';
import { createTestPlatform } from '../../testing/platform';

const ours = friendly('0:aa');
let server: FakeServer;

beforeEach(() => {
  vi.useFakeTimers({ now: Date.parse('2026-03-01T12:00:00Z') });
  localStorage.clear();
  window.history.replaceState(null, '', '/wallet');
  window.scrollTo = vi.fn();
  server = new FakeServer();
  server.player(7).user = { ...server.player(7).user, wallet_address: ours };
});

afterEach(() => {
  setVisibility('visible');
  vi.useRealTimers();
});

const pass = (time: number) => vi.advanceTimersByTimeAsync(time);
const asked = () =>
  server.requests.filter(({ path, body }) => path === '/api/user/wallet' && body === null).length;

function setVisibility(visibilityState: 'hidden' | 'visible') {
  Object.defineProperty(document, 'visibilityState', { value: visibilityState, configurable: true });
}

/** A player who looks at their wallet. */
async function looking() {
  const root = new RootStore(createTestPlatform(server).platform);
  void root.boot.start();
  await pass(2510);
  const { wallet } = await root.loadTrade();
  await pass(10);
  return { root, held: () => wallet.balance.of(ours) };
}

it.each(['/market', '/wallet'] as const)(
  'who comes back to %s is told what is held by then',
  async (screen) => {
    const { root, held } = await looking();
    root.route.go(screen);
    await pass(10);
    setVisibility('hidden');
    document.dispatchEvent(new Event('visibilitychange'));
    server.purse.balance = 50;
    await pass(60_000);
    expect(held()).toBe(12.5);
    setVisibility('visible');
    document.dispatchEvent(new Event('visibilitychange'));
    await pass(10);
    expect(held()).toBe(50);
  },
);

describe('a balance that nobody could tell', () => {
  /** The network was away when they came to their wallet. */
  async function unknowing() {
    server.weatherOf['/api/user/wallet'] = ['cut'];
    const all = await looking();
    expect([all.held(), asked()]).toEqual([null, 1]);
    return all;
  }

  it('is asked for when the device has a network again, and not once it is known', async () => {
    const { held } = await unknowing();
    window.dispatchEvent(new Event('online'));
    await pass(10);
    expect(held()).toBe(12.5);
    window.dispatchEvent(new Event('online'));
    await pass(120_000);
    expect(asked()).toBe(2);
  });

  it('is asked for twice a minute, also where the chain does not tell', async () => {
    const { held } = await unknowing();
    server.purse.balance = null;
    await pass(30_000);
    expect([held(), asked()]).toEqual([null, 2]);
    server.purse.balance = 50;
    await pass(30_000);
    expect([held(), asked()]).toEqual([50, 3]);
  });

  it.each([
    ['on another screen', (root: RootStore) => root.route.go('/')],
    ['in the background', () => setVisibility('hidden')],
  ])('is not asked for where nobody looks (%s)', async (_, away) => {
    const { root } = await unknowing();
    away(root);
    window.dispatchEvent(new Event('online'));
    await pass(120_000);
    expect(asked()).toBe(1);
  });
});
