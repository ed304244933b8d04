import type { Phone } from './phone';
import { expect, long, test } from './test';

/** What the first day of a streak pays (docs/product.md, the daily loop), and an advice. */
const first = { coins: 1, points: 10 };
const advice = 25;

// A player who asks too early, and one who comes too late, is refused.
test.use({ checkIn: 'due', forgiven: /status of 409/ });

/** Leads the running ad to one of its ends. */
async function end(phone: Phone, how: string): Promise<void> {
  await phone.ad.getByRole('button', { name: how }).tap();
  // Looked at more often than by `expect`: what the player is told then may stay for 2 s.
  await phone.ad.waitFor({ state: 'detached', timeout: 20_000 });
}

async function press(phone: Phone, modal: string, button: string): Promise<void> {
  await phone.modal(modal).getByRole('button', { name: button, exact: true }).tap();
}

const daily = (phone: Phone) => phone.modal(phone.words.daily.title);

test.describe('the check-in', () => {
  test('pays a new player once the rules are accepted, and shows it once', async ({ sandbox, phoneOf }) => {
    const phone = phoneOf(await sandbox.newPlayer());
    const game = await sandbox.game(phone.player);
    await phone.openGame();
    const gate = phone.modal('Rules');
    await gate.getByRole('checkbox').check();
    await gate.getByRole('button', { name: 'Accept' }).tap();

    await expect(daily(phone)).toContainText('Your Day 1 Reward');
    await expect(daily(phone)).toContainText('+1Bonus coins');
    await expect(daily(phone)).toContainText('+10Bonus points');
    await expect(daily(phone)).toContainText('Total visits: 1 day');
    await press(phone, 'Daily Reward', 'Claim');
    await expect(daily(phone)).toHaveCount(0);
    await expect(phone.total).toHaveText('1.00');
    const { balance, stats } = await game.me();
    expect([balance.game_mcbk, balance.game_points]).toEqual([first.coins, first.points]);
    expect(stats.total_days_in_game).toBe(1);

    await phone.openGame();
    await expect(phone.total).toHaveText('1.00');
    await expect(daily(phone)).toHaveCount(0);
    await phone.app.getByRole('button', { name: 'Reward x2' }).tap();
    await expect(daily(phone)).toContainText('Your Day 1 Reward');
    expect((await game.me()).balance.game_mcbk).toBe(first.coins);
  });

  test('is doubled by an ad that was watched, once', async ({ sandbox, phone }) => {
    const game = await sandbox.game(phone.player);
    await phone.openGame();
    await press(phone, 'Daily Reward', 'Claim x2');
    // Nothing of ours calls the focus back from the ad.
    const watch = phone.ad.getByRole('button', { name: 'Watch' });
    await watch.focus();
    await phone.page.keyboard.press('Tab');
    await expect(phone.ad.getByRole('button', { name: 'Late callback' })).toBeFocused();
    await end(phone, 'Watch');
    await expect(phone.app.getByText('Doubled: +1.00 MCBK, +10 points')).toBeVisible();
    await expect(daily(phone)).toHaveCount(0);
    await expect(phone.total).toHaveText('2.00');
    await expect(phone.app.getByRole('button', { name: 'Reward x2' })).toHaveCount(0);
    const { balance, daily_reward } = await game.me();
    expect([balance.game_mcbk, balance.game_points]).toEqual([2 * first.coins, 2 * first.points]);
    expect(daily_reward).toBeNull();

    await phone.openGame();
    await expect(phone.total).toHaveText('2.00');
    await expect(phone.app.getByRole('button', { name: 'Reward x2' })).toHaveCount(0);
  });
});

test.describe('an ad', () => {
  test('that is closed early, or is not there, pays nothing and stops nobody', { tag: long }, async ({
    sandbox,
    phone,
  }) => {
    await phone.openGame();
    for (const [how, words] of [
      ['Close early', phone.words.toast.ad_closed],
      ['No ad', phone.words.toast.ad_absent],
    ] as const) {
      await press(phone, 'Daily Reward', 'Claim x2');
      await end(phone, how);
      await expect(phone.app.getByText(words)).toBeVisible();
      await expect(daily(phone)).toBeVisible();
    }
    await press(phone, 'Daily Reward', 'Claim');
    await expect(phone.total).toHaveText('1.00');
    expect((await sandbox.ads(phone.player)).flatMap(({ callbacks }) => callbacks)).toEqual([]);
    await phone.openTap();
    await phone.tap(3);
    await expect(phone.total).toHaveText('1.003');
  });

  test('of a network that is blocked closes its modal too', { tag: long }, async ({ phone, page }) => {
    await page.route('**/ads/sdk.js', (route) => route.fulfill({ contentType: 'text/javascript', body: '' }));
    await phone.openGame();
    await press(phone, 'Daily Reward', 'Claim x2');
    await expect(phone.app.getByText(phone.words.toast.ad_absent)).toBeVisible();
    await expect(daily(phone)).toBeVisible();
  });

  test('can be left at any time, and the reward of one seen comes by itself', { tag: long }, async ({
    sandbox,
    phone,
  }) => {
    const game = await sandbox.game(phone.player);
    await phone.openGame();
    await press(phone, 'Daily Reward', 'Claim x2');
    await end(phone, 'Late callback');
    const waiting = phone.modal(phone.words.ads.confirming);
    await expect(waiting).toBeVisible();
    await waiting.getByRole('button', { name: 'Close' }).tap();
    await expect(phone.app.getByText(phone.words.toast.ad_late)).toBeVisible();
    await expect(phone.app.getByRole('dialog')).toHaveCount(0);
    await expect(phone.total).toHaveText('1.00');

    const [ad] = await sandbox.ads(phone.player);
    if (!ad) throw new Error('no ad was shown');
    expect(ad.held).toBe(true);
    await sandbox.callBack(ad);
    await expect(phone.total).toHaveText('2.00', { timeout: 30_000 });
    expect((await game.me()).balance.game_mcbk).toBe(2 * first.coins);
  });

  test('whose callback is late says that the reward comes by itself', { tag: long }, async ({ phone }) => {
    await phone.openGame();
    await press(phone, 'Daily Reward', 'Claim x2');
    await end(phone, 'Late callback');
    const late = phone.modal(phone.words.ads.late);
    await expect(late).toContainText('will arrive by itself', { timeout: 45_000 });
    await late.getByRole('button', { name: 'Close' }).tap();
    await expect(phone.app.getByRole('dialog')).toHaveCount(0);
    // The network calls back after 45 s without being told to.
    await expect(phone.total).toHaveText('2.00', { timeout: 60_000 });
  });

  test('whose callback comes twice pays once', async ({ sandbox, phone }) => {
    const game = await sandbox.game(phone.player);
    await phone.openGame();
    await press(phone, 'Daily Reward', 'Claim x2');
    await end(phone, 'Callback twice');
    await expect(phone.total).toHaveText('2.00');
    await expect.poll(async () => (await sandbox.ads(phone.player))[0]?.callbacks).toEqual(['200', '200']);
    const { balance } = await game.me();
    expect([balance.game_mcbk, balance.game_points]).toEqual([2 * first.coins, 2 * first.points]);
  });
});

test.describe('the advice', () => {
  test.use({ checkIn: 'taken' });

  test('is told, and pays when claimed, once a day', async ({ sandbox, phone }) => {
    const game = await sandbox.game(phone.player);
    await phone.openGame();
    const ask = phone.app.getByRole('button', { name: 'Ask for Advice' });
    await ask.tap();
    await expect(phone.modal('Advice')).toContainText('Today you will be lucky');
    const words = await phone.modal('Advice').textContent();
    await phone.closeDialog();
    await ask.tap();
    await expect(phone.modal('Advice')).toHaveText(words ?? '');
    await press(phone, 'Advice', `Claim ${advice} points`);
    await expect(phone.app.getByText(`+${advice} points`)).toBeVisible();
    await expect(phone.modal('Advice')).toHaveCount(0);
    await expect(ask).toBeDisabled();
    expect((await game.me()).balance.game_points).toBe(advice);
    await phone.openGame();
    await expect(ask).toBeDisabled();
  });

  test('pays twice after an ad', { tag: long }, async ({ sandbox, phone }) => {
    const game = await sandbox.game(phone.player);
    await phone.openGame();
    await phone.app.getByRole('button', { name: 'Ask for Advice' }).tap();
    await press(phone, 'Advice', 'Claim x2');
    await end(phone, 'Watch');
    await expect(phone.app.getByText(`+${2 * advice} points`)).toBeVisible();
    await expect(phone.app.getByRole('button', { name: 'Ask for Advice' })).toBeDisabled();
    expect((await game.me()).balance.game_points).toBe(2 * advice);
  });
});
