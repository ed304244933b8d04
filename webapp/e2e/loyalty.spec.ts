import type { AdRequest } from '../src/api/types';
import { loyal } from './stage';
import { expect, long, test } from './test';

/** Spec §9. */
const bonus = { coins: 3, points: 150 };
/** Decision 0026: a ticket is settled by a callback only this long after it was opened, milliseconds. */
const ticketAge = 5000;

test('who has watched every ad of the day is paid the bonus, once', { tag: long }, async ({
  sandbox,
  phone,
}) => {
  const game = await sandbox.game(phone.player);
  await game.checkIn();
  const { id } = await game.prediction();
  const ads: AdRequest[] = [
    { purpose: 'daily' },
    ...Array.from({ length: 10 }, () => ({ purpose: 'spin' }) as const),
    { purpose: 'prediction', target_id: id },
  ];
  for (const ad of ads) await game.startAd(ad);
  await new Promise((old) => setTimeout(old, ticketAge + 500));
  for (const _ of ads.slice(1)) await sandbox.watched(phone.player);
  const settled = () =>
    sandbox.ads(phone.player).then((shown) => shown.filter(({ callbacks }) => callbacks.length > 0).length);
  await expect.poll(settled).toBe(11);

  // The last ad is still missing.
  await phone.openGame();
  const modal = phone.modal(phone.words.loyalty.title);
  await expect.poll(() => game.circleAds()).toMatchObject({ is_eligible: false, reward_claimed: false });
  await expect(modal).toHaveCount(0);
  await sandbox.watched(phone.player);
  await expect.poll(() => game.circleAds()).toMatchObject({ is_eligible: true, reward_claimed: false });
  const before = (await game.me()).balance;

  await phone.openGame();
  await expect(modal).toContainText('You completed all ad conditions!');
  await expect(modal).toContainText('3Coins MCBK150Points MCBK');
  await modal.getByRole('button', { name: 'Claim' }).tap();
  await expect(phone.app.getByText('+3.00 MCBK, +150 points')).toBeVisible();
  await expect(modal).toHaveCount(0);
  const after = (await game.me()).balance;
  expect(after.game_mcbk - before.game_mcbk).toBeCloseTo(bonus.coins, 6);
  expect(after.game_points - before.game_points).toBe(bonus.points);
  expect(await game.circleAds()).toMatchObject({ is_eligible: true, reward_claimed: true });

  await phone.openGame();
  await expect(phone.total).toBeVisible();
  await expect(modal).toHaveCount(0);
});

test('the modal comes while the player is in the game, and stays when a claim finds no answer', {
  tag: long,
}, async ({ sandbox, phoneOf, page }) => {
  const phone = phoneOf(await sandbox.regular({ language_code: 'ru' }));
  const { words } = phone;
  const circle = await loyal(page);
  await phone.openGame();
  await expect.poll(() => circle.asked).toBe(1);
  const modal = phone.modal(words.loyalty.title);
  await expect(modal).toHaveCount(0);
  circle.earned = true;
  // Taps counted by the server change the coins, and that is what the status is asked for after.
  await phone.openTap();
  await phone.tap(1);
  await phone.leaveTap();
  await expect(modal).toContainText(words.loyalty.done);
  circle.answers = false;
  await modal.getByRole('button').tap();
  await expect(phone.app.getByText(words.errors.try_again)).toBeVisible();
  await expect(modal).toBeVisible();
  await phone.closeDialog();
  await phone.app.getByRole('button', { name: words.home.bonus }).tap();
  await expect(modal).toBeVisible();
});

test.use({ forgiven: /status of (409|503)/ });
