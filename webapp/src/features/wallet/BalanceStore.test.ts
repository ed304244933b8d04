import { describe, expect, it } from 'vitest';
import type { RootStore } from '../../app/RootStore';
import { friendly } from '../../testing/FakePurse';
import { pass, playGame, requestsTo, server, setUpGame, setVisibility } from '../../testing/playGame';

const ours = friendly('0:aa');

setUpGame({ path: '/wallet', user: { wallet_address: ours } });

const asked = () => requestsTo('user/wallet').filter(({ body }) => body === null).length;

/** A player who looks at their wallet. */
async function looking() {
  const { root } = await playGame();
  await pass(10);
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
    server.purse.balance = 50;
    await pass(60_000);
    expect(held()).toBe(12.5);
    setVisibility('visible');
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
