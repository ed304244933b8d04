import { randomUUID } from 'node:crypto';
import type { Person } from './sandbox';
import { alone, cutNetwork, expect, test } from './test';

const taps = '**/api/tap/perform-batch-tap';
/** Between two tries of a batch there are up to thirty seconds. */
const retried = { timeout: 40_000 };

test.describe('kill -9 of the server', { tag: alone }, () => {
  test.use({ forgiven: cutNetwork });

  test('in the middle of tapping costs the player no tap and doubles none', async ({ sandbox, phone }) => {
    test.slow();
    await phone.openGame();
    await phone.openTap();
    await phone.tap(4);
    await phone.leaveTap();
    const game = await sandbox.game(phone.player);
    await expect.poll(() => game.counted()).toEqual({ byCoins: 4, byEnergy: 4 });

    await phone.openTap();
    await phone.tap(2);
    await sandbox.kill();
    await phone.tap(4);
    await phone.leaveTap();
    await expect(phone.app.getByText('Failed to sync taps with server.')).toBeVisible();
    await expect(phone.total).toHaveText('0.01');

    await sandbox.start();
    await expect.poll(() => game.counted(), retried).toEqual({ byCoins: 10, byEnergy: 10 });
    await expect.poll(() => phone.hasUnsent(), retried).toBe(false);
    await expect(phone.total).toHaveText('0.01');
  });

  test('after the commit but before the answer counts the batch once', async ({ sandbox, phone, page }) => {
    test.slow();
    const batches: string[] = [];
    let died = () => {};
    const dead = new Promise<void>((resolve) => {
      died = resolve;
    });
    await page.route(taps, async (route) => {
      batches.push(route.request().postDataJSON().batch_id);
      if (batches.length > 1) return route.continue();
      const answer = await route.fetch();
      expect(answer.status()).toBe(200);
      await sandbox.kill();
      await route.abort('connectionreset');
      died();
    });
    await phone.openGame();
    await phone.openTap();
    await phone.tap(10);
    await phone.leaveTap();
    await dead;
    await sandbox.start();

    const game = await sandbox.game(phone.player);
    await expect.poll(() => batches.length, retried).toBeGreaterThan(1);
    expect(new Set(batches).size).toBe(1);
    await expect.poll(() => phone.hasUnsent(), retried).toBe(false);
    expect(await game.counted()).toEqual({ byCoins: 10, byEnergy: 10 });
    await expect(phone.total).toHaveText('0.01');
  });

  test('under the taps of many keeps every acknowledged batch', async ({ sandbox }) => {
    const players = await Promise.all(Array.from({ length: 6 }, () => sandbox.regular()));
    const enough = 36;
    let acknowledged = 0;
    let reached = () => {};
    const killed = new Promise<void>((resolve) => {
      reached = resolve;
    }).then(() => sandbox.kill());

    /** Taps until nobody answers any more. */
    async function play(player: Person) {
      const game = await sandbox.game(player);
      const answered: { id: string; taps: number }[] = [];
      for (let size = 1; ; size = (size % 7) + 1) {
        const batch = { id: randomUUID(), taps: size };
        try {
          await game.tap(batch.taps, batch.id);
        } catch {
          return { player, answered, open: batch };
        }
        answered.push(batch);
        if (++acknowledged === enough) reached();
      }
    }

    const [outcomes] = await Promise.all([Promise.all(players.map(play)), killed]);
    await sandbox.start();
    for (const { player, answered, open } of outcomes) {
      const game = await sandbox.game(player);
      const sum = answered.reduce((total, batch) => total + batch.taps, 0);
      const { byCoins, byEnergy } = await game.counted();
      expect(byCoins).toBe(byEnergy);
      expect([sum, sum + open.taps]).toContain(byCoins);

      const last = answered.at(-1);
      if (last) await game.tap(last.taps, last.id);
      await game.tap(open.taps, open.id);
      const all = sum + open.taps;
      expect(await game.counted()).toEqual({ byCoins: all, byEnergy: all });
    }
  });
});
