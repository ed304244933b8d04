import { appUrl } from './addresses';
import { expect, test } from './test';

test.describe('the door is closed', () => {
  test.describe('to launch data older than a day', () => {
    test.use({ forgiven: /401 \(Unauthorized\)/ });

    test('which asks to reopen the game', async ({ phone }) => {
      await phone.open();
      await phone.launch({ auth_date_offset: '-25h' });
      await expect(phone.app.getByText('Please reopen the game')).toBeVisible();
      await expect(phone.dock).toHaveCount(0);

      await phone.app.getByRole('button', { name: 'Close the game' }).tap();
      await expect(phone.page.locator('iframe')).toHaveCount(0);

      await phone.openGame();
      await expect(phone.total).toHaveText('0.00');
    });
  });

  test('outside of Telegram, which leads there', async ({ page }) => {
    await page.goto(`${appUrl}/?start=friend`);
    await expect(page.getByText('Open the game in Telegram')).toBeVisible();
    const link = page.getByRole('link', { name: 'Open Telegram' });
    await expect(link).toHaveAttribute('href', /^https:\/\/t\.me\/\w+\?start=friend$/);
  });

  test.describe('to computers', () => {
    test.use({ viewport: { width: 1280, height: 800 }, hasTouch: false });

    test('in a wide window', async ({ page }) => {
      await page.goto(appUrl);
      await expect(page.getByRole('heading', { name: 'The treasure is in your pocket' })).toBeVisible();
      const code = page.getByRole('img', { name: 'QR code that opens MCBK in Telegram' });
      await expect(code).toBeVisible();
      expect((await code.boundingBox())?.width).toBeGreaterThan(150);
    });

    test('in Telegram for desktop, narrow as its window is', async ({ phone, page }) => {
      await phone.pretendPlatform('tdesktop');
      await page.setViewportSize({ width: 390, height: 844 });
      await phone.open('startapp=');
      await expect(phone.app.getByRole('heading', { name: 'The treasure is in your pocket' })).toBeVisible();
      await expect(phone.app.getByRole('img', { name: /QR code/ })).toBeVisible();
    });
  });
});

test('the maintenance screen leads back into a game that is open', async ({ phone }) => {
  await phone.visit('/maintenance');
  await expect(phone.app.getByText('Technical works')).toBeVisible();
  await phone.app.getByRole('link', { name: 'Exit' }).tap();
  await expect(phone.total).toBeVisible();
  await phone.go('/maintenance');
  await phone.app.getByRole('button', { name: 'Restart' }).tap();
  await phone.playable();
  await expect(phone.total).toBeVisible();
});
