import { appUrl } from './addresses';
import { inspect, inspectAtAllSizes, longName, sizes } from './inspect';
import { screens } from './screens';
import { expect, test } from './test';

const computer = { width: 1280, height: 800 };

for (const language_code of ['en', 'ru'] as const) {
  test.describe(`in ${language_code}`, () => {
    test('every screen and drawer fits a phone, its reader and a finger', async ({ sandbox, phoneOf }) => {
      test.slow(); // sixteen places, each on every phone
      const phone = phoneOf(await sandbox.regular({ language_code, first_name: longName }));
      const { words } = phone;
      await phone.openGame();
      for (const [path, sign] of screens) {
        await phone.go(path);
        await expect(phone.app.locator('main, main ~ *').getByText(sign(words)).first()).toBeVisible();
        await inspectAtAllSizes(phone, path);
      }
      for (const [path, opener, title, sign] of [
        ['/', words.home.profile, words.screens.profile, words.profile.notifications],
        ['/', words.home.tasks, words.home.tasks, '0/10'],
        ['/tap', words.tap.progress, words.tap.progress, words.tap.level_now],
      ] as const) {
        await phone.go(path);
        await phone.app.getByRole('button', { name: opener }).tap();
        const drawer = phone.app.getByRole('dialog', { name: title });
        await expect(drawer.getByText(sign)).toBeVisible();
        await inspectAtAllSizes(phone, title);
        await phone.closeDialog();
      }
    });

    test('on the shortest phone the hint under the bag covers nothing', async ({ sandbox, phoneOf }) => {
      const phone = phoneOf(await sandbox.regular({ language_code }));
      await phone.page.setViewportSize({ width: 320, height: 568 });
      await phone.openGame();
      await phone.openTap();
      const hint = await phone.app.getByText(phone.words.tap.hint).boundingBox();
      const energy = await phone.app.getByText(phone.words.tap.energy, { exact: true }).boundingBox();
      expect((hint?.y ?? Number.NaN) + (hint?.height ?? 0)).toBeLessThan(energy?.y ?? Number.NaN);
    });

    test('the way in fits too', async ({ sandbox, phoneOf, page }) => {
      const phone = phoneOf(await sandbox.newPlayer({ language_code }));
      // The greeting stays while the season is not known.
      let letIn = () => {};
      const asked = new Promise<void>((resolve) => {
        letIn = resolve;
      });
      await page.route('**/api/settings', async (route) => {
        await asked;
        await route.continue();
      });
      await phone.open('startapp=');
      await expect(phone.loading).toBeVisible();
      await inspectAtAllSizes(phone, 'loading');
      letIn();
      await phone.playable();
      await expect(phone.app.getByRole('dialog', { name: phone.words.age.title })).toBeVisible();
      await inspectAtAllSizes(phone, 'age gate');
    });

    test.describe('outside of Telegram', () => {
      test.use({ locale: language_code });

      test('the notices fit too', async ({ page, browser }) => {
        await page.goto(appUrl);
        await expect(page.locator('main')).toBeVisible();
        for (const size of sizes) {
          await page.setViewportSize(size);
          await inspect(page.mainFrame(), `outside at ${size.width}`);
        }
        const desktop = await browser.newPage({ viewport: computer, hasTouch: false });
        await desktop.goto(appUrl);
        await expect(desktop.getByRole('img', { name: /QR/ })).toBeVisible();
        await inspect(desktop.mainFrame(), 'desktop');
        await desktop.close();
      });
    });
  });
}
