import { describe, expect, it } from 'vitest';
import { friendly } from '../../testing/FakePurse';
import { pass, requestsTo, server, setUpGame, setVisibility } from '../../testing/playGame';
import { address, changes, connected, load, opened, ours } from '../../testing/walletGame';

setUpGame({ path: '/wallet' });

describe('connecting', () => {
  it('opens the window of the named app after 300 ms, with the server’s payload to sign', async () => {
    const { root, connection, phone } = await load();
    expect(phone.opened).toEqual([]); // no code is fetched before
    void connection.connect();
    await pass(299);
    expect([phone.windows, root.toasts.shown?.text]).toEqual([0, 'toast.connecting_wallet']);
    await pass(2);
    expect([phone.windows, phone.payload, root.toasts.shown]).toEqual([1, 'payload-1', null]);
    expect(phone.opened[0]).toMatchObject({
      manifest: `${window.location.origin}/tonconnect-manifest.json`,
      list: `${window.location.origin}/wallets.json`,
      app: 'tonkeeper',
      network: 'mainnet',
      returnTo: 'https://t.me/mcbk_bot',
      language: 'en',
    });
  });

  it('hands the proof to the server, and the wallet is proven', async () => {
    const { root, connection, wallet, phone } = await connected();
    expect(changes()).toEqual([
      {
        wallet_address: '0:aa',
        proof: {
          timestamp: 1,
          domain: { lengthBytes: 9, value: 'mcbk.test' },
          payload: 'payload-1',
          signature: 'c2ln',
          public_key: 'ff',
          state_init: '',
        },
      },
    ]);
    expect([root.user.user?.wallet_proven, wallet.live, connection.step]).toEqual([true, true, 'idle']);
    expect([phone.isOpen, wallet.balance.of(ours)]).toEqual([false, 12.5]);
  });

  it('is not done before the server knows, and says so', async () => {
    const { root, phone } = await opened();
    server.delay = 2000;
    await phone.accept();
    await pass(1000);
    expect([phone.isOpen, root.toasts.shown?.text]).toEqual([false, 'toast.connecting_wallet']);
    await pass(2000);
    expect([root.user.user?.wallet_proven, root.toasts.shown?.text]).toEqual([true, 'toast.wallet_joined']);
  });

  it('connects the address alone where the wallet signs nothing, or there is nothing to sign', async () => {
    const { root, connection, phone } = await opened();
    await phone.accept('0:aa', false);
    await pass(10);
    expect([changes(), root.user.user?.wallet_proven]).toEqual([[{ wallet_address: '0:aa' }], false]);
    server.weatherOf['/api/ton/proof-payload'] = [{ status: 429, code: 'rate_limited' }];
    void connection.connect();
    await pass(310);
    expect([phone.isOpen, phone.payload]).toEqual([true, null]);
  });

  it('that is declined is said, and the window stays to try again', async () => {
    const { root, phone, connection } = await opened();
    phone.decline();
    expect([root.toasts.shown?.text, phone.isOpen, connection.step]).toEqual([
      'errors.declined',
      true,
      'open',
    ]);
    await phone.accept();
    await pass(10);
    expect([address(), root.toasts.shown?.text]).toEqual([ours, 'toast.wallet_joined']); // no longer declined
  });

  it('tries once more the same way, and then says that it failed', async () => {
    const { root, connection, phone } = await load();
    phone.broken = { code: 1, window: 0 };
    void connection.connect();
    await pass(310);
    expect(phone.windows).toBe(1);
    phone.broken = { code: 0, window: 2 };
    void connection.connect();
    expect(connection.step).toBe('open'); // a window is open, and no second one wanted
    root.back(); // Telegram's button
    expect([phone.isOpen, connection.step]).toEqual([false, 'idle']);
    void connection.connect();
    await pass(610);
    expect([phone.windows, root.toasts.shown?.text, connection.step]).toEqual([
      1,
      'errors.wallet_connect',
      'idle',
    ]);
  });

  it.each(['code', 'window'] as const)('says that it failed where the %s does not come', async (what) => {
    const { root, connection, phone } = await load();
    phone.stalled = what;
    void connection.connect();
    await pass(30_000);
    expect([connection.step, root.toasts.shown?.text]).toEqual(['opening', 'toast.connecting_wallet']);
    await pass(11_000);
    expect([connection.step, root.toasts.shown?.text]).toEqual(['idle', 'errors.wallet_connect']);
    phone.stalled = 'nothing';
    void connection.connect();
    expect(connection.step).toBe('opening');
  });

  it('lets go of the wallet that is connected first', async () => {
    const { connection, phone } = await connected();
    void connection.connect();
    await pass(310);
    expect([phone.account, phone.isOpen, address()]).toEqual([null, true, ours]); // the server hears of the next one
    await phone.accept('0:bb');
    await pass(10);
    expect([address(), changes().length]).toEqual([friendly('0:bb'), 2]);
  });

  it('gives a new payload before the old one ends, but not to a player who is away signing it', async () => {
    const { phone } = await opened();
    await pass(239_000);
    expect(phone.payload).toBe('payload-1');
    setVisibility('hidden');
    await pass(30_000);
    expect(phone.payload).toBe('payload-1');
    setVisibility('visible');
    await pass(5000);
    expect(phone.payload).toBe('payload-2');
    phone.accept();
    await pass(600_000);
    expect(requestsTo('ton/proof-payload').length).toBe(2);
  });
});

it('speaks the player’s language', async () => {
  const { root, phone } = await connected();
  await root.user.change({ language: 'ru' });
  expect(phone.language).toBe('ru');
});
