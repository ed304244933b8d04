import type { Locator, Page } from '@playwright/test';
import type { Phone } from './phone';
import { credited, enter } from './purse';
import type { Game, Sandbox } from './sandbox';
import { expect, test } from './test';

// Telegram's payment sheet is the sandbox's own: it asks the bot, moves Stars and tells of them as Telegram does.

/** A button of Telegram's sheet over the game: it pays, or ends in another way. */
const way = (page: Page, how: 'pay' | 'fail'): Locator => page.locator(`[data-how="${how}"]`);

/** Closes Telegram's sheet; the phone has such a button too. */
const close = (page: Page): Locator => page.locator('.invoice').getByRole('button', { name: 'Close' });

/** The player, who has no wallet, stands in the market and pays in Stars. */
async function customer(sandbox: Sandbox, phone: Phone): Promise<Game> {
  const game = await sandbox.game(phone.player);
  await enter(phone);
  const { common, wallet } = phone.words;
  await phone.app.getByRole('tab', { name: common.stars }).tap();
  await expect(phone.app.getByRole('button', { name: wallet.connect })).toHaveCount(0);
  return game;
}

async function buy(phone: Phone): Promise<void> {
  const { market } = phone.words;
  await phone.app.getByRole('button', { name: market.stars.replace('{{stars}}', '500'), exact: true }).tap();
  await phone.app.getByRole('checkbox').check();
  await phone.app.getByRole('button', { name: market.buy_for }).tap();
  await expect(way(phone.page, 'pay')).toContainText('500');
}

test('coins are bought for Stars in Telegram’s sheet, without a wallet, and celebrated', async ({
  sandbox,
  phone,
  page,
}) => {
  const game = await customer(sandbox, phone);
  await buy(phone);
  expect(await game.orders()).toMatchObject([{ status: 'pending', currency: 'XTR', stars: 500 }]);
  await way(page, 'pay').click();
  await credited(game);
  const [order] = await game.orders();
  const sheet = phone.modal(phone.words.order.paid);
  await expect(sheet).toBeVisible();
  await expect(sheet).toContainText('You paid500');
  expect((await game.me()).balance.purchased_mcbk).toBe(order?.mcbk_amount);
  expect(order?.mcbk_amount).toBeGreaterThan(0);
});

test('who closes Telegram’s sheet, or whose payment fails, pays the same order again, also after a reload', async ({
  sandbox,
  phone,
  page,
}) => {
  const { order, market } = phone.words;
  const game = await customer(sandbox, phone);
  await buy(phone);
  await close(page).click();
  const sheet = phone.modal(order.pending);
  await expect(sheet.getByRole('status')).toHaveText(order.stars_cancelled);
  await sheet.getByRole('button', { name: order.pay_for }).tap();
  await way(page, 'fail').click();
  await expect(sheet.getByRole('status')).toHaveText(order.stars_failed);
  await enter(phone);
  await phone.app.getByRole('button', { name: market.waiting }).tap();
  await sheet.getByRole('button', { name: order.pay_for }).tap();
  await way(page, 'pay').click();
  await credited(game);
  await expect(phone.modal(order.paid)).toBeVisible();
  expect(await game.orders()).toMatchObject([{ status: 'paid', stars: 500 }]);
});

test('an order in Stars that is cancelled is refused by the bot, and nothing is taken', async ({
  sandbox,
  phone,
  page,
}) => {
  const { order } = phone.words;
  const game = await customer(sandbox, phone);
  await buy(phone);
  await close(page).click();
  await phone.modal(order.pending).getByRole('button', { name: order.cancel }).tap();
  await expect(phone.modal(order.cancelled)).toBeVisible();
  const [made] = await game.orders();
  const before = await sandbox.stars(phone.player);
  const paid = await sandbox.payStars(phone.player, made?.paymentLink ?? '');
  expect(paid).toMatchObject({ status: 'failed', error: 'BOT_PRECHECKOUT_FAILED' });
  expect(await sandbox.stars(phone.player)).toBe(before);
  expect((await game.me()).balance.purchased_mcbk).toBe(0);
});
