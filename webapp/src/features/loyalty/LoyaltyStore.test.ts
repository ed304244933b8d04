import { describe, expect, it, vi } from 'vitest';
import type { CircleAds } from '../../api/types';
import type { RootStore } from '../../app/RootStore';
import { changeUser, pass, playGame, server, setUpGame } from '../../testing/playGame';

setUpGame();

async function playing() {
  const { root, host } = await playGame();
  expect(root.shell.shell.is).toBe('ready');
  return { root, host };
}

const asked = (path = '/api/circle-ads/status') => server.requests.filter((one) => one.path === path).length;

/** The server has paid for something. */
async function paid(root: RootStore, points: number) {
  changeUser({ balance: { game_points: points } });
  void root.user.refresh();
  await pass(10);
}

const earned = { is_eligible: true, reward_claimed: false };
const taken = { is_eligible: true, reward_claimed: true };

describe('the status', () => {
  it('is asked for once the player is known, and again when coins or points have changed', async () => {
    const { root } = await playing();
    expect(asked()).toBe(1);
    await paid(root, 10);
    await pass(1000);
    expect(asked()).toBe(2);
    await paid(root, 10);
    await pass(60_000);
    expect(asked()).toBe(2);
  });

  it('is asked for once, however fast the figures change', async () => {
    const { root } = await playing();
    for (let points = 1; points <= 20; points += 1) await paid(root, points);
    await pass(1000);
    expect(asked()).toBe(2);
  });

  it('is not asked for by taps, but by their count', async () => {
    const { root } = await playing();
    root.route.go('/tap');
    for (let n = 0; n < 50; n += 1) {
      await pass(110);
      root.tap.tap();
    }
    expect(asked()).toBe(1);
    await pass(31_000);
    expect(asked('/api/tap/perform-batch-tap')).toBeGreaterThan(0);
    expect(asked() - 1).toBeLessThanOrEqual(asked('/api/tap/perform-batch-tap'));
  });

  it('is nobody’s who has not accepted the rules', async () => {
    changeUser({ age_consent_accepted: false });
    const { root } = await playing();
    expect(asked()).toBe(0);
    void root.user.change({ age_consent_accepted: true });
    await pass(1010);
    expect(asked()).toBe(1);
  });

  it('stays as it was where no answer comes', async () => {
    server.weatherOf['/api/circle-ads/status'] = ['cut'];
    const { root } = await playing();
    expect([root.loyalty.status.is_eligible, root.toasts.shown, root.modals.shown]).toEqual([
      false,
      null,
      null,
    ]);
    server.circle = earned;
    await paid(root, 10);
    await pass(1000);
    expect(root.modals.shown?.is).toBe('loyalty');
  });
});

describe('the modal', () => {
  it('comes when the bonus is earned, once', async () => {
    const { root } = await playing();
    expect(root.modals.shown).toBeNull();
    server.circle = earned;
    await paid(root, 10);
    await pass(1000);
    expect(root.modals.shown?.is).toBe('loyalty');
    root.loyalty.close();
    await paid(root, 20);
    await pass(1000);
    expect([asked(), root.modals.shown]).toEqual([3, null]);
  });

  it('comes to who earned it before and opens the game again', async () => {
    server.circle = earned;
    const { root } = await playing();
    expect(root.modals.shown?.is).toBe('loyalty');
  });

  it('does not come for what was taken', async () => {
    server.circle = taken;
    const { root } = await playing();
    await paid(root, 10);
    await pass(1000);
    expect([asked(), root.modals.shown]).toEqual([2, null]);
  });

  it('comes again on another day', async () => {
    server.circle = taken;
    const { root } = await playing();
    for (const [points, circle] of [
      [10, { is_eligible: false, reward_claimed: false }],
      [20, earned],
    ] as const) {
      server.circle = circle;
      await paid(root, points);
      await pass(1000);
    }
    expect(root.modals.shown?.is).toBe('loyalty');
  });

  it('does not slip under a tapping finger', async () => {
    const { root } = await playing();
    root.route.go('/tap');
    await pass(10);
    server.circle = earned;
    await paid(root, 10);
    await pass(1000);
    expect([root.loyalty.due, root.modals.shown]).toEqual([true, null]);
    root.route.go('/wallet');
    await pass(3000);
    expect(root.modals.shown?.is).toBe('loyalty');
  });

  it('goes where the bonus was taken elsewhere', async () => {
    server.circle = earned;
    const { root } = await playing();
    server.circle = taken;
    await paid(root, 10);
    await pass(1000);
    expect(root.modals.shown).toBeNull();
  });
});

describe('a claim', () => {
  it('pays once, replaces the player and asks for the status again', async () => {
    server.circle = earned;
    const { root } = await playing();
    const before = asked();
    const claims = [root.loyalty.claim(), root.loyalty.claim()];
    expect(root.loyalty.claiming).toBe(true);
    await pass(10);
    expect(await Promise.all(claims)).toEqual([true, false]);
    expect(asked('/api/circle-ads/claim')).toBe(1);
    expect(root.user.user?.balance).toMatchObject({ game_mcbk: 3, game_points: 150 });
    expect(root.loyalty.status).toMatchObject(taken);
    expect([root.modals.shown, root.loyalty.claiming]).toEqual([null, false]);
    expect(root.toasts.shown).toMatchObject({
      kind: 'success',
      text: 'toast.bonus',
      values: { coins: '3.00', points: '150' },
    });
    await pass(5000);
    expect(asked()).toBeLessThanOrEqual(before + 2);
  });

  it('is not offered again while the status does not come', async () => {
    server.circle = earned;
    const { root } = await playing();
    server.weatherOf['/api/circle-ads/status'] = ['cut', 'cut', 'cut'];
    void root.loyalty.claim();
    await pass(10);
    expect(root.loyalty.claimable).toBe(false);
  });

  it('counts more than a status that was asked for before', async () => {
    server.circle = earned;
    const { root } = await playing();
    const answers: ((status: CircleAds) => void)[] = [];
    vi.spyOn(root.api, 'circleAds').mockImplementation(() => new Promise((give) => answers.push(give)));
    void root.loyalty.load();
    void root.loyalty.claim();
    await pass(10);
    answers[0]?.({ as_of: 0, ...earned });
    await pass(10);
    expect(root.loyalty.claimable).toBe(false);
  });

  it('that was refused says why; the bonus stays to be claimed', async () => {
    server.circle = earned;
    const { root } = await playing();
    server.weatherOf['/api/circle-ads/claim'] = [{ status: 503, code: 'try_again' }];
    void root.loyalty.claim();
    await pass(10);
    expect([root.toasts.shown?.text, root.modals.shown?.is]).toEqual(['errors.try_again', 'loyalty']);
    void root.loyalty.claim();
    await pass(10);
    expect(root.user.user?.balance.game_mcbk).toBe(3);
  });

  it.each(['already_claimed', 'not_completed'])('that comes too late ends the offer: %s', async (code) => {
    server.circle = earned;
    const { root } = await playing();
    server.weatherOf['/api/circle-ads/claim'] = [{ status: 409, code }];
    server.circle = taken;
    const users = asked('/api/user/me');
    void root.loyalty.claim();
    await pass(10);
    expect([root.toasts.shown?.text, root.modals.shown]).toEqual([`errors.${code}`, null]);
    expect(asked('/api/user/me')).toBe(users + 1);
    expect(root.loyalty.status).toMatchObject(taken);
  });
});
