import { adminsPhone, confirmed } from './admin';
import { alone, expect, long, refusals, test } from './test';

test.describe('an admin in the chat', { tag: alone }, () => {
  test.use({ forgiven: refusals });

  test('closes the game for works, and what is tapped meanwhile counts afterwards', async ({
    sandbox,
    phoneOf,
    context,
  }) => {
    const admin = await adminsPhone(sandbox, context);
    const phone = phoneOf(await sandbox.regular());
    const game = await sandbox.game(phone.player);
    const works = phone.app.getByText('Technical works');
    await phone.page.bringToFront();
    await phone.openGame();
    await phone.openTap();
    await phone.tap(20);

    await admin.page.bringToFront();
    await confirmed(admin, '/maintenance on', 'Done: maintenance is on.');
    try {
      await phone.page.bringToFront();
      await phone.tap(10);
      await phone.dock.getByRole('link', { name: 'Home' }).tap();
      await expect(works).toBeVisible();
      await expect(phone.dock).toHaveCount(0);
      expect(await phone.hasUnsent()).toBe(true);

      // Neither way out leads into a game that is closed.
      await phone.app.getByRole('button', { name: 'Restart' }).tap();
      await expect(works).toBeVisible();
      await phone.app.getByRole('link', { name: 'Exit' }).tap();
      await expect(works).toBeVisible();
      await phone.open('startapp=');
      await expect(works).toBeVisible();
      expect(await phone.hasUnsent()).toBe(true);
    } finally {
      await admin.page.bringToFront();
      await confirmed(admin, '/maintenance off', 'Done: maintenance is off.');
    }
    await phone.page.bringToFront();
    await phone.app.getByRole('button', { name: 'Restart' }).tap();
    await phone.playable();
    await expect.poll(() => phone.hasUnsent()).toBe(false);
    expect(await game.counted()).toEqual({ byCoins: 30, byEnergy: 30 });
    await expect(phone.total).toHaveText('0.03');
  });

  test('keeps a player out, who reads why, and lets them in again', async ({ sandbox, phoneOf, context }) => {
    const admin = await adminsPhone(sandbox, context);
    const phone = phoneOf(await sandbox.regular({ first_name: '<b>Mallory</b>' }));
    await admin.write(`/player ${phone.player.id}`);
    await expect(admin.messages.last()).toContainText(', “<b>Mallory</b>”');
    await confirmed(admin, `/ban ${phone.player.id} taps <i>day and night</i>`, 'taps <i>day and night</i>');

    await phone.page.bringToFront();
    await phone.open('startapp=');
    await expect(phone.app.getByText('This account is blocked')).toBeVisible();
    await expect(phone.app.getByText('taps <i>day and night</i>')).toBeVisible();

    await admin.page.bringToFront();
    await confirmed(admin, `/unban ${phone.player.id}`, 'may play again');
    await phone.page.bringToFront();
    await phone.openGame();
    await expect(phone.total).toHaveText('0.00');
  });

  test('switches the mines off, and what was dug meanwhile counts once they are on', { tag: long }, async ({
    sandbox,
    phoneOf,
    context,
  }) => {
    test.slow(); // a payment on the chain, and the batch waits for as long as the server asks
    const admin = await adminsPhone(sandbox, context);
    const phone = phoneOf(await sandbox.regular());
    const { mines, errors } = phone.words;
    const game = await sandbox.game(phone.player);
    await game.connect(await sandbox.wallet(phone.player));
    const { order } = await game.orderMine(1);
    await sandbox.pay(phone.player, { nanotons: order.ton_amount * 1e9, comment: order.comment });
    await expect.poll(async () => (await game.mines()).current_mine_level).toBe(1);
    const ore = phone.app.getByRole('button', { name: mines.dig.replace('{{ore}}', mines.stone) });
    const works = phone.app.locator('main').getByText(errors.maintenance);

    await confirmed(admin, '/settings mines off', 'Done: mines is off.');
    try {
      await phone.page.bringToFront();
      await phone.visit('/mines');
      await ore.tap();
      await expect(phone.energyBar).toHaveAttribute('aria-valuenow', '990');
      await phone.app.getByRole('link', { name: mines.leaderboard }).tap(); // leaving sends it
      await phone.corner.tap();
      await expect(works).toBeVisible();
      await ore.tap();
      await expect(phone.energyBar).toHaveAttribute('aria-valuenow', '990');
    } finally {
      await admin.page.bringToFront();
      await confirmed(admin, '/settings mines on', 'Done: mines is on.');
    }
    await phone.page.bringToFront();
    await expect(works).toHaveCount(0, { timeout: 45_000 });
    await ore.tap();
    await expect(phone.energyBar).toHaveAttribute('aria-valuenow', '980');
    expect((await game.mines()).tournament_mcbk).toBe(0.25);
  });

  test('changes a setting, and cancels another change', { tag: long }, async ({ sandbox, context }) => {
    const admin = await adminsPhone(sandbox, context);
    await confirmed(admin, '/settings launch_age 23h', 'Done: launch_age is 23h.');
    await confirmed(admin, '/settings launch_age 24h', 'Done: launch_age is 24h.');
    await admin.write('/settings taps_per_second 1');
    await admin.messages.last().getByRole('button', { name: 'Cancel' }).tap();
    await expect(admin.messages.last()).toContainText('Nothing was done:');
    await admin.write('/settings');
    await expect(admin.messages.last()).toContainText('taps_per_second = 10');
    await admin.write('/stats');
    await expect(admin.messages.last()).toContainText('Active today:');
    await expect(admin.messages.last().getByRole('img', { name: 'Photo' })).toBeVisible();
    await admin.write('/task retire');
    await expect(admin.messages.last()).toContainText('ID is missing.');
    await admin.write('/task retire 999999');
    await expect(admin.messages.last()).toContainText('No such task is offered.');
    await admin.write('/audit 5');
    await expect(admin.messages.last()).toContainText('settings taps_per_second 1, cancelled');
  });
});
