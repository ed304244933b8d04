import type { Frame } from '@playwright/test';
import axe from 'axe-core';
import { appUrl } from './addresses';
import type { Phone, Words } from './phone';
import { expect, test } from './test';

const sizes = [
  { width: 390, height: 844 },
  { width: 320, height: 640 },
];

const longName = 'Maximiliana';

const computer = { width: 1280, height: 800 };

/** Every screen of the route table, and something of it that the player reads there. */
const screens = [
  ['/', (words: Words) => words.home.total],
  ['/tap', (words: Words) => words.tap.progress],
  ['/privacy?source=modal', (words: Words) => words.privacy.title],
  ['/roulette', (words: Words) => words.screens.roulette],
  ['/market', (words: Words) => words.nav.market],
  ['/referral', (words: Words) => words.nav.referral],
  ['/wallet', (words: Words) => words.nav.wallet],
  ['/leaderboard', (words: Words) => words.screens.leaderboard],
  ['/mines', (words: Words) => words.screens.mines],
  ['/mines-leaderboard', (words: Words) => words.screens.mines_leaderboard],
  ['/mines-rules', (words: Words) => words.screens.mines_rules],
  ['/maintenance', (words: Words) => words.shell.maintenance],
] as const;

/** What an element is called in a complaint. */
type Complaint = string;

/** Whatever scrolls sideways, or would if it were not cut off. */
function sideways(): Complaint[] {
  const whole = 'html, body, main, [role="dialog"]';
  return [...document.querySelectorAll('*')]
    .filter((element) => element.matches(whole) || /auto|scroll/.test(getComputedStyle(element).overflowX))
    .filter((element) => element.scrollWidth > element.clientWidth)
    .map(
      (element) => `${element.tagName}.${element.className} ${element.scrollWidth} > ${element.clientWidth}`,
    );
}

/** Words that end in an ellipsis for want of room. A name may be longer than any screen; nothing else may. */
function cutOff(name: string): Complaint[] {
  return [...document.querySelectorAll<HTMLElement>('*')]
    .filter((element) => getComputedStyle(element).textOverflow === 'ellipsis')
    .filter((element) => element.scrollWidth > element.clientWidth && element.textContent !== name)
    .map((element) => `"${element.textContent}" ${element.scrollWidth} > ${element.clientWidth}`);
}

/** Controls a finger cannot hit within 44 x 44 px, whether by their own size or by what they add around it. */
function tooSmall(): Complaint[] {
  const half = 21.5;
  return [...document.querySelectorAll<HTMLElement>('a[href], button:not(:disabled), input, [role="tab"]')]
    .filter((control) => {
      control.scrollIntoView({ block: 'center' });
      const box = control.getBoundingClientRect();
      if (box.width === 0) return false;
      const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
      const target = control.closest('label') ?? control;
      const hit = (dx: number, dy: number) => target.contains(document.elementFromPoint(x + dx, y + dy));
      const wide = box.width >= 44 || (hit(-half, 0) && hit(half, 0));
      const high = box.height >= 44 || (hit(0, -half) && hit(0, half));
      return !(wide && high);
    })
    .map((control) => {
      const { width, height } = control.getBoundingClientRect();
      return `${control.tagName} "${control.textContent || control.ariaLabel}" ${width} x ${height}`;
    });
}

/** The page's policy lets no script in, but what the test evaluates comes from outside of it. */
async function unreadable(frame: Frame): Promise<Complaint[]> {
  if (!(await frame.evaluate(() => 'axe' in window))) await frame.evaluate(axe.source);
  return frame.evaluate(async () => {
    const { violations } = await (window as unknown as { axe: typeof axe }).axe.run(document, {
      resultTypes: ['violations'],
    });
    return violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .flatMap(({ id, nodes }) => nodes.map(({ html, any }) => `${id}: ${html} ${any[0]?.message ?? ''}`));
  });
}

/** Fonts are in and nothing moves any more, so that what is measured is what stays. */
async function settled(frame: Frame): Promise<void> {
  await frame.evaluate(async () => {
    await document.fonts.ready;
    await Promise.allSettled(
      document
        .getAnimations()
        .filter((animation) => animation.effect?.getTiming().iterations !== Number.POSITIVE_INFINITY)
        .map((animation) => animation.finished),
    );
  });
}

async function inspect(frame: Frame, name: string): Promise<void> {
  await settled(frame);
  expect.soft(await frame.evaluate(sideways), `${name}: sideways scroll`).toEqual([]);
  expect.soft(await frame.evaluate(cutOff, longName), `${name}: words cut off`).toEqual([]);
  expect.soft(await unreadable(frame), `${name}: accessibility`).toEqual([]);
}

async function inspectAtAllSizes(phone: Phone, name: string, fingers = false): Promise<void> {
  const frame = await phone.frame();
  for (const size of sizes) {
    await phone.page.setViewportSize(size);
    const where = `${name} at ${size.width} x ${size.height}`;
    await inspect(frame, where);
    if (fingers) expect.soft(await frame.evaluate(tooSmall), `${where}: targets for a finger`).toEqual([]);
  }
}

for (const language_code of ['en', 'ru'] as const) {
  test.describe(`in ${language_code}`, () => {
    test('every screen and drawer fits a phone, its reader and a finger', async ({ sandbox, phoneOf }) => {
      const phone = phoneOf(await sandbox.regular({ language_code, first_name: longName }));
      const { words } = phone;
      await phone.openGame();
      for (const [path, sign] of screens) {
        await phone.go(path);
        await expect(phone.app.locator('main, main ~ *').getByText(sign(words)).first()).toBeVisible();
        await inspectAtAllSizes(phone, path, path === '/' || path === '/tap');
      }
      for (const [path, opener, title, sign] of [
        ['/', words.home.profile, words.profile.title, words.profile.notifications],
        ['/', words.home.tasks, words.home.tasks, words.soon.text],
        ['/tap', words.tap.progress, words.tap.progress, words.tap.level_now],
      ] as const) {
        await phone.go(path);
        await phone.app.getByRole('button', { name: opener }).tap();
        const drawer = phone.app.getByRole('dialog', { name: title });
        await expect(drawer.getByText(sign)).toBeVisible();
        await inspectAtAllSizes(phone, title);
        await phone.page.keyboard.press('Escape');
        await expect(drawer).toHaveCount(0);
      }
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
