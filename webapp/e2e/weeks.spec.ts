import type { Phone } from './phone';
import { alone, expect, long, test } from './test';

/** What the days of a streak pay (docs/product.md, the daily loop); every later day pays like the last. */
const coins = [1, 1, 1, 2, 2, 2, 3];
const points = [10, 20, 30, 40, 50, 60, 100];
const paid = (streak: number) => {
  const day = Math.min(streak, coins.length) - 1;
  return { coins: coins[day] ?? 0, points: points[day] ?? 0 };
};

/** The streak on each of fifteen UTC days; the ninth is missed. */
const streaks = [1, 2, 3, 4, 5, 6, 7, 8, null, 1, 2, 3, 4, 5, 6];
const doubled = new Set([2, 8, 12]);

// It moves everybody's clock, and comes after the others who do (files go by name): the program remembers what it did on
// days that then have not come yet.
test.describe('a fortnight and a day', { tag: [alone, long] }, () => {
  // The page of the day before is still open when the clock moves, and what it asks then is a day too old.
  test.use({ checkIn: 'due', forgiven: /status of 401/ });
  test.afterEach(async ({ sandbox }) => {
    await sandbox.clock({ reset: true });
    await expect(() => sandbox.regular()).toPass(); // the program looks at its clock each second
  });

  const modal = (phone: Phone) => phone.modal(phone.words.daily.title);

  test('pay by the streak, a missed day begins it again, and an ad doubles a day', async ({
    sandbox,
    phone,
  }) => {
    test.setTimeout(300_000);
    const owed = { coins: 0, points: 0 };
    let visits = 0;
    for (const [day, streak] of streaks.entries()) {
      if (day > 0) await sandbox.nextDay(phone.player);
      if (streak === null) continue;
      visits += 1;
      const reward = paid(streak);
      owed.coins += reward.coins;
      owed.points += reward.points;
      await phone.openGame();
      await expect(modal(phone)).toContainText(`Your Day ${streak} Reward`);
      await expect(modal(phone)).toContainText(`+${reward.coins}Bonus coins+${reward.points}`);
      await expect(modal(phone)).toContainText(`Total visits: ${visits} day`);
      if (doubled.has(day + 1)) {
        await modal(phone).getByRole('button', { name: 'Claim x2' }).tap();
        await phone.ad.getByRole('button', { name: 'Watch' }).tap();
        owed.coins += reward.coins;
        owed.points += reward.points;
      } else {
        await modal(phone).getByRole('button', { name: 'Claim', exact: true }).tap();
      }
      await expect(modal(phone)).toHaveCount(0, { timeout: 20_000 });
      await expect(phone.total).toHaveText(`${owed.coins}.00`, { timeout: 20_000 });
    }
    const { balance, stats } = await (await sandbox.game(phone.player)).me();
    expect([balance.game_mcbk, balance.game_points, stats.total_days_in_game]).toEqual([
      owed.coins,
      owed.points,
      14,
    ]);
  });
});

test.describe('the end of the season', { tag: [alone, long] }, () => {
  test.use({ forgiven: /status of 401/ });
  test.afterEach(async ({ sandbox }) => {
    await sandbox.clock({ reset: true });
    await expect(() => sandbox.regular()).toPass();
  });

  test('shows what was done, and the bot sends the picture of it', async ({ sandbox, phone }) => {
    const { recap } = phone.words;
    await sandbox.say(phone.player, '/start');
    let game = await sandbox.game(phone.player);
    await game.tap(7, crypto.randomUUID());
    const { start_date, server_time } = await game.settings();
    const end = Date.parse(start_date) + 90 * 86_400_000;
    await sandbox.clock({ add: `${Math.ceil((end - Date.parse(server_time)) / 1000)}s` });
    await expect(async () => {
      game = await sandbox.game(phone.player);
      expect(Date.parse((await game.settings()).server_time)).toBeGreaterThanOrEqual(end);
    }).toPass();
    await phone.openGame();
    await expect(phone.app.getByText(recap.title)).toBeVisible();
    await expect(phone.app.locator('dl > div', { hasText: recap.taps })).toContainText('7');
    await phone.app.getByRole('button', { name: recap.send }).tap();
    await expect(phone.app.getByRole('button', { name: recap.sent })).toBeDisabled();
    const picture = async () =>
      (await sandbox.chat(phone.player)).messages.find(({ caption }) =>
        caption?.startsWith('My season in MCBK'),
      );
    await expect
      .poll(async () => (await picture())?.photo?.at(-1))
      .toMatchObject({ width: 1024, height: 1280 });
    expect((await picture())?.caption).toContain(`?start=${(await game.me()).referral_code}`);
  });
});
