import { describe, expect, it } from 'vitest';
import { anOrder } from '../../testing/FakeMarket';
import { inMarket, ordered } from '../../testing/marketGame';
import { changeUser, pass, requestsTo, server, setUpGame, setVisibility } from '../../testing/playGame';
import { oneTon } from './amount';

setUpGame({ user: { wallet_address: '0:aa' } });

const polls = () => requestsTo('orders/1').length;

describe('an order', () => {
  it('is asked for every 3 s while its drawer is open, every 15 s while it is not', async () => {
    const { root } = await ordered();
    const first = polls();
    await pass(9000);
    expect(polls() - first).toBe(3);
    root.modals.closeSheet();
    await pass(14_000);
    expect(polls() - first).toBe(3);
    await pass(2000);
    expect(polls() - first).toBe(4);
    root.modals.openSheet('order');
    await pass(10);
    expect(polls() - first).toBe(5);
  });

  it('is not asked for in the background, and at once when the player is back from the wallet', async () => {
    await ordered();
    const before = polls();
    setVisibility('hidden');
    await pass(60_000);
    expect(polls()).toBe(before);
    setVisibility('visible');
    await pass(10);
    expect(polls()).toBe(before + 1);
  });

  it('that was paid brings the balance and a feeling, once, and its drawer says so', async () => {
    const { root, host, orders } = await ordered();
    await pass(6000); // the words about the link are over
    changeUser({ balance: { purchased_mcbk: 2500 } });
    server.market.becomes(1, { status: 'paid' });
    await pass(3010);
    expect(root.user.user?.balance.purchased_mcbk).toBe(2500);
    expect([orders.order?.status, host.rewards, root.toasts.shown]).toEqual(['paid', 1, null]);
    await pass(60_000);
    expect(host.rewards).toBe(1);
    server.market.becomes(1, { paid_ton: 10 });
    await pass(3010);
    expect(host.rewards).toBe(2);
    root.modals.closeSheet();
    await pass(10);
    const before = polls();
    await pass(60_000);
    expect([orders.order, polls(), host.rewards]).toEqual([null, before, 2]);
  });

  it('that was paid while its drawer was closed opens it, and is over once it is closed again', async () => {
    const { root, host, orders } = await ordered();
    root.modals.closeSheet();
    await pass(5000);
    server.market.becomes(1, { status: 'paid' });
    await pass(10_500);
    expect([host.rewards, root.modals.sheet, orders.order?.status]).toEqual([1, 'order', 'paid']);
    root.modals.closeSheet();
    expect(orders.order).toBeNull();
  });

  it('that was paid while the player taps is only told', async () => {
    const { root, host, orders } = await ordered();
    root.modals.closeSheet();
    root.route.go('/tap');
    await pass(5000);
    server.market.becomes(1, { status: 'paid' });
    await pass(10_500);
    expect([root.toasts.shown?.text, host.rewards, root.modals.sheet, orders.order]).toEqual([
      'toast.credited',
      1,
      'none',
      null,
    ]);
  });

  it.each([
    ['waits at their wallet', 1],
    ['reads it, and may have scrolled on', 0],
  ])('that is paid, for who %s, has the list asked for %d times', async (_, times) => {
    const { root } = await ordered();
    root.modals.closeSheet();
    root.route.go('/wallet');
    await pass(100);
    if (times === 0) root.modals.openSheet('history');
    const asked = () => requestsTo('user/transactions').length;
    const before = asked();
    server.market.becomes(1, { status: 'paid' });
    await pass(15_500);
    expect(asked()).toBe(before + times);
    root.modals.closeSheet();
    await pass(100);
    expect(asked()).toBe(before + 1);
  });

  it.each(['expired', 'held'] as const)(
    'that is %s is still asked for while it is looked at',
    async (status) => {
      const { root, orders } = await ordered();
      server.market.becomes(1, { status });
      await pass(3010);
      expect([orders.order?.status, orders.open]).toEqual([status, null]);
      const before = polls();
      await pass(3010);
      expect(polls()).toBe(before + 1);
      root.modals.closeSheet();
      await pass(60_000);
      expect([orders.order?.status, polls()]).toEqual([status === 'held' ? status : undefined, before + 1]);
    },
  );

  it('survives a poll without an answer', async () => {
    const { orders } = await ordered();
    server.weatherOf['/api/orders/1'] = ['cut', { status: 503, code: 'overloaded' }];
    await pass(6010);
    expect(orders.open?.id).toBe(1);
    server.market.becomes(1, { status: 'paid' });
    await pass(3000);
    expect(orders.order?.status).toBe('paid');
  });

  it('can be cancelled', async () => {
    const { orders } = await ordered();
    void orders.cancel();
    await pass(10);
    expect([orders.order?.status, server.market.orders[0]?.status]).toEqual(['cancelled', 'cancelled']);
  });

  it('that was paid before it could be cancelled is paid', async () => {
    const { root, orders } = await ordered();
    server.market.becomes(1, { status: 'paid' });
    void orders.cancel();
    await pass(10);
    expect(orders.order?.status).toBe('paid');
    expect(root.toasts.shown?.kind).toBe('success');
  });

  it('is not brought back by an answer from before it was cancelled', async () => {
    const { orders } = await ordered();
    server.silence = 500;
    await pass(3010); // asked, and answered as pending
    server.silence = 0;
    void orders.cancel();
    await pass(1000);
    expect(orders.order?.status).toBe('cancelled');
  });

  it('made while another was being cancelled keeps its place', async () => {
    const { root, orders } = await ordered();
    server.silence = 500;
    void orders.cancel();
    await pass(10);
    server.silence = 0;
    root.modals.closeSheet();
    void orders.buy(2n * oneTon);
    await pass(600);
    expect(orders.order).toMatchObject({ id: 2, status: 'pending' });
    expect(orders.cancelling).toBe(false);
  });
});

describe('an order that ends without a payment', () => {
  it('says that nothing was taken', async () => {
    const { root, orders } = await ordered();
    root.modals.closeSheet();
    await pass(5000);
    server.market.becomes(1, { status: 'expired' });
    await pass(10_500);
    expect([root.toasts.shown?.text, orders.order]).toEqual(['toast.no_payment', null]);
  });

  it('is reported once after a restart, if its payment had left the wallet', async () => {
    const sent = { sent: true, until: Date.now() + 1_000_000 };
    localStorage.setItem('asked_payments', JSON.stringify({ 1: sent }));
    server.market.orders = [2, 1].map((id) => anOrder({ id, status: 'expired' }));
    const { root } = await inMarket();
    expect([root.toasts.shown?.text, root.toasts.queue.length]).toEqual(['toast.no_payment', 1]);
    expect(localStorage.getItem('asked_payments')).toBeNull();
  });

  it('says nothing of the kind where money came', async () => {
    const { root } = await ordered();
    root.modals.closeSheet();
    await pass(5000);
    server.market.becomes(1, { status: 'expired', held_ton: 0.05 });
    await pass(10_500);
    expect(root.toasts.shown).toBeNull();
  });
});

describe('after a restart', () => {
  it('the newest order that waits is found, of coins or a mine', async () => {
    server.market.orders = [
      anOrder({ id: 5, kind: 'mine', mcbk_amount: 0, level: 1 }),
      anOrder({ id: 4, status: 'expired' }),
      anOrder({ id: 3 }),
      anOrder({ id: 2 }),
    ];
    const { orders, root } = await inMarket();
    expect(orders.open?.id).toBe(5);
    expect(root.modals.sheet).toBe('none');
    orders.show();
    expect(root.modals.sheet).toBe('order');
  });

  it('money that waits for an admin is found where nothing else waits, and is told once it is credited', async () => {
    server.market.orders = [anOrder({ id: 2, status: 'held', held_ton: 0.05 }), anOrder({ id: 1 })];
    const { orders, root } = await inMarket();
    expect(orders.open?.id).toBe(1);
    void orders.cancel();
    await pass(10);
    expect([orders.unsettled?.id, orders.open]).toEqual([2, null]);
    server.market.becomes(2, { status: 'paid' });
    orders.show();
    await pass(10);
    expect([orders.order?.status, root.modals.sheet]).toEqual(['paid', 'order']);
    root.modals.closeSheet();
    await pass(10);
    expect(orders.order).toBeNull();
  });

  it('the next one that waits takes the place of one that is over', async () => {
    server.market.orders = [anOrder({ id: 3 }), anOrder({ id: 2 })];
    const { orders, root } = await inMarket();
    orders.show();
    await pass(10);
    void orders.cancel();
    await pass(10);
    expect(orders.order).toMatchObject({ id: 3, status: 'cancelled' });
    root.modals.closeSheet();
    await pass(10);
    expect(orders.open?.id).toBe(2);
  });

  it('nobody who has no order is asked for one again and again', async () => {
    const { orders } = await inMarket();
    await pass(60_000);
    expect([orders.order, requestsTo('orders').length]).toEqual([null, 1]);
  });
});
