import { enter, pay } from './purse';
import { expect, test } from './test';

// The sandbox's own tournament, chain and wallet: nothing of the game is made up here.

test('the entry is bought, the mine dug in and upgraded, and the miner stands among the best', async ({
  sandbox,
  phoneOf,
  context,
  page,
}) => {
  test.slow(); // two payments on the chain
  const phone = phoneOf(await sandbox.newPlayer({ first_name: 'Marina' }));
  const { words, app } = phone;
  const { mines, order } = words;
  const game = await sandbox.game(phone.player);
  await game.me();
  await game.acceptAge();

  await enter(phone);
  await phone.go('/mines');
  await app.getByRole('button', { name: mines.dig.replace('{{ore}}', mines.stone) }).tap();
  await expect(app.getByRole('button', { name: mines.connect })).toBeVisible();

  await game.connect(await sandbox.wallet(phone.player));
  await enter(phone);
  await phone.go('/mines');
  await app.getByRole('button', { name: mines.dig.replace('{{ore}}', mines.stone) }).tap();
  let opened = context.waitForEvent('page');
  await app.getByRole('button', { name: mines.start }).tap();
  await pay(await opened, phone.player);
  await page.bringToFront();
  await expect(phone.modal(order.mine_open)).toBeVisible();
  await phone.modal(order.mine_open).getByRole('button', { name: order.dig }).tap();
  await expect(app.getByText(mines.hint_locked)).toHaveCount(0);

  const ore = app.getByRole('button', { name: mines.dig.replace('{{ore}}', mines.stone) });
  for (let n = 0; n < 3; n += 1) {
    await ore.tap();
    await page.waitForTimeout(150); // one within 100 ms is ignored
  }
  await expect(app.getByRole('progressbar')).toHaveAttribute('aria-valuenow', '970');

  await phone.handle.tap();
  await app.getByRole('dialog').getByRole('button', { name: '1.5 TON' }).tap();
  opened = context.waitForEvent('page');
  await app.getByRole('button', { name: mines.buy, exact: true }).tap();
  await pay(await opened, phone.player);
  await page.bringToFront();
  await expect(phone.modal(order.mine_open)).toBeVisible();
  await phone.modal(order.mine_open).getByRole('button', { name: order.dig }).tap();
  await expect(app.getByRole('dialog')).toHaveCount(0);
  await expect(app.getByText(mines.mine.replace('{{ore}}', mines.coal))).toBeVisible();

  await app.getByRole('link', { name: mines.leaderboard }).tap();
  await expect(app.getByText(mines.taps_other.replace('{{shown}}', '3')).first()).toBeVisible();
  await expect(app.locator('main')).toContainText(`${words.ranks.you}3 taps0.75`);
  expect(await game.orders()).toMatchObject([
    { kind: 'mine', level: 2, status: 'paid' },
    { kind: 'mine', level: 1, status: 'paid' },
  ]);
});

test('the message that a mine is open leads into it', async ({ sandbox, phone }) => {
  const { mines } = phone.words;
  await sandbox.say(phone.player, '/start');
  const game = await sandbox.game(phone.player);
  await game.connect(await sandbox.wallet(phone.player));
  const { order } = await game.orderMine(1);
  await sandbox.pay(phone.player, { nanotons: order.ton_amount * 1e9, comment: order.comment });
  await phone.open();
  const told = phone.messages.filter({ hasText: 'mine 1, Stone, is open' });
  await told.getByRole('button', { name: 'Play' }).tap();
  await phone.playable();
  await phone.app.getByRole('button', { name: mines.dig.replace('{{ore}}', mines.stone) }).tap();
  await expect(phone.energyBar).toHaveAttribute('aria-valuenow', '990');
});
