import { beforeEach, expect, it } from 'vitest';
import { aResult } from '../testing/FakeMines';
import { changeUser, playGame, server, setUpGame } from '../testing/playGame';
import { pass } from '../testing/showGame';

setUpGame();

beforeEach(() => changeUser({ balance: { daily_spins: 4 } }));

async function play() {
  const { root } = await playGame();
  await root.user.refresh();
  return root;
}

it('counts the spins of the newest answer', async () => {
  const root = await play();
  expect([root.badges.spins, root.badges.golden]).toEqual([4, false]);
  const user = root.user.user;
  if (!user) throw new Error('no player');
  root.wheel.resource.replace({
    as_of: user.as_of + 1,
    daily_spins: 2,
    ad_spins: 0,
    spin_streak: 7,
    spun_today: true,
    is_golden_spin_available: true,
  });
  expect([root.badges.spins, root.badges.golden]).toEqual([2, true]);
});

it('knows a golden spin before the wheel was opened', async () => {
  changeUser({ balance: { daily_spins: 1, is_golden_spin_available: true } });
  const { badges } = await play();
  expect([badges.spins, badges.golden]).toEqual([1, true]);
});

it('calls to a full mine, and to a result until it is looked at', async () => {
  const root = await play();
  server.mines.own(1, 340);
  await root.minesSummary.load();
  expect(root.badges.mines).toBeNull();
  server.mines.own(1);
  await root.minesSummary.load();
  expect(root.badges.mines).toBe('full');
  server.mines.tournament = { ...server.mines.tournament, status: 'final', result: aResult() };
  await root.minesSummary.load();
  expect(root.badges.mines).toBe('result');
  root.route.go('/mines');
  await pass(10);
  expect(root.badges.mines).toBeNull();
});

it('tells of what friends have brought, once', async () => {
  changeUser({ balance: { referral_game_mcbk: 50, referral_game_points: 10 } });
  const root = await play();
  expect(root.badges.friends).toBe(true);
  root.route.go('/referral');
  await pass(10);
  expect(root.badges.friends).toBe(false);
  changeUser({ balance: { referral_game_mcbk: 100, referral_game_points: 20 } });
  root.route.go('/');
  await root.user.refresh();
  expect(root.badges.friends).toBe(true);
});
