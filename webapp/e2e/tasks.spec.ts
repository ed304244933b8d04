import { adminsPhone, confirmed } from './admin';
import type { Phone } from './phone';
import { alone, expect, long, refusals, test } from './test';

// They set tasks that everybody sees, and move everybody's clock.
test.describe('daily tasks', { tag: alone }, () => {
  test.afterEach(async ({ sandbox, page }) => {
    await page.goto('about:blank'); // a page of a day to come would be refused
    await sandbox.clock({ reset: true });
  });

  const panel = (phone: Phone) => phone.app.getByRole('dialog', { name: phone.words.home.tasks });
  const peek = (phone: Phone) => phone.app.getByRole('button', { name: phone.words.home.tasks });
  const open = async (phone: Phone) => {
    await peek(phone).tap();
    await expect(panel(phone).getByText(phone.words.common.wait)).toHaveCount(0);
    return panel(phone);
  };
  const row = (phone: Phone, title: string) => panel(phone).getByRole('listitem').filter({ hasText: title });

  test('are paid by the end of their day when nobody claims them', async ({ sandbox, phoneOf }) => {
    const player = await sandbox.regular();
    const phone = phoneOf(player);
    const game = await sandbox.game(player);
    await sandbox.clock({ add: '100s' }); // the allowance of 500 taps
    let [left, batches] = [499, 0]; // the program looks at its clock each second
    await expect
      .poll(async () => {
        batches += 1;
        if (left > 0) left -= (await game.tap(left, `tasks-batch-${batches}`)).accepted;
        return left;
      })
      .toBe(0);
    await phone.openGame();
    await expect(peek(phone)).toContainText('0 of 6 done');
    await open(phone);
    await expect(row(phone, 'Tap the bag 500 times')).toContainText('499/500');
    await phone.closeDialog();

    // The tap that completes it, on the screen; Home hears of it with the sync.
    await phone.openTap();
    await phone.tap(1);
    await phone.leaveTap();
    await expect(peek(phone)).toContainText('1 of 6 done, 1 reward waiting');
    await open(phone);
    await expect(row(phone, 'Tap the bag 500 times').getByRole('button', { name: /^Claim/ })).toBeVisible();
    await expect(row(phone, 'Spend 1,000 energy')).toContainText('500/1,000');
    await phone.closeDialog();

    await sandbox.clock({ next_day: true });
    const today = await sandbox.game(player);
    await expect(async () => {
      expect((await today.me()).balance.game_points).toBe(50);
    }).toPass({ timeout: 30_000 });
    await phone.openGame();
    await expect(phone.total).toHaveText('1.50');
    await open(phone);
    await expect(row(phone, 'Tap the bag 500 times')).toContainText('0/500');
    expect((await today.me()).balance.game_points).toBe(50);
  });

  test('are claimed, and a link is visited', async ({ sandbox, phoneOf, context }) => {
    const admin = await adminsPhone(sandbox, context);
    await confirmed(
      admin,
      '/task add exchange_join https://exchange.example/join Join <b>us</b> | Вступайте',
      'is offered',
    );
    await admin.page.close();
    const player = await sandbox.regular();
    const phone = phoneOf(player);
    await phone.page.bringToFront();
    await phone.openGame();
    await open(phone);
    const join = row(phone, 'Join <b>us</b>');
    await expect(panel(phone).getByRole('heading', { name: 'Special' })).toBeVisible();
    // Telegram is asked to open a page on another machine, which it must not do here.
    await phone.page.evaluate(() => {
      window.open = () => null;
    });
    await join.getByRole('button', { name: /^Visit/ }).tap();
    await expect
      .poll(() => phone.events('web_app_open_link'))
      .toEqual([expect.objectContaining({ url: 'https://exchange.example/join' })]);
    await join.getByRole('button', { name: /^Claim/ }).tap();
    await expect(phone.app.getByText('+3.00 MCBK, +100 points')).toBeVisible();
    await expect(join.getByRole('button', { name: 'Claimed' })).toBeDisabled();
    expect((await phone.events('web_app_trigger_haptic_feedback')).at(-1)).toEqual({
      type: 'notification',
      notification_type: 'success',
    });
    await phone.closeDialog();
    await expect(phone.total).toHaveText('3.00');
  });

  test.describe('with Telegram in trouble', () => {
    test.use({ forgiven: refusals });

    test('a channel is checked for every standing in it', { tag: long }, async ({
      sandbox,
      phoneOf,
      context,
    }) => {
      const admin = await adminsPhone(sandbox, context);
      await confirmed(
        admin,
        '/task add telegram_subscription @tasks_news Join the news | Новости',
        'is offered',
      );
      await admin.page.close();
      const player = await sandbox.regular();
      const phone = phoneOf(player);
      await phone.page.bringToFront();
      await phone.openGame();
      await open(phone);
      const news = row(phone, 'Join the news');
      const check = news.getByRole('button', { name: /^Check/ });
      const toast = (text: string) => phone.app.getByText(text);

      await check.tap(); // the bot is in no such channel
      await expect(toast(phone.words.errors.telegram_unavailable)).toBeVisible();
      await expect(toast(phone.words.errors.telegram_unavailable)).toHaveCount(0);
      for (const status of ['left', 'kicked', 'restricted_away']) {
        await sandbox.member('@tasks_news', player, status);
        await check.tap();
        await expect(toast(phone.words.toast.not_subscribed), status).toBeVisible();
        await expect(toast(phone.words.toast.not_subscribed), status).toHaveCount(0);
      }
      await sandbox.member('@tasks_news', player, 'restricted');
      await sandbox.fault('getChatMember', 502);
      await check.tap();
      await expect(toast(phone.words.errors.telegram_unavailable)).toBeVisible();
      await expect(check).toBeEnabled();
      await check.tap();
      await expect(news.getByRole('button', { name: /^Claim/ })).toBeVisible();
    });
  });

  test('say that they did not load, and are tried again', { tag: long }, async ({ phone, page }) => {
    await page.route('**/api/tasks', (route) =>
      route.fulfill({ status: 200, contentType: 'text/html', body: '<html>hotel</html>' }),
    );
    await phone.openGame();
    await expect(peek(phone)).toContainText('Failed to load tasks');
    await open(phone);
    await panel(phone).getByRole('button', { name: 'Retry' }).tap();
    await expect(phone.app.getByText('Failed to fetch tasks')).toBeVisible();
    await page.unroute('**/api/tasks');
    await panel(phone).getByRole('button', { name: 'Retry' }).tap();
    await expect(row(phone, 'Ask for advice')).toBeVisible();
  });

  test('may be none', { tag: long }, async ({ phone, page }) => {
    await page.route('**/api/tasks', (route) => route.fulfill({ json: { tasks: [], permanent_tasks: [] } }));
    await phone.openGame();
    await open(phone);
    await expect(panel(phone).getByText('No daily tasks available')).toBeVisible();
    await expect(panel(phone).getByText('New tasks will be generated tomorrow!')).toBeVisible();
    await expect(panel(phone).getByRole('heading', { name: 'Special' })).toHaveCount(0);
  });
});
