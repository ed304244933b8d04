import { Phone } from './phone';
import { cutNetwork, expect, long, test } from './test';

const taps = '**/api/tap/perform-batch-tap*';

/** The renderer of the page dies at once, as on a phone that runs out of memory: no farewell, no last words. */
async function crash({ page }: Phone): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const crashed = page.waitForEvent('crash');
  session.send('Page.crash').catch(() => undefined); // nobody is left to answer
  await crashed;
  await page.close();
}

test.describe('a tap is never lost and never counted twice', () => {
  test.use({ forgiven: cutNetwork });
  test.setTimeout(300_000); // as fast as a bag can be tapped, 300 taps take more than half a minute; a busy machine is slower

  test('300 of them without a network', { tag: long }, async ({ sandbox, phone, context }) => {
    const game = await sandbox.game(phone.player);
    await phone.openGame();
    await phone.openTap();
    await context.setOffline(true);
    const began = Date.now();
    await phone.tap(300);
    console.log(`300 taps took ${((Date.now() - began) / 1000).toFixed(1)} s`);
    await expect(phone.total).toHaveText('0.300');
    expect(await phone.hasUnsent()).toBe(true);
    expect(await game.counted()).toEqual({ byCoins: 0, byEnergy: 0 });

    await context.setOffline(false);
    await expect.poll(() => phone.hasUnsent()).toBe(false);
    expect(await game.counted()).toEqual({ byCoins: 300, byEnergy: 300 });
    await expect(phone.total).toHaveText('0.300');
    expect(await phone.energy()).toBe(700);
  });

  test('where the tab crashes without a network', { tag: long }, async ({ sandbox, phoneOf, context }) => {
    const before = phoneOf(await sandbox.regular());
    const game = await sandbox.game(before.player);
    await before.openGame();
    await before.openTap();
    await context.setOffline(true);
    await before.tap(60);
    await crash(before);
    expect(await game.counted()).toEqual({ byCoins: 0, byEnergy: 0 });

    await context.setOffline(false);
    const after = new Phone(await context.newPage(), before.player);
    await after.openGame();
    await expect.poll(() => game.counted()).toEqual({ byCoins: 60, byEnergy: 60 });
    await after.openTap();
    await after.tap(10);
    await after.leaveTap();
    await expect.poll(() => after.hasUnsent()).toBe(false);
    expect(await game.counted()).toEqual({ byCoins: 70, byEnergy: 70 });
    await expect(after.total).toHaveText('0.07');
  });

  test('where the tab crashes between a batch and its answer', async ({ sandbox, phoneOf, context }) => {
    const before = phoneOf(await sandbox.regular());
    const game = await sandbox.game(before.player);
    // The server counts the first batch; its answer is still on the way when the tab dies, with later taps in it.
    await before.page.route(taps, async (route) => {
      await route.fetch();
    });
    await before.openGame();
    await before.openTap();
    await before.tap(20);
    await before.leaveTap();
    await expect.poll(() => game.counted()).toEqual({ byCoins: 20, byEnergy: 20 });
    await before.openTap();
    await before.tap(10);
    expect(await game.counted()).toEqual({ byCoins: 20, byEnergy: 20 });
    await crash(before);

    const after = new Phone(await context.newPage(), before.player);
    const shown = await after.watchTotal();
    await after.openGame();
    await expect.poll(() => game.counted()).toEqual({ byCoins: 30, byEnergy: 30 });
    await after.openTap();
    await after.tap(10);
    await after.leaveTap();
    await expect.poll(() => after.hasUnsent()).toBe(false);
    expect(await game.counted()).toEqual({ byCoins: 40, byEnergy: 40 });
    await expect(after.total).toHaveText('0.04');
    expect(Math.max(...(await shown()).map(Number))).toBe(0.04);
  });

  test('nor counted for another player on the same device', async ({ sandbox, phoneOf, context }) => {
    const first = phoneOf(await sandbox.regular());
    const ofFirst = await sandbox.game(first.player);
    await first.openGame();
    await first.openTap();
    await context.setOffline(true);
    await first.tap(15);
    await crash(first);
    await context.setOffline(false);

    const second = new Phone(await context.newPage(), await sandbox.regular());
    const ofSecond = await sandbox.game(second.player);
    await second.openGame();
    await expect(second.total).toHaveText('0.00');
    await second.openTap();
    await second.tap(10);
    await second.leaveTap();
    await expect.poll(() => ofSecond.counted()).toEqual({ byCoins: 10, byEnergy: 10 });
    await expect(second.total).toHaveText('0.01');
    expect(await ofFirst.counted()).toEqual({ byCoins: 0, byEnergy: 0 });
    await second.page.close();

    const again = new Phone(await context.newPage(), first.player);
    await again.openGame();
    await expect.poll(() => again.hasUnsent()).toBe(false);
    expect(await ofFirst.counted()).toEqual({ byCoins: 15, byEnergy: 15 });
    await again.go('/tap');
    await expect(again.total).toHaveText('0.015');
    expect(await ofSecond.counted()).toEqual({ byCoins: 10, byEnergy: 10 });
  });
});
