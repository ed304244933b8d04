import { cutNetwork, expect, test } from './test';

const taps = '**/api/tap/perform-batch-tap*';

test.describe('taps without a network', () => {
  test.use({ forgiven: cutNetwork });

  test('arrive once when the network is back', async ({ sandbox, phone, context }) => {
    await phone.openGame();
    await phone.openTap();
    await context.setOffline(true);
    await phone.tap(10);
    await phone.leaveTap();
    await expect(phone.app.getByText('Failed to sync taps with server.')).toBeVisible();
    await expect(phone.total).toHaveText('0.01');
    const game = await sandbox.game(phone.player);
    expect(await game.counted()).toEqual({ byCoins: 0, byEnergy: 0 });

    await context.setOffline(false);
    await expect.poll(() => game.counted()).toEqual({ byCoins: 10, byEnergy: 10 });
    await phone.openTap();
    await phone.tap(10);
    await phone.leaveTap();
    await expect.poll(() => game.counted()).toEqual({ byCoins: 20, byEnergy: 20 });
  });

  test('survive a reload and arrive once', async ({ sandbox, phone, page }) => {
    test.slow();
    // What a closing page sends may be lost like everything else; it stays on the device.
    await page.addInitScript(() => {
      const { fetch } = window;
      window.fetch = (request, init) =>
        init?.keepalive ? Promise.reject(new TypeError('lost')) : fetch(request, init);
    });
    await page.route(taps, (route) => route.abort());
    await phone.openGame();
    await phone.openTap();
    await phone.tap(5);
    await phone.openGame();
    const game = await sandbox.game(phone.player);
    expect(await game.counted()).toEqual({ byCoins: 0, byEnergy: 0 });

    await page.unroute(taps);
    // The page is not told that the way is free: between two tries there are up to thirty seconds.
    await expect.poll(() => game.counted(), { timeout: 40_000 }).toEqual({ byCoins: 5, byEnergy: 5 });
    await phone.openTap();
    await phone.tap(5);
    await phone.leaveTap();
    await expect(phone.total).toHaveText('0.01');
    await expect.poll(() => game.counted()).toEqual({ byCoins: 10, byEnergy: 10 });
  });
});

test('a page closed in the middle of tapping loses no tap and shows none twice', async ({
  sandbox,
  phone,
  page,
}) => {
  await phone.openGame();
  await phone.openTap();
  await phone.tap(10);
  await page.goto('about:blank');
  const game = await sandbox.game(phone.player);
  await expect.poll(() => game.counted()).toEqual({ byCoins: 10, byEnergy: 10 });

  // The answer to the batch's repeat takes its time, as it does on a phone.
  await page.route(taps, async (route) => {
    await page.waitForTimeout(500);
    await route.continue();
  });
  const shown = await phone.watchTotal();
  await phone.openGame();
  await expect(phone.total).toHaveText('0.01');
  await expect.poll(() => phone.hasUnsent()).toBe(false);
  expect(await shown()).toEqual(['0.01']);
  expect(await game.counted()).toEqual({ byCoins: 10, byEnergy: 10 });
});
