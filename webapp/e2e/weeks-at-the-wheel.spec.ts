import type { SpinAnswer } from '../src/api/types';
import { alone, expect, long, test } from './test';

/** Spec §9: so many days in a row with a spin make a golden one. */
const streak = 7;

// It moves everybody's clock; see weeks.spec.ts.
test.describe('a week at the wheel', { tag: [alone, long] }, () => {
  // When the clock is set back, the page that is still open is of a day to come.
  test.use({ forgiven: /status of 401/ });

  test.afterEach(async ({ sandbox }) => {
    await sandbox.clock({ reset: true });
    await expect(() => sandbox.regular()).toPass();
  });

  test('earns a golden spin, and an ad makes it pay ten times', async ({ sandbox, phone }) => {
    test.setTimeout(240_000);
    const { words } = phone;
    for (let day = 0; day < streak; day += 1) {
      if (day > 0) await sandbox.nextDay(phone.player);
      await (await sandbox.game(phone.player)).spin();
    }
    await sandbox.nextDay(phone.player);
    await phone.openGame();
    await phone.dock.getByRole('link', { name: words.nav.wheel }).tap();
    const answered = phone.page.waitForResponse('**/api/roulette/spin');
    await phone.app.getByRole('button', { name: words.wheel.golden }).tap();
    const { reward, user }: SpinAnswer = await (await answered).json();
    expect([reward.is_golden, reward.multiplier]).toEqual([true, 5]);
    const five = {
      coins: reward.coins ?? reward.chest?.coins ?? 0,
      points: reward.points ?? reward.chest?.points ?? reward.additional_reward?.points ?? 0,
    };
    const win = phone.app.getByRole('dialog', { name: /^(You won|Chest)$/ });
    await expect(win).toContainText('x5', { timeout: 20_000 });
    if (reward.canDoubleWithAd) {
      await win.getByRole('button', { name: 'Claim x2' }).tap();
      await phone.ad.getByRole('button', { name: 'Watch' }).tap();
    } else {
      await win.getByRole('button', { name: words.wheel.claim, exact: true }).tap();
    }
    // Coins alone were paid with the spin itself; a bonus spin and spins alone are never doubled.
    const times = (reward.canDoubleWithAd ? 2 : 1) - (reward.coins === undefined ? 0 : 1);
    const gained = async () => {
      const { balance, stats } = await (await sandbox.game(phone.player)).me();
      return {
        coins: balance.game_mcbk - user.balance.game_mcbk,
        points: balance.game_points - user.balance.game_points,
        won: stats.won_mcbk - user.stats.won_mcbk,
      };
    };
    const owed = { coins: five.coins * times, points: five.points * times, won: five.coins * times };
    await expect.poll(gained, { timeout: 20_000 }).toEqual(owed);
    await expect(phone.app.getByRole('dialog')).toHaveCount(0, { timeout: 20_000 });
    expect(await gained()).toEqual(owed);
  });
});
