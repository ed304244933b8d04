import { randomUUID } from 'node:crypto';
import type { Phone } from './phone';
import { expect, test } from './test';

/** A board may be a minute old; milliseconds, with time to ask for it. */
const fresh = 75_000;

/** The place in the list of the player with this name, who may be anywhere in it. */
async function placeOf({ app }: Phone, name: string): Promise<number> {
  const row = app.getByRole('listitem').filter({ hasText: name });
  const main = app.locator('main');
  await main.evaluate((box) => box.scrollTo(0, 0));
  await expect(async () => {
    if ((await row.count()) === 0)
      await main.evaluate((box) => {
        // At the end it begins anew: the player may have moved up meanwhile, or been scrolled past before the row was there.
        const ended = box.scrollHeight - box.scrollTop - box.clientHeight < 2;
        if (ended) box.scrollTo(0, 0);
        else box.scrollBy(0, box.clientHeight / 2);
      });
    await expect(row).toBeAttached({ timeout: 300 });
  }).toPass({ intervals: [50] });
  return Number(await row.getAttribute('aria-posinset'));
}

test('who has tapped more stands higher, and everybody sees their own place', async ({
  sandbox,
  phoneOf,
}) => {
  test.setTimeout(5 * fresh); // four times it is waited for
  const now = Date.now();
  const names = [`Zoe ${now}`, `Yan ${now}`, `Xenia ${now}`] as const;
  const taps = [20, 50, 30] as const; // a new player may have 50 counted at once
  const [zoe, yan, xenia] = await Promise.all(
    names.map(async (first_name, n) => {
      const player = await sandbox.regular({ first_name });
      const game = await sandbox.game(player);
      expect((await game.tap(taps[n] ?? 0, randomUUID())).accepted).toBe(taps[n]);
      return { player, game };
    }),
  );
  if (!zoe || !yan || !xenia) throw new Error('nobody plays');
  const places = async () => {
    const ranks = [];
    for (const { game } of [yan, xenia, zoe]) ranks.push((await game.leaderboard('coins')).me.rank ?? 0);
    return ranks;
  };
  await expect(async () => {
    const ranks = await places();
    expect(ranks.every((rank) => rank > 0)).toBe(true);
    expect([...ranks].sort((a, b) => a - b)).toEqual(ranks);
    expect(new Set(ranks).size).toBe(3);
  }).toPass({ timeout: fresh });

  const phone = phoneOf(xenia.player);
  const { app, words } = phone;
  const own = app.locator('main').locator('[class*="_own_"]').filter({ hasText: words.ranks.you }).first();
  /** Among the first three the place is a medal. */
  const place = (rank: RegExp | string) =>
    own.getByText(rank, { exact: true }).or(own.getByAltText(rank, { exact: true }));
  await expect(async () => {
    await phone.openGame();
    await app.getByRole('link', { name: words.home.place }).tap();
    await expect(app.getByRole('heading', { name: words.leaderboard.title })).toBeVisible();
    const inList = [];
    for (const name of [names[1], names[2], names[0]]) inList.push(await placeOf(phone, name));
    expect([...inList].sort((a, b) => a - b)).toEqual(inList);
  }).toPass({ timeout: fresh });
  await expect(own).toContainText(names[2]);
  await expect(own).toContainText('0.03');
  await expect(place(/^#\d/)).toBeVisible();
  await expect(own).toBeInViewport({ ratio: 1 });

  await app.locator('main').evaluate((box) => box.scrollTo(0, 0));
  const points = (await xenia.game.me()).balance.game_points;
  for (const [tab, type, sum] of [
    [words.leaderboard.points, 'points', String(points)],
    [words.leaderboard.purchased, 'purchased_coins', '0.00'],
  ] as const) {
    await app.getByRole('tab', { name: tab }).tap();
    await expect(own).toContainText(sum);
    // Others play meanwhile, and move up and down. Whoever has nothing has no rank.
    await expect(async () => {
      await app.getByRole('tab', { name: words.leaderboard.coins }).tap();
      await app.getByRole('tab', { name: tab }).tap();
      const { me } = await xenia.game.leaderboard(type);
      const ranked = type === 'points' && points > 0;
      await expect(place(ranked ? `#${me.rank}` : /^#\D/)).toBeVisible({ timeout: 1000 });
    }).toPass({ timeout: fresh });
  }
  await expect(phone.corner).toHaveText('Back');
  await phone.corner.tap();
  await expect.poll(() => phone.path()).toBe('/');
});
