import type { Locator } from '@playwright/test';
import { settled } from './inspect';
import type { Phone } from './phone';
import { cutNetwork, expect, long, test } from './test';

/** Every way a player may send a drawer away. */
const ways: Record<string, (phone: Phone) => Promise<unknown>> = {
  Escape: (phone) => phone.page.keyboard.press('Escape'),
  'the back button of Telegram': (phone) => phone.corner.tap(),
  'the back button of the device': (phone) => phone.deviceBack(),
  'its x': (phone) => phone.app.getByRole('button', { name: phone.words.common.close, exact: true }).tap(),
  'a finger that drags it down': async (phone) => {
    // It is where it is seen, and can be touched, only once it has come up.
    await settled(await phone.frame());
    const box = await phone.app.getByRole('dialog').boundingBox();
    if (!box) throw new Error('there is no drawer');
    await phone.drag(box.x + box.width / 2, box.y + 12, box.y + box.height - 20);
  },
};

for (const [name, close] of Object.entries(ways)) {
  test(`a drawer is closed by ${name}, and the screen stays`, async ({ phone }) => {
    await phone.openGame();
    await phone.openTap();
    const drawer = phone.app.getByRole('dialog', { name: phone.words.tap.progress });
    // Twice: what the first round left in the history must not stand in the way of the second.
    for (let round = 0; round < 2; round += 1) {
      await phone.app.getByRole('button', { name: phone.words.tap.progress }).tap();
      await expect(drawer.getByText(phone.words.tap.level_now)).toBeVisible();
      await close(phone);
      await expect(drawer).toHaveCount(0);
      expect(await phone.path()).toBe('/tap');
    }
    await phone.deviceBack();
    await expect.poll(() => phone.path()).toBe('/');
  });
}

test('a drawer comes when its handle is pulled up', async ({ phone }) => {
  await phone.openGame();
  await settled(await phone.frame());
  const box = await phone.app.getByRole('button', { name: phone.words.home.tasks }).boundingBox();
  if (!box) throw new Error('there is no handle');
  await phone.drag(box.x + box.width / 2, box.y + 20, box.y - 120);
  await expect(phone.app.getByRole('dialog', { name: phone.words.home.tasks })).toBeVisible();
});

test('the profile shows who the player is and leads on', { tag: long }, async ({ sandbox, phoneOf }) => {
  const phone = phoneOf(await sandbox.regular({ is_premium: true }));
  await phone.openGame();
  await phone.app.getByRole('button', { name: phone.words.home.profile }).tap();
  const profile = phone.app.getByRole('dialog', { name: phone.words.screens.profile });
  await expect(profile.getByText(phone.player.first_name)).toBeVisible();
  await expect(profile.getByText(phone.words.home.premium)).toBeVisible();
  await expect(profile.getByRole('definition')).toHaveText(['0', '0', '0', '0']);
  await profile.getByRole('link', { name: phone.words.home.leaderboard }).tap();
  await expect.poll(() => phone.path()).toBe('/leaderboard');
  await expect(profile).toHaveCount(0);
  // The step the drawer left in the history is stepped over.
  await phone.deviceBack();
  await expect.poll(() => phone.path()).toBe('/');
  await expect(phone.total).toBeVisible();
});

/** In the page: the picture has come. */
const isDrawn = (picture: HTMLElement | SVGElement) =>
  picture instanceof HTMLImageElement && picture.complete && picture.naturalWidth > 0;

/** Opens the profile until it is there: where its code was missed, the page is reloaded first. */
async function openProfile(phone: Phone): Promise<Locator> {
  const profile = phone.app.getByRole('dialog', { name: phone.words.screens.profile });
  await expect(async () => {
    await phone.app.getByRole('button', { name: phone.words.home.profile }).tap({ timeout: 5000 });
    await expect(profile).toBeVisible({ timeout: 2000 });
  }).toPass();
  return profile;
}

/** Presses Retry until the screen is there, unless it comes first: the page is reloaded once by itself. */
async function tryAgain(phone: Phone, isThere: () => Promise<void>): Promise<void> {
  const retry = phone.app.getByRole('button', { name: phone.words.common.retry });
  await expect(async () => {
    if (await retry.isVisible()) await retry.tap({ timeout: 1000 });
    await isThere();
  }).toPass();
}

test.describe('code that cannot be fetched', () => {
  test.use({ forgiven: cutNetwork });

  test('leaves a drawer closed and the game alive, and comes with the network', { tag: long }, async ({
    phone,
    page,
    context,
  }) => {
    await page.route('**/assets/Profile-*.js', (route) => route.abort());
    await phone.openGame();
    await context.setOffline(true);
    await phone.app.getByRole('button', { name: phone.words.home.profile }).tap();
    await expect(phone.app.getByText(phone.words.errors.offline)).toBeVisible();
    await expect(phone.total).toBeVisible();
    await page.unroute('**/assets/Profile-*.js');
    await context.setOffline(false);
    await openProfile(phone);
  });

  test('leaves a screen whose own picture is there', { tag: long }, async ({ phone, context }) => {
    await phone.openGame();
    const fetched = phone.app.locator('img[src*="ore-stone"]');
    await expect.poll(() => fetched.evaluate(isDrawn)).toBe(true);
    await expect(fetched).toBeHidden();
    await context.setOffline(true);
    await phone.dock.getByRole('link', { name: phone.words.nav.market }).tap();
    await expect(phone.app.getByText(phone.words.shell.offline)).toBeVisible();
    const picture = phone.app.getByRole('main').locator('img');
    await expect.poll(() => picture.evaluate(isDrawn)).toBe(true);
  });

  test('leaves a screen that offers to try again', { tag: long }, async ({ phone, page }) => {
    await page.route('**/assets/WheelScreen-*.js', (route) => route.abort());
    await phone.openGame();
    await phone.dock.getByRole('link', { name: phone.words.nav.wheel }).tap();
    await expect(phone.app.getByText(phone.words.shell.offline)).toBeVisible();
    await page.unroute('**/assets/WheelScreen-*.js');
    await tryAgain(phone, () =>
      expect(phone.app.getByText(phone.words.screens.roulette)).toBeVisible({ timeout: 1000 }),
    );
  });
});

test.describe('a stylesheet that cannot be fetched', () => {
  test.use({ forgiven: cutNetwork });

  const ofWheel = '**/assets/WheelScreen-*.css';
  const ofProfile = '**/assets/Profile-*.css';

  /** Without its styles the wheel is four drawings, one below the other. */
  async function wheelIsWhole(phone: Phone): Promise<void> {
    const drawings = phone.app.getByRole('img', { name: phone.words.nav.wheel }).locator('svg');
    await expect(drawings).toHaveCount(4);
    for (const drawing of await drawings.all()) await expect(drawing).toHaveCSS('position', 'absolute');
  }

  test('leaves a screen that offers to try again, and then is whole', { tag: long }, async ({
    phone,
    page,
  }) => {
    await page.route(ofWheel, (route) => route.abort());
    await phone.openGame();
    await phone.dock.getByRole('link', { name: phone.words.nav.wheel }).tap();
    await expect(phone.app.getByText(phone.words.shell.offline)).toBeVisible();
    await page.unroute(ofWheel);
    await tryAgain(phone, () => wheelIsWhole(phone));
  });

  test('comes with a page that is reloaded by itself, and the screen is whole', async ({ phone, page }) => {
    await page.route(ofWheel, (route) => route.abort(), { times: 1 });
    await phone.openGame();
    await phone.dock.getByRole('link', { name: phone.words.nav.wheel }).tap();
    await wheelIsWhole(phone);
  });

  test('ahead of time comes with a new page when the drawer is opened', { tag: long }, async ({
    phone,
    page,
  }) => {
    await page.route(ofProfile, (route) => route.abort(), { times: 1 });
    const ahead = page.waitForEvent('requestfailed', (request) => request.url().includes('/assets/Profile-'));
    await phone.openGame();
    await ahead;
    const profile = await openProfile(phone);
    await expect(profile.getByText(phone.player.first_name)).toBeVisible();
    await expect(profile.locator('[class*="_profile_"]')).toHaveCSS('display', 'flex');
  });
});
