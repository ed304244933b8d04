import { describe, expect, it } from 'vitest';
import type { RootStore } from '../../app/RootStore';
import { friendly } from '../../testing/FakePurse';
import { changeUser, pass, playGame, requestsTo, server, setUpGame } from '../../testing/playGame';
import { address, changes, connected, load, opened, ours } from '../../testing/walletGame';

setUpGame({ path: '/wallet' });

describe('a refusal', () => {
  it('of a wallet that is another’s is said, and the wallet is let go', async () => {
    const { root, connection, phone } = await opened();
    server.weatherOf['/api/user/wallet'] = [{ status: 409, code: 'wallet_in_use' }];
    await phone.accept();
    await pass(10);
    expect([root.toasts.shown?.text, phone.account, address()]).toEqual(['errors.wallet_in_use', null, null]);
    expect([connection.account, connection.step, changes().length]).toEqual([null, 'idle', 1]);
  });

  it('is the last that is said, though the bridge does not hear that the wallet is let go', async () => {
    const { root, wallet, phone } = await opened();
    server.weatherOf['/api/user/wallet'] = [{ status: 409, code: 'wallet_in_use' }];
    phone.goodbye = new Promise(() => {});
    await phone.accept();
    await pass(4010);
    expect([wallet.saving, root.toasts.shown]).toEqual([true, null]);
  });

  it('of an address is said in the words of the server', async () => {
    const { root, phone } = await opened();
    const message = 'Wrong address 0:aa. Hex part must be 64bytes length';
    server.weatherOf['/api/user/wallet'] = [{ status: 400, code: 'wallet_address_invalid', message }];
    await phone.accept();
    await pass(10);
    expect(root.toasts.shown).toMatchObject({ text: 'toast.failed', values: { message } });
    expect(phone.account).toBeNull();
  });

  it.each([
    ['wallet_proof_invalid', 400],
    ['nonce_used', 409],
    ['expired', 410],
  ])('of a proof (%s) is said, and the address connected without it', async (code, status) => {
    const { root, wallet, phone } = await opened();
    server.weatherOf['/api/user/wallet'] = [{ status, code }];
    await phone.accept();
    await pass(10);
    expect([root.toasts.shown?.text, address(), wallet.live]).toEqual(['errors.unproven', ours, true]);
    expect(root.user.user?.wallet_proven).toBe(false);
  });

  it('is none where an answer was lost: it is said again by the same key', async () => {
    const { root, phone } = await opened();
    server.weatherOf['/api/user/wallet'] = ['lost answer', { status: 503, code: 'try_again' }];
    await phone.accept();
    await pass(4010);
    const keys = requestsTo('user/wallet').map(({ headers }) => headers.get('Idempotency-Key'));
    expect([new Set(keys.slice(0, 3)).size, root.user.user?.wallet_proven]).toEqual([1, true]);
    expect(root.toasts.shown?.text).toBe('toast.wallet_joined');
  });

  it('without end says so, and the wallet is told of with the next visit', async () => {
    const { root, phone } = await opened();
    server.weatherOf['/api/user/wallet'] = ['cut', { status: 429, code: 'rate_limited' }, 'cut'];
    await phone.accept();
    await pass(4010);
    expect([root.toasts.shown?.text, address()]).toEqual(['errors.wallet_connect', null]);
    const again = await load();
    expect([address(), again.wallet.live]).toEqual([ours, true]);
  });
});

describe('after a reload', () => {
  it('the connection stands again, and the server is told nothing new', async () => {
    await connected();
    const { wallet, phone } = await load();
    expect([wallet.live, phone.opened.length, changes().length]).toEqual([true, 1, 1]);
  });

  it.each([
    ['in the mines', '/mines', () => {}],
    ['beside the offer', '/', (root: RootStore) => root.modals.enqueue({ is: 'discount' })],
    ['beside an order that is open', '/', (root: RootStore) => root.modals.openSheet('order')],
  ])('stands again where something may be bought: %s', async (_, path, look) => {
    await connected();
    const { root, wallet } = await load(path);
    look(root);
    await pass(10);
    expect(wallet.live).toBe(true);
  });

  it('a device without one fetches no code', async () => {
    changeUser({ wallet_address: ours });
    const { wallet, phone } = await load();
    expect([wallet.address, wallet.live, phone.opened]).toEqual([ours, false, []]);
  });

  it('a wallet that was changed elsewhere counts more than the one kept here', async () => {
    await connected();
    changeUser({ wallet_address: friendly('0:bb') });
    const { wallet, phone } = await load();
    expect([phone.account, address(), wallet.live]).toEqual([null, friendly('0:bb'), false]);
  });

  it('another player on the same device has none', async () => {
    await connected();
    const { root, host } = await playGame({ path: '/wallet', launch: { initData: '8' } });
    await pass(20);
    expect([host.wallet.opened, root.user.user?.wallet_address]).toEqual([[], null]);
  });
});

describe('disconnecting', () => {
  it('forgets the address and tells the wallet app', async () => {
    await connected();
    const { connection, wallet, phone } = await load();
    void wallet.disconnect();
    await pass(10);
    expect([address(), phone.account, connection.account, changes().at(-1)]).toEqual([
      null,
      null,
      null,
      { wallet_address: null },
    ]);
    expect(changes().length).toBe(2);
  });

  it('while the kept connection is still restored ends that, too', async () => {
    await connected();
    let restored = () => {};
    const { wallet, phone } = await load('/wallet', (kept) => {
      kept.restored = new Promise((done) => {
        restored = done;
      });
    });
    void wallet.disconnect();
    await pass(10);
    restored();
    await pass(10);
    expect([address(), phone.account, changes().at(-1)]).toEqual([null, null, { wallet_address: null }]);
  });

  it('where the app’s code did not come before ends the connection that it finds', async () => {
    await connected();
    const { wallet, phone } = await load('/wallet', (kept) => {
      kept.broken.code = 1;
    });
    void wallet.disconnect();
    await pass(10);
    expect([address(), phone.account, changes().at(-1)]).toEqual([null, null, { wallet_address: null }]);
  });

  it('is done by the next page where this one went before the bridge had answered', async () => {
    const { wallet, phone } = await connected();
    phone.goodbye = new Promise(() => {});
    void wallet.disconnect();
    await pass(10);
    const next = await load();
    expect([address(), next.phone.account, changes().at(-1)]).toEqual([null, null, { wallet_address: null }]);
    void next.connection.connect();
    await pass(310);
    await next.phone.accept();
    await pass(10);
    expect((await load()).wallet.live).toBe(true);
  });

  it('is done by the next page, though the connection was restored while the server was told', async () => {
    await connected();
    let restored = () => {};
    const { wallet } = await load('/wallet', (kept) => {
      kept.goodbye = new Promise(() => {});
      kept.restored = new Promise((done) => {
        restored = done;
      });
    });
    server.weatherOf['/api/user/wallet'] = ['cut'];
    void wallet.disconnect();
    await pass(10);
    restored();
    await pass(2010);
    expect(address()).toBeNull();
    await load();
    expect(address()).toBeNull();
  });

  it('is done by the next page, though an older connection was being ended', async () => {
    await connected();
    changeUser({ wallet_address: friendly('0:bb') });
    const { wallet } = await load('/wallet', (kept) => {
      kept.goodbye = new Promise(() => {});
    });
    void wallet.disconnect();
    await pass(10);
    expect(address()).toBeNull();
    await load();
    expect(address()).toBeNull();
  });

  it('is done by the next page where the app’s code did not come to this one', async () => {
    await connected();
    const { wallet } = await load('/wallet', (kept) => {
      kept.broken.code = 2;
    });
    void wallet.disconnect();
    await pass(10);
    const next = await load();
    expect([address(), next.phone.account, changes().length]).toEqual([null, null, 2]);
  });

  it('that the server did not hear of ends nothing', async () => {
    const { wallet } = await connected();
    server.weatherOf['/api/user/wallet'] = ['cut', 'cut', 'cut'];
    void wallet.disconnect();
    await pass(5000);
    expect((await load()).wallet.live).toBe(true);
    changeUser({ wallet_address: null });
    await load();
    expect(address()).toBe(ours); // as of any connection that the server has forgotten
  });

  it('is waited for by the next connection, which it would take with it', async () => {
    const { connection, wallet, phone } = await connected();
    let answered = () => {};
    phone.goodbye = new Promise((done) => {
      answered = done;
    });
    void wallet.disconnect();
    await pass(10);
    void connection.connect();
    await pass(5000);
    expect(phone.windows).toBe(1);
    answered();
    await pass(310);
    expect(phone.windows).toBe(2);
  });

  it('of an address that no app here is connected to needs none of its code', async () => {
    changeUser({ wallet_address: ours });
    const { wallet, phone } = await load();
    void wallet.disconnect();
    await pass(10);
    expect([address(), phone.opened]).toEqual([null, []]);
  });

  it('in the wallet app is heard, and said', async () => {
    const { root, phone } = await connected();
    await phone.leave();
    await pass(10);
    expect([address(), root.toasts.shown?.text]).toEqual([null, 'toast.wallet_left']);
  });

  it('in the wallet app is no news where another wallet was chosen on another device', async () => {
    const { root, phone, connection, wallet } = await connected();
    const other = friendly('0:bb');
    changeUser({ wallet_address: other });
    server.weatherOf['/api/user/me'] = ['cut'];
    await phone.leave();
    await pass(2010);
    expect([address(), wallet.address, connection.account, changes().length]).toEqual([
      other,
      other,
      null,
      1,
    ]);
    expect(root.toasts.shown).toBeNull();
  });

  it.each([
    ['heard', '/api/user/me'],
    ['told', '/api/user/wallet'],
  ])(
    'in the wallet app is no news where a wallet is connected again by the time the server is %s',
    async (_, path) => {
      const { root, phone, wallet } = await connected();
      server.weatherOf[path] = ['cut'];
      await phone.leave();
      await pass(10);
      await phone.accept('0:aa', false);
      await pass(2010);
      expect([address(), wallet.live, root.toasts.shown]).toEqual([ours, true, null]);
    },
  );
});
