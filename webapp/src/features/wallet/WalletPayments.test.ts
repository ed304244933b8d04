import { describe, expect, it } from 'vitest';
import { changeUser, pass, requestsTo, server, setUpGame } from '../../testing/playGame';
import { address, connected, load, ours } from '../../testing/walletGame';
import { oneTon } from '../market/amount';

setUpGame({ path: '/wallet' });

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
    const { phone, orders, payments, host, root } = await ordered();
    expect([host.opened, root.toasts.shown]).toEqual([[], null]); // the widget asks to confirm it
    const [request] = phone.requests;
    expect(request?.transfer).toMatchObject({
      to: new URL(orders.order?.paymentLink ?? '').pathname.split('/').at(-1),
      nanotons: '5000000000',
      payload: orders.order?.payload,
    });
    expect(payments.paying).toEqual([1]);
    // Sent is not paid: the chain decides, and the server tells.
    request?.answer('sent');
    await pass(10);
    expect([payments.paying, orders.order?.status]).toEqual([[], 'pending']);
  });

  it('that was credited closes what the widget still says of it', async () => {
    const { phone } = await ordered();
    phone.showPayment();
    expect(phone.isOpen).toBe(true);
    server.market.becomes(1, { status: 'paid', paid_ton: 5, paid_mcbk: 2500 });
    await pass(20_000);
    expect(phone.isOpen).toBe(false);
  });

  it('that was sent is not asked for again while its order lives, also by the next page', async () => {
    const { phone, orders, payments, host } = await ordered();
    phone.requests[0]?.answer('sent');
    await pass(10);
    const { order } = orders;
    expect([payments.sent, order && (await payments.pay(order))]).toEqual([[1], false]);
    await pass(355_000); // it could be signed for five minutes, but who knows when the server sees the chain
    expect(order && (await payments.pay(order))).toBe(false);
    const next = await load('/market');
    await pass(50);
    expect([next.payments.sent, next.orders.open?.id]).toEqual([[1], 1]);
    if (order) void next.payments.pay(order);
    await pass(10);
    expect([phone.requests.length, next.phone.requests.length, host.opened]).toEqual([1, 0, []]);
    for (const [hours, sent] of [
      [1, [1]],
      [25, []],
    ] as const) {
      server.serverTime = new Date(Date.parse(order?.expires_at ?? '') + hours * 3_600_000).toISOString();
      expect((await load('/market')).payments.sent).toEqual(sent);
    }
  });

  it('whose answer the page did not live to hear still waits, as long as it can be signed', async () => {
    await ordered();
    await pass(100_000);
    server.serverTime = new Date().toISOString();
    const { payments } = await load('/market');
    expect(payments.paying).toEqual([1]);
    await pass(200_000);
    expect(payments.paying).toEqual([]);
    server.serverTime = new Date().toISOString();
    expect((await load('/market')).payments.paying).toEqual([]);
  });

  it('that was declined is forgotten by the device, and so is what nobody understands', async () => {
    const { phone } = await ordered();
    expect(localStorage.getItem('asked_payments')).toContain('"1"');
    phone.requests[0]?.answer('declined');
    await pass(10);
    expect(localStorage.getItem('asked_payments')).toBeNull();
    for (const text of ['{', '[7]', 'null', '{"1":{"sent":"yes"}}']) {
      localStorage.setItem('asked_payments', text);
      const { payments } = await load('/market');
      expect([payments.paying, payments.sent]).toEqual([[], []]);
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
    const { phone, orders, payments } = await ordered();
    phone.requests[0]?.answer('declined');
    const ends = Date.parse(orders.order?.expires_at ?? '');
    await pass(ends - Date.now() - 60_000);
    if (orders.order) void payments.pay(orders.order);
    expect(phone.requests[1]?.transfer.validUntil).toBe(Math.floor(ends / 1000));
    phone.requests[1]?.answer('declined');
    await pass(61_000);
    expect(orders.order && (await payments.pay(orders.order))).toBe(false);
  });

  it('that is declined leaves the order to be paid, and can be asked for again', async () => {
    const { root, phone, orders, payments } = await ordered();
    await pass(4010); // the link's own toast
    phone.requests[0]?.answer('declined', false);
    await pass(10);
    expect([orders.open?.id, payments.paying, phone.requests.length]).toEqual([1, [], 1]);
    expect(root.toasts.shown?.text).toBe('errors.cancelled');
    if (orders.order) void payments.pay(orders.order);
    await pass(10);
    phone.requests[1]?.answer('failed', false);
    await pass(4010);
    expect([orders.open?.id, root.toasts.shown?.text]).toEqual([1, 'errors.not_sent']);
  });

  it.each(['sent', 'declined', 'failed'] as const)(
    'that is %s is not announced twice, where the widget shows it',
    async (outcome) => {
      const { root, phone, payments } = await ordered();
      phone.requests[0]?.answer(outcome);
      await pass(10);
      expect([payments.paying, root.toasts.shown]).toEqual([[], null]);
    },
  );

  it('that the phone hears of late, having slept meanwhile, was sent', async () => {
    const { root, phone, orders, payments } = await ordered();
    await pass(309_000);
    expect(payments.paying).toEqual([1]);
    phone.requests[0]?.answer('sent', false);
    await pass(10);
    expect([payments.paying, payments.sent, root.toasts.shown?.text]).toEqual([[], [1], 'toast.sent']);
    expect(orders.order && (await payments.pay(orders.order))).toBe(false);
  });

  it('that the phone hears of later still, is not asked for again, though another request for it was declined', async () => {
    const { root, phone, orders, payments } = await ordered();
    await pass(320_000);
    expect([payments.paying, payments.sent]).toEqual([[], []]);
    if (orders.order) void payments.pay(orders.order);
    await pass(10);
    phone.requests[0]?.answer('sent', false);
    await pass(10);
    expect([payments.sent, root.toasts.shown?.text]).toEqual([[1], 'toast.sent']);
    phone.requests[1]?.answer('declined');
    await pass(10);
    expect([payments.paying, payments.sent, root.toasts.shown?.text]).toEqual([[], [1], 'toast.sent']);
    expect((await load('/market')).payments.sent).toEqual([1]);
  });

  it('ends when the wallet is disconnected, or nobody has answered while it could be signed', async () => {
    const { root, phone, orders, payments } = await ordered();
    await pass(299_000);
    expect(payments.paying).toEqual([1]);
    await pass(12_000);
    expect([payments.paying, root.toasts.shown?.text]).toEqual([[], 'errors.not_sent']);
    if (orders.order) void payments.pay(orders.order);
    await pass(10);
    expect(payments.paying).toEqual([1]);
    await phone.leave();
    await pass(10);
    expect([payments.paying, address()]).toEqual([[], null]);
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
    const { phone, orders, payments, host } = await orderedAnew();
    expect(orders.order?.id).toBe(2);
    if (orders.order) expect(await payments.pay(orders.order)).toBe(false);
    expect([phone.requests.length, payments.paying, host.opened]).toEqual([2, [1, 2], []]);
  });

  it.each(['declined', 'failed'] as const)(
    'that is %s of an order the player has gone on from is not said, and the newer one’s waits on',
    async (outcome) => {
      const { root, phone, payments } = await orderedAnew();
      phone.requests[0]?.answer(outcome, false);
      await pass(10);
      expect([root.toasts.shown, payments.paying]).toEqual([null, [2]]);
      phone.requests[1]?.answer('declined', false);
      await pass(10);
      expect([root.toasts.shown?.text, payments.paying]).toEqual(['errors.cancelled', []]);
    },
  );

  it('ends for all orders when the wallet is disconnected', async () => {
    const { phone, payments } = await orderedAnew();
    await phone.leave();
    await pass(10);
    expect([payments.paying, phone.requests.length]).toEqual([[], 2]);
  });

  it('brings the balance that is left', async () => {
    const { orders, phone } = await ordered();
    phone.requests[0]?.answer('sent');
    const asked = () => requestsTo('user/wallet').filter(({ body }) => !body).length;
    const before = asked();
    server.market.becomes(1, { status: 'paid' });
    await pass(10_000);
    expect([orders.order?.status, asked() - before]).toEqual(['paid', 1]);
  });

  it('goes by the link where no wallet is connected on this device', async () => {
    changeUser({ wallet_address: ours });
    const { phone, orders, host } = await load('/market');
    void orders.buy(oneTon);
    await pass(10);
    expect([host.opened, phone.opened]).toEqual([[orders.order?.paymentLink], []]);
  });

  it('without a wallet connects one in its window', async () => {
    const { root, orders, phone } = await load('/market');
    expect(await orders.buy(oneTon)).toBe(false);
    expect(root.toasts.shown?.text).toBe('toast.connecting_wallet');
    await pass(310);
    expect(phone.isOpen).toBe(true);
  });
});
