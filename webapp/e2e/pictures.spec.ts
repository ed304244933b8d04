import { readdir, writeFile } from 'node:fs/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Page } from '@playwright/test';
import { en } from '../src/i18n/en';
import { ru } from '../src/i18n/ru';
import { anOrder, aPrice, FakeMarket } from '../src/testing/FakeMarket';
import { aRetiredSeed, someSeeds } from '../src/testing/seeds';
import { appUrl, galleryUrl } from './addresses';
import { adminsPhone, confirmed } from './admin';
import { settled, sizes } from './inspect';
import { connect, leads, manage, payment, press } from './purse';
import {
  busyDay,
  fairnessTold,
  giveEnergyBack,
  giveTasksBack,
  highestLevel,
  loyal,
  onDay,
  refuse,
  refuseEnergy,
  refuseTasks,
  seasoned,
  sells,
  speedUpTimers,
} from './stage';
import { walkThrough } from './states';
import { expect, refusals, test } from './test';

/** Pictures for people to look at (`make pictures`); they prove nothing by themselves. */
const folder = fileURLToPath(new URL('../../pictures/', import.meta.url));

test.describe('@pictures', () => {
  // The states of a closed game are refusals, which Chromium writes down, and so is an ad not confirmed.
  test.use({ deviceScaleFactor: 2, forgiven: new RegExp(`${refusals.source}|status of 409`) });

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
          const take = camera(page, suffix);
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
            ['tasks', words.home.tasks, '0/10'],
          ] as const) {
            await phone.app.getByRole('button', { name: opener }).tap();
            await expect(phone.app.getByRole('dialog').getByText(sign)).toBeVisible();
            await take(drawer);
            await phone.closeDialog();
          }
          await phone.openTap();
          await take('tap');
          await phone.tap(3);
          await page.screenshot({ path: `${folder}tap-tapped-${suffix}.png` });
          await phone.app.getByRole('button', { name: words.tap.progress }).tap();
          await expect(phone.app.getByRole('dialog').getByText(words.tap.level_now)).toBeVisible();
          await take('tap-levels');
          await phone.closeDialog();
          await phone.dock.getByRole('link', { name: words.nav.home }).tap();
          await expect(phone.saving).toBeVisible();
          await take('saving');
          await expect(phone.saving).toHaveCount(0);
          await phone.go('/maintenance');
          await expect(phone.app.getByText(words.shell.maintenance)).toBeVisible();
          await take('maintenance');
        });

        test(`the wallet's widget, ${suffix}`, async ({ sandbox, phoneOf, page, context }) => {
          const phone = phoneOf(await sandbox.regular({ language_code }));
          const { home, profile, wallet } = phone.words;
          const take = camera(page, suffix);
          await phone.openGame();
          for (const state of ['none', 'connected'] as const) {
            await phone.app.getByRole('button', { name: home.profile }).tap();
            const sheet = phone.app.getByRole('dialog');
            await expect(sheet.locator('[data-tc-button]')).toBeVisible();
            await expect(sheet.getByText(profile.notifications)).toBeVisible();
            await take(`widget-profile-${state}`);
            await page.keyboard.press('Escape');
            await phone.go('/wallet');
            await expect(phone.app.getByText(wallet.information)).toBeVisible();
            await expect(phone.app.locator('[data-tc-button]')).toBeVisible();
            await take(`widget-${state}`);
            if (state === 'connected') break;
            const app = await leads(context, () => connect(phone).tap());
            await page.bringToFront();
            await expect(phone.app.locator('[data-tc-wallets-modal-connection-mobile]')).toBeVisible();
            await take('widget-window');
            await sandbox.walletDoes(phone.player, 'connect', { link: app.url() });
            await app.close();
            await expect(manage(phone)).toBeVisible();
            await phone.go('/');
          }
          await phone.app.locator('[data-tc-dropdown-button]').tap();
          await expect(phone.app.locator('[data-tc-dropdown]')).toBeVisible();
          await take('widget-dropdown');
          await phone.go('/market');
          const request = await leads(context, () => press(phone, '1'));
          await request.close();
          await page.bringToFront();
          await expect(payment(phone).locator('[data-tc-confirm-modal]')).toBeVisible();
          await take('widget-confirm');
          await sandbox.walletDoes(phone.player, 'decline');
          await expect(payment(phone).locator('[data-tc-transaction-canceled-modal]')).toBeVisible();
          await take('widget-canceled');
          await phone.corner.tap();
          await expect(payment(phone)).toHaveCount(0);
          await take('widget-order');
          const confirm = wallet.confirm.replace('{{wallet}}', 'Sandbox wallet');
          const again = await leads(context, () => phone.app.getByRole('button', { name: confirm }).tap());
          await again.close();
          await page.bringToFront();
          await expect(payment(phone)).toBeVisible();
          await sandbox.walletDoes(phone.player, 'approve');
          await expect(payment(phone).locator('[data-tc-transaction-sent-modal]')).toBeVisible();
          await take('widget-sent');
        });

        test(`a player of many weeks, ${suffix}`, async ({ sandbox, phoneOf, page }) => {
          const name = language_code === 'ru' ? 'Ольга' : 'Marina';
          const phone = phoneOf(await sandbox.regular({ language_code, first_name: name }));
          const { words } = phone;
          const take = camera(page, suffix);
          await seasoned(page);
          await onDay(page, 42);
          await busyDay(page, language_code);
          await phone.openGame();
          await take('home-seasoned');
          await phone.app.locator('main').evaluate((main) => main.scrollTo(0, main.scrollHeight));
          await take('home-seasoned-end');
          await phone.app.getByRole('button', { name: words.home.tasks }).tap();
          const panel = phone.app.getByRole('dialog');
          await expect(panel.getByText(words.tasks.special)).toBeVisible();
          await take('tasks-seasoned');
          await panel.getByRole('listitem').last().scrollIntoViewIfNeeded();
          await take('tasks-seasoned-end');
          await phone.closeDialog();
          await phone.app.getByRole('button', { name: words.home.profile }).tap();
          const profile = phone.app.getByRole('dialog');
          await expect(profile.getByText(words.profile.notifications)).toBeAttached();
          await take('profile-seasoned');
          await phone.closeDialog();

          await giveTasksBack(page);
          await refuseTasks(page);
          await phone.openGame();
          await phone.app.getByRole('button', { name: words.home.tasks }).tap();
          await expect(phone.app.getByRole('dialog').getByText(words.errors.tasks_load)).toBeVisible();
          await take('tasks-failed');
          await giveTasksBack(page);

          await refuseEnergy(page);
          await phone.visit('/tap');
          await expect(phone.app.getByText(words.errors.energy)).toBeVisible();
          await take('tap-failed');
          await giveEnergyBack(page);
          await highestLevel(page, 0);
          await phone.app.getByRole('button', { name: words.common.retry }).tap();
          await expect(phone.app.getByText(words.tap.depleted)).toBeVisible();
          await take('tap-empty');
          await phone.bag.tap();
          await expect(phone.app.getByRole('button', { name: words.errors.no_energy })).toBeVisible();
          await take('tap-empty-toast');
          await phone.app.getByRole('button', { name: words.tap.progress }).tap();
          await expect(phone.app.getByRole('dialog').getByText(words.tap.level_now)).toBeVisible();
          await take('tap-levels-highest');
        });

        walkThrough(
          (topic) => `${topic}, ${suffix}`,
          { language: language_code, me: language_code === 'ru' ? 'Ольга' : 'Marina', first: undefined },
          ({ page }) => ({
            look: camera(page, suffix),
            glance: async (state, sign) => {
              await expect(sign).toBeVisible();
              await page.screenshot({ path: `${folder}${state}-${suffix}.png` });
            },
          }),
        );

        test.describe('an ad', () => {
          test.use({ checkIn: 'due' });

          test(`the ad of the sandbox, ${suffix}`, async ({ sandbox, phoneOf, page }) => {
            const phone = phoneOf(await sandbox.regular({ language_code }));
            const { daily, ads } = phone.words;
            await phone.openGame();
            await phone.modal(daily.title).getByRole('button', { name: ads.double }).tap();
            await expect(phone.ad).toBeVisible();
            await camera(page, suffix)('ad');
          });
        });

        test(`the proof of the wheel, and the loyalty bonus, ${suffix}`, async ({
          sandbox,
          phoneOf,
          page,
        }) => {
          const phone = phoneOf(await sandbox.regular({ language_code }));
          const { fairness, loyalty } = phone.words;
          const take = camera(page, suffix);
          const honest = aRetiredSeed();
          const told = { ...honest, server_seed_hash: 'ee'.repeat(32), spins: honest.spins.slice(0, 3) };
          await fairnessTold(page, someSeeds({ retired: [honest, told] }));
          const circle = await loyal(page);
          circle.earned = true;
          await phone.openGame();
          await expect(phone.modal(loyalty.title)).toBeVisible();
          await take('loyalty');
          await phone.closeDialog();
          await take('home-bonus');
          await phone.go('/roulette/fairness');
          await expect(phone.app.getByText(fairness.wheel)).toBeVisible();
          await take('fairness');
          for (const [name, title] of [
            ['fairness-seeds', fairness.seeds],
            ['fairness-change', fairness.change],
            ['fairness-past', fairness.past],
          ] as const) {
            const heading = phone.app.getByRole('heading', { name: title, exact: true });
            await heading.evaluate((words) => words.scrollIntoView({ block: 'start' }));
            await take(name);
          }
          const checks = phone.app.getByRole('button', { name: fairness.check });
          await checks.last().tap();
          await expect(phone.app.getByText(fairness.wrong_hash)).toBeVisible();
          await phone.app
            .getByText(fairness.wrong_hash)
            .evaluate((words) => words.scrollIntoView({ block: 'center' }));
          await take('fairness-wrong');
          await checks.first().tap();
          await expect(phone.app.getByText(fairness.fair, { exact: true })).toBeVisible();
          await phone.app
            .getByRole('list', { name: fairness.spins })
            .first()
            .evaluate((list) => list.scrollIntoView({ block: 'center' }));
          await take('fairness-checked');
        });

        test(`the market, ${suffix}`, async ({ sandbox, phoneOf, page }) => {
          test.setTimeout(150_000);
          const phone = phoneOf(await sandbox.regular({ language_code }));
          const { market: words, order, errors, toast } = phone.words;
          const take = camera(page, suffix);
          const market = new FakeMarket();
          await sells(page, market);
          await phone.visit('/market');
          const field = phone.app.getByRole('textbox');
          const buy = phone.app.getByRole('button', {
            name: words.buy.replace('{{wallet}}', 'Sandbox wallet'),
          });
          await field.fill('5');
          await phone.app.getByRole('checkbox').check();
          await expect(buy).toBeEnabled();
          await take('market');
          await field.fill('0.0');
          await expect(phone.app.getByRole('alert')).toHaveText(words.least);
          await take('market-error');
          await field.fill('5');
          let answer = () => {};
          const asked = new Promise<void>((resolve) => {
            answer = resolve;
          });
          await page.route('**/api/token/purchase', async (route) => {
            await asked;
            await route.fallback();
          });
          await buy.tap();
          await expect(phone.app.getByText(toast.creating_link)).toBeVisible();
          await page.screenshot({ path: `${folder}market-toast-${suffix}.png` });
          answer();
          const sheet = phone.modal(order.pending);
          await expect(sheet).toBeVisible();
          await take('market-order-redirecting');
          await expect(phone.app.getByText(/Sandbox wallet$/).first()).toBeVisible();
          await speedUpTimers(await phone.frame());
          await page.screenshot({ path: `${folder}market-order-${suffix}.png` });
          await sheet.getByRole('button', { name: order.other }).tap();
          await sheet.getByRole('img', { name: order.qr }).scrollIntoViewIfNeeded();
          await take('market-order-other');
          for (const [state, change] of [
            ['expired', { status: 'expired' }],
            ['held', { status: 'held', held_ton: 0.05 }],
            ['paid', { status: 'paid', paid_ton: 5, paid_mcbk: 2500 }],
            ['paid-otherwise', { status: 'paid', paid_ton: 1002.5, paid_mcbk: 501_250, held_ton: 2.5 }],
          ] as const) {
            market.becomes(1, change);
            await expect(phone.modal(order[change.status])).toBeVisible();
            if (state === 'paid-otherwise') await expect(phone.app.getByText(/501[,\s]250/)).toBeVisible();
            await take(`market-order-${state}`);
          }
          await phone.closeDialog();
          market.orders = [anOrder({ status: 'held', held_ton: 0.05 })];
          await phone.go('/');
          await phone.go('/market');
          await expect(phone.app.getByText(order.held)).toBeVisible();
          await take('market-held');
          market.orders = [anOrder()];
          await phone.go('/');
          await phone.go('/market');
          await expect(phone.app.getByText(words.waiting)).toBeVisible();
          await take('market-waiting');
          market.becomes(1, { status: 'cancelled' });
          market.open = false;
          market.ton = aPrice({ stale: true });
          await refuse(page, '**/api/token/price-info', 503, 'price_unavailable');
          await page.bringToFront(); // the wallet's page lies over it, and what nobody sees is not painted
          await phone.visit('/market');
          await expect(phone.app.getByText(words.closed)).toBeVisible();
          await expect(phone.app.getByText(errors.price_unavailable)).toBeVisible();
          await take('market-closed');
        });

        test(`what later screens are made of, ${suffix}`, async ({ page }) => {
          const take = camera(page, suffix);
          for (const show of ['list', 'list-failed', 'list-empty', 'list-sheet', 'ad-playing']) {
            await page.goto(`${galleryUrl}?show=${show}&lang=${language_code}`);
            await expect(page.locator('#root > *').first()).toBeVisible();
            await expect(page.getByText({ en, ru }[language_code].common.wait)).toHaveCount(0);
            if (show === 'list-sheet') await expect(page.getByRole('dialog')).toBeVisible();
            await take(`kit-${show}`);
          }
        });

        test(`outside of Telegram, ${suffix}`, async ({ page }) => {
          await page.goto(appUrl);
          await expect(page.getByRole('link')).toBeVisible();
          await camera(page, suffix)('outside');
        });

        test(`Telegram for desktop, ${suffix}`, async ({ sandbox, phoneOf, page }) => {
          const phone = phoneOf(await sandbox.regular({ language_code }));
          await phone.pretendPlatform('tdesktop');
          await phone.open('startapp=');
          await expect(phone.app.getByRole('img', { name: phone.words.desktop.qr })).toBeVisible();
          await camera(page, suffix)('desktop');
        });
      });
    }

    test.describe(`a computer, ${language_code}`, () => {
      test.use({ viewport: { width: 1280, height: 800 }, hasTouch: false, locale: language_code });

      test(`the notice, ${language_code}`, async ({ page }) => {
        await page.goto(appUrl);
        await expect(page.getByRole('img', { name: /QR/ })).toBeVisible();
        await camera(page, `1280${language_code === 'ru' ? '-ru' : ''}`)('desktop');
      });
    });
  }

  for (const size of sizes) {
    test.describe(`an admin, ${size.width}`, () => {
      test.use({ viewport: size });

      test(`what an admin sees, ${size.width}`, async ({ sandbox, phoneOf, context }) => {
        const phone = phoneOf(await sandbox.regular({ first_name: 'Mallory' }));
        await phone.openGame();
        await phone.openTap();
        await phone.tap(30);
        await phone.dock.getByRole('link', { name: phone.words.nav.home }).tap();
        await expect.poll(() => phone.hasUnsent()).toBe(false);
        const admin = await adminsPhone(sandbox, context);
        const take = camera(admin.page, `${size.width}`);
        for (const [name, command, sign] of [
          ['help', '/help', '/audit'],
          ['stats', '/stats', 'Active today:'],
          ['player', `/player ${phone.player.id}`, 'Mallory'],
          ['settings', '/settings', 'mines = on'],
          ['settings-ask', '/settings wheel off', 'Set wheel to off?'],
          ['settings-wrong', '/settings wheel maybe', 'wheel is on or off'],
          ['ban', `/ban ${phone.player.id} taps day and night`, '“Mallory”?'],
          ['unban', `/unban ${phone.player.id}`, 'is not banned'],
          ['maintenance', '/maintenance on', 'Close the game'],
          ['broadcast', '/broadcast The wheel turns twice as fast today.', 'Send the message above'],
          ['task', '/task', '/task retire ID'],
          [
            'task-add',
            '/task add telegram_subscription @mcbk_news News | Новости',
            'Offer this to all players',
          ],
          ['match', '/match 12 MC-abc', 'neither'],
          ['payouts', '/payouts', 'Nothing is owed'],
          ['tournament', '/tournament new tomorrow', 'is not a day'],
        ] as const) {
          await admin.write(command);
          await expect(admin.messages.last()).toContainText(sign);
          await take(`admin-${name}`);
        }
        await confirmed(admin, '/settings wheel off', 'wheel is off');
        await confirmed(admin, '/settings wheel on', 'wheel is on');
        await expect(admin.page.getByText('Done.', { exact: true })).toHaveCount(0);
        await admin.write('/audit');
        await expect(admin.messages.last()).toContainText('settings wheel on, executed');
        await take('admin-audit');
      });
    });
  }

  test('the components, one below the other', async ({ page }) => {
    await page.setViewportSize({ width: 390, height: 4200 });
    await page.goto(galleryUrl);
    await camera(page, '390')('kit-components');
  });

  test('the contact sheet', async ({ browser }) => {
    const rows = new Map<string, string[]>();
    for (const name of (await readdir(folder)).filter((file) => file.endsWith('.png')).sort()) {
      const screen = name.replace(/-(390|320|1280)(-ru)?\.png$/, '');
      rows.set(screen, [...(rows.get(screen) ?? []), name]);
    }
    const figure = (name: string) =>
      `<figure><a href="${name}"><img src="${name}" alt=""></a><figcaption>${name}</figcaption></figure>`;
    const sections = [...rows].map(([, names]) => `<section>${names.map(figure).join('')}</section>`);
    const style =
      'body{margin:16px;background:#000;color:#ccc;font:12px sans-serif;display:flex;flex-wrap:wrap;gap:24px 40px}' +
      'section{display:flex;gap:8px}figure{margin:0}img{height:420px;display:block}';
    await writeFile(
      `${folder}index.html`,
      `<!doctype html><meta charset="utf-8"><title>MCBK</title><style>${style}</style>${sections.join('\n')}\n`,
    );
    const page = await browser.newPage({ viewport: { width: 2000, height: 1000 }, deviceScaleFactor: 1 });
    await page.goto(pathToFileURL(`${folder}index.html`).href, { waitUntil: 'load' });
    await page.screenshot({ path: `${folder}contact.png`, fullPage: true });
    await page.close();
  });

  test("README's picture", async ({ browser }) => {
    const screens = ['home-seasoned', 'tap-tapped', 'roulette', 'mines', 'leaderboard'];
    const style =
      'body{margin:0;padding:24px;background:#07060f;display:flex;gap:16px;width:max-content}' +
      'img{height:520px;border-radius:20px;outline:1px solid #ffffff24}';
    await writeFile(
      `${folder}readme.html`,
      `<!doctype html><style>${style}</style>${screens.map((name) => `<img src="${name}-390.png">`).join('')}`,
    );
    const page = await browser.newPage({ viewport: { width: 1400, height: 568 }, deviceScaleFactor: 1.5 });
    await page.goto(pathToFileURL(`${folder}readme.html`).href, { waitUntil: 'load' });
    await page.evaluate(() => Promise.all([...document.images].map((image) => image.decode())));
    const path = fileURLToPath(new URL('../../docs/screens.jpg', import.meta.url));
    await page.locator('body').screenshot({ path, type: 'jpeg', quality: 88 });
    await page.close();
  });
});

/** Takes pictures of a page once their images are in and nothing that ends is still moving. */
function camera(page: Page, suffix: string): (screen: string) => Promise<void> {
  return async (screen) => {
    for (const frame of page.frames()) {
      await frame.evaluate(() =>
        Promise.all([...document.images].map((image) => image.decode().catch(() => undefined))),
      );
      await settled(frame);
    }
    await page.screenshot({ path: `${folder}${screen}-${suffix}.png` });
  };
}
