import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { RootStore } from '../../app/RootStore';
import { friendly } from '../../testing/FakePurse';
import { FakeServer } from '../../testing/FakeServer';
import type { FakeWallet } from '../../testing/FakeWallet';
import { createTestPlatform } from '../../testing/platform';
import { oneTon } from '../market/amount';

let server: FakeServer;

beforeEach(() => {
  vi.useFakeTimers({ now: Date.parse('2026-03-01T12:00:00Z') });
  localStorage.clear();
  window.history.replaceState(null, '', '/');
  window.scrollTo = vi.fn();
  server = new FakeServer();
});

afterEach(() => {
  variant('visible');
  vi.useRealTimers();
});

const pass = (time: number) => vi.advanceTimersByTimeAsync(time);
const sent = (path: string) => server.requests.filter((one) => one.path === `/api/${path}`);
const changes = () => sent('user/wallet').flatMap(({ body }) => (body === null ? [] : [body]));
const address = () => server.player(7).user.wallet_address;
const ours = friendly('0:aa');

function variant(visibilityState: 'hidden' | 'visible') {
  Object.defineProperty(document, 'visibilityState', { value: visibilityState, configurable: true });
}

/** The game, begun anew: the device is the same. */
async function started(path = '/wallet', before: (phone: FakeWallet) => void = () => undefined) {
  window.history.replaceState(null, '', path);
  const { world: platform, host } = createTestPlatform(server);
  before(host.wallet);
  const root = new RootStore(platform);
  void root.start();
  await pass(2510);
  const { wallet, orders, market } = await root.loadTrade();
  await pass(10);
  return { root, wallet, orders, market, phone: host.wallet, host };
}

/** A player whose wallet window is open. */
async function asking() {
  const all = await started();
  void all.wallet.connect();
  await pass(310);
  expect(all.phone.isOpen).toBe(true);
  return all;
}

async function connected() {
  const all = await asking();
  await all.phone.accept();
  await pass(10);
  expect(address()).toBe(ours);
  return all;
}

describe('connecting', () => {
  it('opens the window of the named app after 300 ms, with the server’s payload to sign', async () => {
    const { root, wallet, phone } = await started();
    expect(phone.opened).toEqual([]); // no code is fetched before
    void wallet.connect();
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
    const { root, wallet, phone } = await connected();
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
    expect([root.user.user?.wallet_proven, wallet.live, wallet.doing]).toEqual([true, true, 'nothing']);
    expect([phone.isOpen, wallet.balance.of(ours)]).toEqual([false, 12.5]);
  });

  it('is not done before the server knows, and says so', async () => {
    const { root, phone } = await asking();
    server.delay = 2000;
    await phone.accept();
    await pass(1000);
    expect([phone.isOpen, root.toasts.shown?.text]).toEqual([false, 'toast.connecting_wallet']);
    await pass(2000);
    expect([root.user.user?.wallet_proven, root.toasts.shown]).toEqual([true, null]);
  });

  it('connects the address alone where the wallet signs nothing, or there is nothing to sign', async () => {
    const { root, wallet, phone } = await asking();
    await phone.accept('0:aa', false);
    await pass(10);
    expect([changes(), root.user.user?.wallet_proven]).toEqual([[{ wallet_address: '0:aa' }], false]);
    server.weatherOf['/api/ton/proof-payload'] = [{ status: 429, code: 'rate_limited' }];
    void wallet.connect();
    await pass(310);
    expect([phone.isOpen, phone.payload]).toEqual([true, null]);
  });

  it('that is declined is said, and the window stays to try again', async () => {
    const { root, phone, wallet } = await asking();
    phone.decline();
    expect([root.toasts.shown?.text, phone.isOpen, wallet.doing]).toEqual([
      'errors.declined',
      true,
      'asking',
    ]);
    await phone.accept();
    await pass(10);
    expect([address(), root.toasts.shown]).toEqual([ours, null]); // it was, and is no longer
  });

  it('tries once more the same way, and then says that it failed', async () => {
    const { root, wallet, phone } = await started();
    phone.broken = { code: 1, window: 0 };
    void wallet.connect();
    await pass(310);
    expect(phone.windows).toBe(1);
    phone.broken = { code: 0, window: 2 };
    void wallet.connect();
    expect(wallet.doing).toBe('asking'); // a window is open, and no second one wanted
    root.back(); // Telegram's button
    expect([phone.isOpen, wallet.doing]).toEqual([false, 'nothing']);
    void wallet.connect();
    await pass(610);
    expect([phone.windows, root.toasts.shown?.text, wallet.doing]).toEqual([
      1,
      'errors.wallet_connect',
      'nothing',
    ]);
  });

  it.each(['code', 'window'] as const)('says that it failed where the %s does not come', async (what) => {
    const { root, wallet, phone } = await started();
    phone.stalled = what;
    void wallet.connect();
    await pass(30_000);
    expect([wallet.doing, root.toasts.shown?.text]).toEqual(['opening', 'toast.connecting_wallet']);
    await pass(11_000);
    expect([wallet.doing, root.toasts.shown?.text]).toEqual(['nothing', 'errors.wallet_connect']);
    phone.stalled = 'nothing';
    void wallet.connect();
    expect(wallet.doing).toBe('opening');
  });

  it('lets go of the wallet that is connected first', async () => {
    const { wallet, phone } = await connected();
    void wallet.connect();
    await pass(310);
    expect([phone.account, phone.isOpen, address()]).toEqual([null, true, ours]); // the server hears of the next one
    await phone.accept('0:bb');
    await pass(10);
    expect([address(), changes().length]).toEqual([friendly('0:bb'), 2]);
  });

  it('gives a new payload before the old one ends, but not to a player who is away signing it', async () => {
    const { phone } = await asking();
    await pass(239_000);
    expect(phone.payload).toBe('payload-1');
    variant('hidden');
    await pass(30_000);
    expect(phone.payload).toBe('payload-1');
    variant('visible');
    await pass(5000);
    expect(phone.payload).toBe('payload-2');
    phone.accept();
    await pass(600_000);
    expect(sent('ton/proof-payload').length).toBe(2);
  });
});

describe('a refusal', () => {
  it('of a wallet that is another’s is said, and the wallet is let go', async () => {
    const { root, wallet, phone } = await asking();
    server.weatherOf['/api/user/wallet'] = [{ status: 409, code: 'wallet_in_use' }];
    await phone.accept();
    await pass(10);
    expect([root.toasts.shown?.text, phone.account, address()]).toEqual(['errors.wallet_in_use', null, null]);
    expect([wallet.account, wallet.doing, changes().length]).toEqual([null, 'nothing', 1]);
  });

  it('is the last that is said, though the bridge does not hear that the wallet is let go', async () => {
    const { root, wallet, phone } = await asking();
    server.weatherOf['/api/user/wallet'] = [{ status: 409, code: 'wallet_in_use' }];
    phone.goodbye = new Promise(() => {});
    await phone.accept();
    await pass(4010);
    expect([wallet.doing, root.toasts.shown]).toEqual(['telling', null]);
  });

  it('of an address is said in the words of the server', async () => {
    const { root, phone } = await asking();
    const message = 'Wrong address 0:aa. Hex part must be 64bytes length';
    server.weatherOf['/api/user/wallet'] = [{ status: 400, code: 'wallet_address_invalid', message }];
    await phone.accept();
    await pass(10);
    expect(root.toasts.shown).toMatchObject({ text: 'toast.failed', values: { message } });
    expect(phone.account).toBeNull();
  });

  it.each(['wallet_proof_invalid', 'nonce_used', 'expired'] as const)(
    'of a proof (%s) is said, and the address connected without it',
    async (code) => {
      const { root, wallet, phone } = await asking();
      server.weatherOf['/api/user/wallet'] = [{ status: 400, code }];
      await phone.accept();
      await pass(10);
      expect([root.toasts.shown?.text, address(), wallet.live]).toEqual(['errors.unproven', ours, true]);
      expect(root.user.user?.wallet_proven).toBe(false);
    },
  );

  it('is none where an answer was lost: it is said again by the same key', async () => {
    const { root, phone } = await asking();
    server.weatherOf['/api/user/wallet'] = ['lost answer', { status: 503, code: 'try_again' }];
    await phone.accept();
    await pass(4010);
    const keys = sent('user/wallet').map(({ headers }) => headers.get('Idempotency-Key'));
    expect([new Set(keys.slice(0, 3)).size, root.user.user?.wallet_proven]).toEqual([1, true]);
    expect(root.toasts.shown).toBeNull();
  });

  it('without end says so, and the wallet is told of with the next visit', async () => {
    const { root, phone } = await asking();
    server.weatherOf['/api/user/wallet'] = ['cut', { status: 429, code: 'rate_limited' }, 'cut'];
    await phone.accept();
    await pass(4010);
    expect([root.toasts.shown?.text, address()]).toEqual(['errors.wallet_connect', null]);
    const again = await started();
    expect([address(), again.wallet.live]).toEqual([ours, true]);
  });
});

describe('after a reload', () => {
  it('the connection stands again, and the server is told nothing new', async () => {
    await connected();
    const { wallet, phone } = await started();
    expect([wallet.live, phone.opened.length, changes().length]).toEqual([true, 1, 1]);
  });

  it.each([
    ['in the mines', '/mines', () => {}],
    ['beside the offer', '/', (root: RootStore) => root.modals.enqueue({ is: 'discount' })],
    ['beside an order that is open', '/', (root: RootStore) => root.modals.openSheet('order')],
  ])('stands again where something may be bought: %s', async (_, path, variant) => {
    await connected();
    const { root, wallet } = await started(path);
    variant(root);
    await pass(10);
    expect(wallet.live).toBe(true);
  });

  it('a device without one fetches no code', async () => {
    server.player(7).user = { ...server.player(7).user, wallet_address: ours };
    const { wallet, phone } = await started();
    expect([wallet.address, wallet.live, phone.opened]).toEqual([ours, false, []]);
  });

  it('a wallet that was changed elsewhere counts more than the one kept here', async () => {
    await connected();
    server.player(7).user = { ...server.player(7).user, wallet_address: friendly('0:bb') };
    const { wallet, phone } = await started();
    expect([phone.account, address(), wallet.live]).toEqual([null, friendly('0:bb'), false]);
  });

  it('another player on the same device has none', async () => {
    await connected();
    const { world: platform, host } = createTestPlatform(server, { initData: '8' });
    window.history.replaceState(null, '', '/wallet');
    const root = new RootStore(platform);
    void root.start();
    await pass(2520);
    expect([host.wallet.opened, root.user.user?.wallet_address]).toEqual([[], null]);
  });
});

describe('disconnecting', () => {
  it('forgets the address and tells the wallet app', async () => {
    await connected();
    const { wallet, phone } = await started();
    void wallet.disconnect();
    await pass(10);
    expect([address(), phone.account, wallet.account, changes().at(-1)]).toEqual([
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
    const { wallet, phone } = await started('/wallet', (kept) => {
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
    const { wallet, phone } = await started('/wallet', (kept) => {
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
    const next = await started();
    expect([address(), next.phone.account, changes().at(-1)]).toEqual([null, null, { wallet_address: null }]);
    void next.wallet.connect();
    await pass(310);
    await next.phone.accept();
    await pass(10);
    expect((await started()).wallet.live).toBe(true);
  });

  it('is done by the next page, though the connection was restored while the server was told', async () => {
    await connected();
    let restored = () => {};
    const { wallet } = await started('/wallet', (kept) => {
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
    await started();
    expect(address()).toBeNull();
  });

  it('is done by the next page, though an older connection was being ended', async () => {
    await connected();
    server.player(7).user = { ...server.player(7).user, wallet_address: friendly('0:bb') };
    const { wallet } = await started('/wallet', (kept) => {
      kept.goodbye = new Promise(() => {});
    });
    void wallet.disconnect();
    await pass(10);
    expect(address()).toBeNull();
    await started();
    expect(address()).toBeNull();
  });

  it('is done by the next page where the app’s code did not come to this one', async () => {
    await connected();
    const { wallet } = await started('/wallet', (kept) => {
      kept.broken.code = 2;
    });
    void wallet.disconnect();
    await pass(10);
    const next = await started();
    expect([address(), next.phone.account, changes().length]).toEqual([null, null, 2]);
  });

  it('that the server did not hear of ends nothing', async () => {
    const { wallet } = await connected();
    server.weatherOf['/api/user/wallet'] = ['cut', 'cut', 'cut'];
    void wallet.disconnect();
    await pass(5000);
    expect((await started()).wallet.live).toBe(true);
    server.player(7).user = { ...server.player(7).user, wallet_address: null };
    await started();
    expect(address()).toBe(ours); // as of any connection that the server has forgotten
  });

  it('is waited for by the next connection, which it would take with it', async () => {
    const { wallet, phone } = await connected();
    let answered = () => {};
    phone.goodbye = new Promise((done) => {
      answered = done;
    });
    void wallet.disconnect();
    await pass(10);
    void wallet.connect();
    await pass(5000);
    expect(phone.windows).toBe(1);
    answered();
    await pass(310);
    expect(phone.windows).toBe(2);
  });

  it('of an address that no app here is connected to needs none of its code', async () => {
    server.player(7).user = { ...server.player(7).user, wallet_address: ours };
    const { wallet, phone } = await started();
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
    const { root, phone, wallet } = await connected();
    const other = friendly('0:bb');
    server.player(7).user = { ...server.player(7).user, wallet_address: other };
    server.weatherOf['/api/user/me'] = ['cut'];
    await phone.leave();
    await pass(2010);
    expect([address(), wallet.address, wallet.account, changes().length]).toEqual([other, other, null, 1]);
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

describe('paying', () => {
  async function ordered() {
    const all = await connected();
    all.root.route.go('/market');
    await pass(10);
    void all.orders.buy(5n * oneTon);
    await pass(10);
    return all;
  }

  it('is asked of the connected wallet, as the link has it, and no link is opened', async () => {
    const { phone, orders, wallet, host, root } = await ordered();
    expect([host.opened, root.toasts.shown?.text]).toEqual([[], 'order.confirm']);
    const [request] = phone.requests;
    expect(request?.transfer).toMatchObject({
      to: new URL(orders.order?.paymentLink ?? '').pathname.split('/').at(-1),
      nanotons: '5000000000',
      payload: orders.order?.payload,
    });
    expect(wallet.paying).toEqual([1]);
    // Sent is not paid: the chain decides, and the server tells.
    request?.answer('sent');
    await pass(10);
    expect([wallet.paying, orders.order?.status]).toEqual([[], 'pending']);
  });

  it('that was sent is not asked for again while its order lives, also by the next page', async () => {
    const { phone, orders, wallet, host } = await ordered();
    phone.requests[0]?.answer('sent');
    await pass(10);
    const { order } = orders;
    expect([wallet.sent, order && (await wallet.pay(order))]).toEqual([[1], false]);
    await pass(355_000); // it could be signed for five minutes, but who knows when the server sees the chain
    expect(order && (await wallet.pay(order))).toBe(false);
    const next = await started('/market');
    await pass(50);
    expect([next.wallet.sent, next.orders.open?.id]).toEqual([[1], 1]);
    if (order) void next.wallet.pay(order);
    await pass(10);
    expect([phone.requests.length, next.phone.requests.length, host.opened]).toEqual([1, 0, []]);
    for (const [hours, sent] of [
      [1, [1]],
      [25, []],
    ] as const) {
      server.serverTime = new Date(Date.parse(order?.expires_at ?? '') + hours * 3_600_000).toISOString();
      expect((await started('/market')).wallet.sent).toEqual(sent);
    }
  });

  it('whose answer the page did not live to hear still waits, as long as it can be signed', async () => {
    await ordered();
    await pass(100_000);
    server.serverTime = new Date().toISOString();
    const { wallet } = await started('/market');
    expect(wallet.paying).toEqual([1]);
    await pass(200_000);
    expect(wallet.paying).toEqual([]);
    server.serverTime = new Date().toISOString();
    expect((await started('/market')).wallet.paying).toEqual([]);
  });

  it('that was declined is forgotten by the device, and so is what nobody understands', async () => {
    const { phone } = await ordered();
    expect(localStorage.getItem('asked_payments')).toContain('"1"');
    phone.requests[0]?.answer('declined');
    await pass(10);
    expect(localStorage.getItem('asked_payments')).toBeNull();
    for (const text of ['{', '[7]', 'null', '{"1":{"sent":"yes"}}']) {
      localStorage.setItem('asked_payments', text);
      const { wallet } = await started('/market');
      expect([wallet.paying, wallet.sent]).toEqual([[], []]);
    }
  });

  it('is signed within five minutes of the server’s time, whatever the device’s', async () => {
    server.serverTime = '2026-03-01T11:00:00Z'; // the device is an hour ahead
    const { phone } = await ordered();
    const asked = Date.parse('2026-03-01T11:00:00Z') / 1000;
    const { validUntil = 0 } = phone.requests[0]?.transfer ?? {};
    expect(validUntil - asked).toBeGreaterThan(295);
    expect(validUntil - asked).toBeLessThan(305); // seconds have passed since the clock was read
  });

  it('is never signed after the order has expired', async () => {
    const { phone, orders, wallet } = await ordered();
    phone.requests[0]?.answer('declined');
    const ends = Date.parse(orders.order?.expires_at ?? '');
    await pass(ends - Date.now() - 60_000);
    if (orders.order) void wallet.pay(orders.order);
    expect(phone.requests[1]?.transfer.validUntil).toBe(Math.floor(ends / 1000));
    phone.requests[1]?.answer('declined');
    await pass(61_000);
    expect(orders.order && (await wallet.pay(orders.order))).toBe(false);
  });

  it('that is declined leaves the order to be paid, and can be asked for again', async () => {
    const { root, phone, orders, wallet } = await ordered();
    await pass(4010); // the link's own toast
    phone.requests[0]?.answer('declined');
    await pass(10);
    expect([orders.open?.id, wallet.paying, phone.requests.length]).toEqual([1, [], 1]);
    expect(root.toasts.shown?.text).toBe('errors.cancelled');
    if (orders.order) void wallet.pay(orders.order);
    await pass(10);
    phone.requests[1]?.answer('failed');
    await pass(4010);
    expect([orders.open?.id, root.toasts.shown?.text]).toEqual([1, 'errors.not_sent']);
  });

  it('that the phone hears of late, having slept meanwhile, was sent', async () => {
    const { root, phone, orders, wallet } = await ordered();
    await pass(309_000);
    expect(wallet.paying).toEqual([1]);
    phone.requests[0]?.answer('sent');
    await pass(10);
    expect([wallet.paying, wallet.sent, root.toasts.shown?.text]).toEqual([[], [1], 'toast.sent']);
    expect(orders.order && (await wallet.pay(orders.order))).toBe(false);
  });

  it('that the phone hears of later still, is not asked for again, though another request for it was declined', async () => {
    const { root, phone, orders, wallet } = await ordered();
    await pass(320_000);
    expect([wallet.paying, wallet.sent]).toEqual([[], []]);
    if (orders.order) void wallet.pay(orders.order);
    await pass(10);
    phone.requests[0]?.answer('sent');
    await pass(10);
    expect([wallet.sent, root.toasts.shown?.text]).toEqual([[1], 'toast.sent']);
    phone.requests[1]?.answer('declined');
    await pass(10);
    expect([wallet.paying, wallet.sent, root.toasts.shown?.text]).toEqual([[], [1], 'toast.sent']);
    expect((await started('/market')).wallet.sent).toEqual([1]);
  });

  it('ends when the wallet is disconnected, or nobody has answered while it could be signed', async () => {
    const { root, phone, orders, wallet } = await ordered();
    await pass(299_000);
    expect(wallet.paying).toEqual([1]);
    await pass(12_000);
    expect([wallet.paying, root.toasts.shown?.text]).toEqual([[], 'errors.not_sent']);
    if (orders.order) void wallet.pay(orders.order);
    await pass(10);
    expect(wallet.paying).toEqual([1]);
    await phone.leave();
    await pass(10);
    expect([wallet.paying, address()]).toEqual([[], null]);
  });

  /** The wallet has not answered about the first order, which was cancelled, and a second one is made. */
  async function orderedAnew() {
    const all = await ordered();
    await all.orders.cancel();
    all.root.modals.closeSheet();
    await pass(10);
    await all.orders.buy(oneTon);
    await pass(4010); // the link's own toast
    return all;
  }

  it('is asked for though the wallet has not answered about another order, and once for each', async () => {
    const { phone, orders, wallet, host } = await orderedAnew();
    expect(orders.order?.id).toBe(2);
    if (orders.order) expect(await wallet.pay(orders.order)).toBe(false);
    expect([phone.requests.length, wallet.paying, host.opened]).toEqual([2, [1, 2], []]);
  });

  it.each(['declined', 'failed'] as const)(
    'that is %s of an order the player has gone on from is not said, and the newer one’s waits on',
    async (outcome) => {
      const { root, phone, wallet } = await orderedAnew();
      phone.requests[0]?.answer(outcome);
      await pass(10);
      expect([root.toasts.shown, wallet.paying]).toEqual([null, [2]]);
      phone.requests[1]?.answer('declined');
      await pass(10);
      expect([root.toasts.shown?.text, wallet.paying]).toEqual(['errors.cancelled', []]);
    },
  );

  it('ends for all orders when the wallet is disconnected', async () => {
    const { phone, wallet } = await orderedAnew();
    await phone.leave();
    await pass(10);
    expect([wallet.paying, phone.requests.length]).toEqual([[], 2]);
  });

  it('brings the balance that is left', async () => {
    const { orders, phone } = await ordered();
    phone.requests[0]?.answer('sent');
    const asked = () => sent('user/wallet').filter(({ body }) => !body).length;
    const before = asked();
    server.market.becomes(1, { status: 'paid' });
    await pass(10_000);
    expect([orders.order?.status, asked() - before]).toEqual(['paid', 1]);
  });

  it('goes by the link where no wallet is connected on this device', async () => {
    server.player(7).user = { ...server.player(7).user, wallet_address: ours };
    const { phone, orders, host } = await started('/market');
    void orders.buy(oneTon);
    await pass(10);
    expect([host.opened, phone.opened]).toEqual([[orders.order?.paymentLink], []]);
  });

  it('without a wallet connects one in its window', async () => {
    const { root, orders, phone } = await started('/market');
    expect(await orders.buy(oneTon)).toBe(false);
    expect(root.toasts.shown?.text).toBe('toast.connecting_wallet');
    await pass(310);
    expect(phone.isOpen).toBe(true);
  });
});

it('speaks the player’s language', async () => {
  const { root, phone } = await connected();
  await root.user.setLanguage('ru');
  expect(phone.language).toBe('ru');
});
