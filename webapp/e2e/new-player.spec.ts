import { expect, test, welcome } from './test';

test.describe('a new player', () => {
  test.use({ greeting: 'whole' });

  test('is greeted for 2.5 s once everything is loaded', async ({ phone }) => {
    await Promise.all([phone.loading.waitFor(), phone.open('startapp=')]);
    // By the page's own clock: on a busy machine the test hears of everything later.
    const greeted = await (await phone.frame()).waitForFunction((words) => {
      if (document.body.textContent.includes(words)) return false;
      const fetched = performance.getEntriesByType('resource') as PerformanceResourceTiming[];
      const loaded = ['/api/user/me', '/api/settings'].map(
        (path) => fetched.find(({ name }) => name.includes(path))?.responseEnd ?? Number.NaN,
      );
      return performance.now() - Math.max(...loaded);
    }, phone.words.loading.welcome);
    expect(await greeted.jsonValue()).toBeGreaterThanOrEqual(welcome);
    await phone.playable();
  });

  test('presses Start, reads the rules, taps, and finds the coins again', async ({
    sandbox,
    phoneOf,
    page,
  }) => {
    const phone = phoneOf(await sandbox.newPlayer());
    await phone.open();
    await phone.start.tap();

    const greeting = phone.messages.last();
    await expect(greeting.getByRole('img', { name: 'Photo' })).toBeVisible();
    await greeting.getByRole('button', { name: 'Play' }).tap();

    await expect(phone.loading).toBeVisible();
    await phone.playable();
    const gate = phone.app.getByRole('dialog', { name: 'Rules' });
    const accept = gate.getByRole('button', { name: 'Accept' });
    await expect(gate.getByText('Are you 18 years old?')).toBeVisible();
    await expect(accept).toBeDisabled();
    await phone.page.touchscreen.tap(195, 60);
    await phone.page.keyboard.press('Escape');
    await expect(accept).toBeVisible();
    await gate.getByRole('checkbox').check();
    await accept.tap();
    await expect(gate).toHaveCount(0);
    await expect(phone.total).toHaveText('0.00');

    await phone.openTap();
    await expect(phone.app.getByText('Click on the money bag to earn coins!')).toBeVisible();
    await phone.tap(20);
    await expect(phone.total).toHaveText('0.020');
    await phone.leaveTap();
    await expect(phone.saving).toHaveCount(0);
    await expect(phone.total).toHaveText('0.02');

    await page.reload();
    await greeting.getByRole('button', { name: 'Play' }).tap();
    await phone.playable();
    await expect(gate).toHaveCount(0);
    await expect(phone.total).toHaveText('0.02');
    expect(await (await sandbox.game(phone.player)).counted()).toEqual({ byCoins: 20, byEnergy: 20 });
  });

  test('gets in however slowly the server makes the acquaintance', async ({ sandbox, phoneOf, page }) => {
    const phone = phoneOf(await sandbox.newPlayer());
    await page.route('**/api/user/me*', async (route) => {
      await page.waitForTimeout(500); // the slowness itself, not a wait for something
      await route.continue();
    });
    await phone.openGame();
    await expect(phone.app.getByRole('dialog', { name: 'Rules' })).toBeVisible();
  });

  test('has nothing of what another player earned on the same device', async ({ sandbox, phoneOf }) => {
    const first = phoneOf(await sandbox.regular());
    await first.openGame();
    await first.openTap();
    await first.tap(10);
    await first.leaveTap();
    await expect(first.total).toHaveText('0.01');
    const game = await sandbox.game(first.player);
    await expect.poll(() => game.counted()).toEqual({ byCoins: 10, byEnergy: 10 });

    const second = phoneOf(await sandbox.regular());
    await second.openGame();
    await expect(second.total).toHaveText('0.00');
    expect(await game.counted()).toEqual({ byCoins: 10, byEnergy: 10 });
    expect(await (await sandbox.game(second.player)).counted()).toEqual({ byCoins: 0, byEnergy: 0 });
  });
});
