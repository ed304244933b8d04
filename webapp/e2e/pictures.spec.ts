import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { appUrl } from './addresses';
import type { Phone } from './phone';
import { expect, test } from './test';

/** Pictures for people to look at (`make pictures`); they prove nothing by themselves. */
const folder = fileURLToPath(new URL('../../pictures/', import.meta.url));
const sizes = [
  { width: 390, height: 844 },
  { width: 320, height: 640 },
];

test.describe('@pictures', () => {
  test.use({ deviceScaleFactor: 2 });

  test.beforeAll(async () => {
    await rm(folder, { recursive: true, force: true });
    await mkdir(folder);
  });

  for (const language_code of ['en', 'ru'] as const) {
    for (const size of sizes) {
      const suffix = `${size.width}${language_code === 'ru' ? '-ru' : ''}`;

      test.describe(suffix, () => {
        test.use({ viewport: size, locale: language_code });

        test(`from the chat to the bag, ${suffix}`, async ({ sandbox, phoneOf, page }) => {
          const name = language_code === 'ru' ? 'Ольга' : 'Marina';
          const phone = phoneOf(
            await sandbox.newPlayer({ language_code, first_name: name, has_photo: true }),
          );
          const { words } = phone;
          const take = async (screen: string) => {
            await still(phone);
            await page.screenshot({ path: `${folder}${screen}-${suffix}.png` });
          };
          await phone.open();
          await expect(phone.start).toBeVisible();
          await take('chat-empty');
          await phone.start.tap();
          const play = phone.messages.last().getByRole('button').first();
          await expect(play).toBeVisible();
          await expect(phone.messages.last().getByRole('img', { name: 'Photo' })).toBeVisible();
          await take('chat');

          let letIn = () => {};
          const asked = new Promise<void>((resolve) => {
            letIn = resolve;
          });
          await page.route('**/api/settings', async (route) => {
            await asked;
            await route.continue();
          });
          await play.tap();
          await expect(phone.loading).toBeVisible();
          await take('loading');
          letIn();
          await phone.playable();
          const gate = phone.app.getByRole('dialog', { name: words.age.title });
          await expect(gate).toBeVisible();
          await take('age-gate-off');
          await gate.getByRole('checkbox').check();
          await take('age-gate');
          await gate.getByRole('link').tap();
          await expect(phone.app.getByRole('heading', { name: words.privacy.title })).toBeVisible();
          await take('privacy');
          await phone.app.getByRole('button', { name: words.privacy.accept }).tap();
          await expect(phone.total).toBeVisible();
          await take('home');
          for (const [drawer, opener, sign] of [
            ['profile', words.home.profile, words.profile.notifications],
            ['tasks', words.home.tasks, words.soon.text],
          ] as const) {
            await phone.app.getByRole('button', { name: opener }).tap();
            await expect(phone.app.getByRole('dialog').getByText(sign)).toBeVisible();
            await take(drawer);
            await page.keyboard.press('Escape');
            await expect(phone.app.getByRole('dialog')).toHaveCount(0);
          }
          await phone.openTap();
          await take('tap');
          await phone.tap(3);
          await page.screenshot({ path: `${folder}tap-tapped-${suffix}.png` });
          await phone.app.getByRole('button', { name: words.tap.progress }).tap();
          await expect(phone.app.getByRole('dialog').getByText(words.tap.level_now)).toBeVisible();
          await take('tap-levels');
          await page.keyboard.press('Escape');
          await expect(phone.app.getByRole('dialog')).toHaveCount(0);
          await phone.dock.getByRole('link', { name: words.nav.home }).tap();
          await expect(phone.saving).toBeVisible();
          await take('saving');
          await expect(phone.saving).toHaveCount(0);
          await phone.go('/roulette');
          await expect(phone.app.getByText(words.screens.roulette)).toBeVisible();
          await take('soon');
          await phone.go('/maintenance');
          await expect(phone.app.getByText(words.shell.maintenance)).toBeVisible();
          await take('maintenance');
        });

        test(`outside of Telegram, ${suffix}`, async ({ page }) => {
          await page.goto(appUrl);
          await expect(page.getByRole('link')).toBeVisible();
          await page.screenshot({ path: `${folder}outside-${suffix}.png`, animations: 'disabled' });
        });

        test(`Telegram for desktop, ${suffix}`, async ({ sandbox, phoneOf, page }) => {
          const phone = phoneOf(await sandbox.regular({ language_code }));
          await phone.pretendPlatform('tdesktop');
          await phone.open('startapp=');
          await expect(phone.app.getByRole('img', { name: phone.words.desktop.qr })).toBeVisible();
          await still(phone);
          await page.screenshot({ path: `${folder}desktop-${suffix}.png` });
        });
      });
    }

    test.describe(`a computer, ${language_code}`, () => {
      test.use({ viewport: { width: 1280, height: 800 }, hasTouch: false, locale: language_code });

      test(`the notice, ${language_code}`, async ({ page }) => {
        await page.goto(appUrl);
        await expect(page.getByRole('img', { name: /QR/ })).toBeVisible();
        await page.screenshot({ path: `${folder}desktop-1280${language_code === 'ru' ? '-ru' : ''}.png` });
      });
    });
  }

  test('the contact sheet', async ({ browser }) => {
    const names = (await readdir(folder)).filter((name) => name.endsWith('.png')).sort();
    const cells = names.map(
      (name) =>
        `<figure><a href="${name}"><img src="${name}" alt=""></a><figcaption>${name}</figcaption></figure>`,
    );
    const style =
      'body{margin:16px;background:#000;color:#ccc;font:12px sans-serif}' +
      'main{display:flex;flex-wrap:wrap;gap:12px}figure{margin:0}img{height:420px;display:block}';
    await writeFile(
      `${folder}index.html`,
      `<!doctype html><meta charset="utf-8"><title>MCBK</title><style>${style}</style><main>${cells.join('\n')}</main>\n`,
    );
    const page = await browser.newPage({ viewport: { width: 2000, height: 1000 }, deviceScaleFactor: 1 });
    await page.goto(pathToFileURL(`${folder}index.html`).href, { waitUntil: 'load' });
    await page.screenshot({ path: `${folder}contact.png`, fullPage: true });
    await page.close();
  });
});

/** Pictures and fonts are in, and nothing that ends is still moving. */
async function still(phone: Phone): Promise<void> {
  const frames = phone.page.frames();
  await Promise.all(
    frames.map((frame) =>
      frame.evaluate(async () => {
        await document.fonts.ready;
        await Promise.all([...document.images].map((image) => image.decode().catch(() => undefined)));
        await Promise.allSettled(
          document
            .getAnimations()
            .filter((animation) => animation.effect?.getTiming().iterations !== Number.POSITIVE_INFINITY)
            .map((animation) => animation.finished),
        );
      }),
    ),
  );
}
