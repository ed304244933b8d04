import type { Locator } from '@playwright/test';
import { fifthDay, prizes, speedUpTimers, wheelBrings, wheelStands } from './stage';
import { expect, test } from './test';

/** A small phone on its side, less what Telegram's header takes. */
test.use({ viewport: { width: 640, height: 320 } });

/** All its buttons are whole on the screen before anybody scrolls. */
async function inSight(modal: Locator): Promise<void> {
  await expect(modal).toBeVisible();
  const buttons = modal.getByRole('button');
  expect(await buttons.count()).toBeGreaterThan(0);
  for (const button of await buttons.all()) await expect(button).toBeInViewport({ ratio: 1 });
}

for (const language_code of ['en', 'ru'] as const) {
  test.describe(`sideways, in ${language_code}`, () => {
    test('the age gate shows its button', async ({ sandbox, phoneOf }) => {
      const phone = phoneOf(await sandbox.newPlayer({ language_code }));
      await phone.openGame();
      const gate = phone.app.getByRole('dialog', { name: phone.words.age.title });
      await inSight(gate);
      await gate.getByRole('checkbox').scrollIntoViewIfNeeded();
      await gate.getByRole('checkbox').tap();
      await gate.getByRole('button', { name: phone.words.age.accept }).tap();
      await expect(gate).toHaveCount(0);
    });

    test('a win shows its buttons', async ({ sandbox, phoneOf, page }) => {
      const phone = phoneOf(await sandbox.regular({ language_code }));
      const player = await sandbox.game(phone.player);
      await page.emulateMedia({ reducedMotion: 'reduce' });
      await wheelStands(page);
      await phone.visit('/roulette');
      const dialog = phone.app.getByRole('dialog');
      for (const prize of Object.values(prizes)) {
        await wheelBrings(page, player, prize);
        const free = phone.app.getByRole('button', { name: new RegExp(`^${phone.words.wheel.free}`) });
        await free.scrollIntoViewIfNeeded();
        await free.tap();
        await inSight(dialog);
        await phone.closeDialog();
        await page.unroute('**/api/roulette/spin');
      }
    });

    test.describe('on the fifth day', () => {
      test.use({ checkIn: 'due' });

      test('the daily reward shows its buttons', async ({ sandbox, phoneOf, page }) => {
        const phone = phoneOf(await sandbox.regular({ language_code }));
        await fifthDay(page);
        await phone.openGame();
        await speedUpTimers(await phone.frame());
        await inSight(phone.modal(phone.words.daily.title));
      });
    });
  });
}
