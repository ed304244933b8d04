import { describe, expect, it } from 'vitest';
import { pass, server, setUpGame } from '../../testing/playGame';
import { calls, hold, visit } from '../../testing/wheelGame';

setUpGame({ path: '/roulette' });

describe('an ad spin', () => {
  it('turns an ad spin into a free one after the ad, and says so', async () => {
    hold({ daily_spins: 0 });
    const { root, host, wheel } = await visit();
    void wheel.takeAdSpin();
    await pass(0);
    expect(server.requests.at(-1)?.body).toEqual({ purpose: 'spin' });
    expect([root.modals.shown?.is, wheel.canTakeAdSpin]).toEqual(['ad', false]);
    server.confirmAd();
    host.ads?.[0]?.end({ done: true });
    await pass(0);
    expect(wheel.status).toMatchObject({ daily_spins: 1, ad_spins: 9 });
    expect(root.toasts.shown).toMatchObject({ text: 'toast.ad_spin', values: { points: '10' } });
    expect([wheel.canSpin, wheel.canTakeAdSpin]).toEqual([true, true]);
    expect(wheel.points).toBe(10);
  });

  it('seen while the wheel is switched off closes the buttons, and comes once it is on', async () => {
    hold({ daily_spins: 0 });
    const { host, wheel } = await visit();
    void wheel.takeAdSpin();
    await pass(0);
    server.weatherOf['/api/roulette/ad'] = [
      { status: 503, code: 'maintenance', params: { feature: 'wheel' } },
    ];
    server.confirmAd();
    host.ads?.[0]?.end({ done: true });
    await pass(0);
    expect([wheel.closed, wheel.canTakeAdSpin]).toEqual([true, false]);
    await pass(5000); // sooner than by itself
    expect(wheel.status).toMatchObject({ daily_spins: 1, ad_spins: 9 });
    expect([wheel.closed, wheel.canSpin]).toEqual([false, true]);
  });

  /** An ad was seen to its end so many milliseconds ago, and its modal put away; the network has not said so yet. */
  async function unconfirmed(ago = 30_000) {
    const all = await visit();
    void all.wheel.takeAdSpin();
    await pass(0);
    all.host.ads?.[0]?.end({ done: true });
    await pass(ago);
    all.root.modals.close('ad');
    return all;
  }

  it('not confirmed yet keeps from no other', async () => {
    const { host, wheel } = await unconfirmed();
    expect([wheel.adSpinDue, wheel.canTakeAdSpin, wheel.canSpin]).toEqual([false, true, true]);

    void wheel.takeAdSpin();
    await pass(0);
    server.confirmAd();
    host.ads?.[1]?.end({ done: true });
    await pass(1000);
    expect(wheel.status).toMatchObject({ daily_spins: 11, ad_spins: 9 });
    expect([wheel.adSpinDue, wheel.canTakeAdSpin]).toEqual([false, true]);
    server.confirmAd();
    await pass(60_000);
    expect(wheel.status).toMatchObject({ daily_spins: 12, ad_spins: 8 });
  });

  it.each([
    ["day's last", { ad_spins: 1 }],
    ['20th', { daily_spins: 19 }],
  ])(
    'seen just now is the only one where another could bring nothing (the %s), and a late one is not',
    async (_, before) => {
      hold(before);
      const { wheel, root } = await unconfirmed(10_000);
      expect([wheel.adSpinDue, wheel.canTakeAdSpin]).toEqual([true, false]);
      void wheel.spin(false);
      expect([wheel.spinning, wheel.adSpinDue]).toEqual([true, true]);
      await pass(20_000);
      root.modals.close('win');
      expect([wheel.adSpinDue, wheel.canTakeAdSpin]).toEqual([false, true]);
    },
  );

  it.each([
    ['ordinary', {}, { daily_spins: 11, ad_spins: 9 }],
    ["day's last", { ad_spins: 1 }, { daily_spins: 11, ad_spins: 0 }],
    ['20th', { daily_spins: 19 }, { daily_spins: 20, ad_spins: 9 }],
  ])('whose answer is lost is asked for again with its key (the %s)', async (_, before, after) => {
    hold(before);
    const { root, host, wheel } = await visit();
    server.weatherOf['/api/roulette/ad'] = ['lost answer'];
    void wheel.takeAdSpin();
    await pass(0);
    server.confirmAd();
    host.ads?.[0]?.end({ done: true });
    await pass(2000);
    const keys = calls('ad').map(({ headers }) => headers.get('Idempotency-Key'));
    expect([keys.length, new Set(keys).size]).toEqual([2, 1]);
    expect(wheel.status).toMatchObject(after);
    expect([wheel.adSpinDue, root.toasts.shown?.text]).toEqual([false, 'toast.ad_spin']);
  });

  it('told again brings no figures from before the spins since', async () => {
    const { root, host, wheel } = await visit();
    server.weatherOf['/api/roulette/ad'] = ['lost answer'];
    void wheel.takeAdSpin();
    await pass(0);
    server.confirmAd();
    host.ads?.[0]?.end({ done: true });
    await pass(0);
    root.modals.close('ad');
    void wheel.spin(false);
    await pass(2000);
    expect(calls('ad')).toHaveLength(2);
    expect(wheel.status).toMatchObject({ daily_spins: 10, ad_spins: 9 });
    expect(root.user.user).toEqual(server.player(7).user);
  });

  it('cannot be had without ads', async () => {
    server.ads.config = { enabled: false, script_url: null, block_id: null, mode: 's2s' };
    const { wheel } = await visit();
    expect(wheel.canTakeAdSpin).toBe(false);
    await wheel.takeAdSpin();
    expect(server.ads.tickets.size).toBe(0);
  });
});
