import type { Locator, Page } from '@playwright/test';
import { galleryUrl } from './addresses';
import { inspectAtAllSizes, sizes } from './inspect';
import { expect, long, test } from './test';

/** Spec §9: milliseconds between two looks at where the player has scrolled to. */
const pace = 150;

for (const lang of ['en', 'ru'] as const) {
  test(`everything in the gallery fits a phone, its reader and a finger, in ${lang}`, { tag: long }, async ({
    page,
  }) => {
    test.setTimeout(300_000);
    await page.goto(galleryUrl);
    const links = page.locator('a[href^="?show="]');
    await expect(links.first()).toBeVisible();
    const shows = await links.evaluateAll((all) => all.map((link) => link.getAttribute('href')));
    expect(shows).toContain('?show=list');
    // Of the screens only the lists have rows in Russian.
    const chosen = lang === 'en' ? ['?', ...shows] : shows.filter((show) => show?.includes('list'));
    for (const show of chosen) {
      await page.goto(`${galleryUrl}${show}&lang=${lang}`);
      await expect(page.locator('#root > *').first()).toBeVisible();
      await inspectAtAllSizes({ page, frame: async () => page.mainFrame() }, String(show));
    }
  });
}

async function open(page: Page, show: string): Promise<Locator> {
  await page.goto(`${galleryUrl}?show=${show}`);
  const list = page.getByRole('list', { name: /Players|Friends/ });
  await expect(list.getByRole('listitem').first()).toBeVisible();
  return list;
}

/** What scrolls, on a screen or in a drawer. */
const boxOf = (list: Locator) => list.locator('xpath=ancestor::*[self::main or @role="dialog"][1]');

/** Scrolls until this share of the rows is above the lower edge of what is seen. */
async function scrollPast(list: Locator, share: number): Promise<void> {
  await list.evaluate((rows, wanted) => {
    let box = rows.parentElement;
    while (box && !/auto|scroll/.test(getComputedStyle(box).overflowY)) box = box.parentElement;
    if (!box) throw new Error('nothing scrolls');
    const { top, height } = rows.getBoundingClientRect();
    box.scrollTop += top + height * wanted - box.getBoundingClientRect().bottom;
  }, share);
}

/** A row a little above the one at this place, which itself may be just below the edge. */
const near = (list: Locator, place: number) => list.locator(`[aria-posinset="${place - 4}"]`);

/** When each page was asked for, in milliseconds since the gallery opened, and where it begins. */
function asked(page: Page): Promise<{ at: number; offset: number }[]> {
  return page.evaluate(() =>
    performance
      .getEntriesByName('page')
      .map((mark) => ({ at: mark.startTime, offset: (mark as PerformanceMark).detail })),
  );
}

const offsets = async (page: Page) => (await asked(page)).map(({ offset }) => offset);

for (const size of sizes) {
  test.describe(`a long list at ${size.width} x ${size.height}`, () => {
    test.use({ viewport: size });

    for (const lang of ['en', 'ru']) {
      test(`has few of its 10,000 rows in the page, one below the other, in ${lang}`, { tag: long }, async ({
        page,
      }) => {
        const list = await open(page, `list-long&lang=${lang}`);
        const rows = list.getByRole('listitem');
        for (const place of [1, 5000, 10_000]) {
          // The height of rows that were never seen is a guess, so it takes some steps to come to one of them.
          await expect(async () => {
            await scrollPast(list, place / 10_000);
            await expect(list.locator(`[aria-posinset="${place}"]`)).toBeAttached({ timeout: 500 });
          }).toPass();
          // A row that was just measured moves those after it with the next frame.
          await expect(async () => {
            const boxes = await rows.evaluateAll((all) =>
              all.map((row) => {
                const { top, bottom } = row.getBoundingClientRect();
                return { top, bottom };
              }),
            );
            console.log(`${size.width} x ${size.height}, row ${place}: ${boxes.length} rows in the page`);
            expect(boxes.length).toBeLessThan(60);
            expect((boxes.at(-1)?.bottom ?? 0) - (boxes[0]?.top ?? 0)).toBeGreaterThan(size.height / 2);
            for (const [n, { top, bottom }] of boxes.entries()) {
              expect(bottom - top).toBeGreaterThanOrEqual(60);
              if (n > 0) expect(top).toBeCloseTo(boxes[n - 1]?.bottom ?? 0, 0);
            }
          }).toPass();
        }
      });
    }

    for (const [show, rows] of [
      ['list', 100],
      ['list-sheet', 20],
    ] as const) {
      test(`asks for exactly one more page past 80 %: ${show}`, { tag: long }, async ({ page }) => {
        const list = await open(page, show);
        await scrollPast(list, 0.7);
        await expect(near(list, 0.7 * rows)).toBeInViewport();
        await scrollPast(list, 0.9);
        await expect.poll(() => offsets(page)).toEqual([0, rows]);
        await expect(list).toHaveAttribute('aria-busy', 'false');
        await scrollPast(list, 0.99);
        await expect.poll(() => offsets(page)).toEqual([0, rows, 2 * rows]);
        await expect(list).toHaveAttribute('aria-busy', 'false');
        expect(await offsets(page)).toEqual([0, rows, 2 * rows]);
      });
    }

    test('keeps the player’s own row in sight, over the others', { tag: long }, async ({ page }) => {
      const list = await open(page, 'list');
      const own = page.getByText('You', { exact: true });
      await scrollPast(list, 0.5);
      await expect(near(list, 50)).toBeInViewport();
      await expect(own).toBeInViewport({ ratio: 1 });
      const hit = await own.evaluate((badge) => {
        const { left, top, width, height } = badge.getBoundingClientRect();
        return badge.contains(document.elementFromPoint(left + width / 2, top + height / 2));
      });
      expect(hit).toBe(true);
    });
  });
}

test('a list of rows that cannot be pressed is scrolled by the keyboard', { tag: long }, async ({ page }) => {
  const list = await open(page, 'list-long');
  await page.keyboard.press('Tab');
  await expect(list).toBeFocused();
  await page.keyboard.press('PageDown');
  // Some of it: rows measured on the way may move the last one's edge.
  await expect(list.locator('[aria-posinset="12"]')).toBeInViewport();
  await expect(list.locator('[aria-posinset="1"]')).not.toBeInViewport();
  await page.keyboard.press('End');
  const last = list.getByRole('listitem').last();
  await expect.poll(async () => Number(await last.getAttribute('aria-posinset'))).toBeGreaterThan(9900);
  // Rows seen on the way turned out higher than was guessed, so the end is a little further.
  await expect(async () => {
    await page.keyboard.press('End');
    await expect(list.locator('[aria-posinset="10000"]')).toBeInViewport({ timeout: 1000 });
  }).toPass();
});

test('a row keeps the focus while it is scrolled out of sight, and Tab goes on where the player looks', {
  tag: long,
}, async ({ page }) => {
  const list = await open(page, 'list-sheet&size=500');
  const second = list.getByRole('listitem').nth(1).getByRole('button');
  await second.focus();
  await scrollPast(list, 0.5);
  await expect(near(list, 250)).toBeInViewport();
  await expect(page.locator('[aria-posinset="2"] button')).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(page.locator('[aria-posinset="2"]')).toHaveCount(0);
  await expect(boxOf(list).locator(':focus')).toBeInViewport({ ratio: 1 });
});

test('pages are asked for at least 150 ms apart, however often the player scrolls', { tag: long }, async ({
  page,
}) => {
  // Two rows a page and no delay: every answer is a reason to ask at once for the next page.
  const list = await open(page, 'list&size=2&delay=0&total=40');
  await list.evaluate((rows) => {
    const box = rows.closest('main');
    const scroll = () => {
      box?.dispatchEvent(new Event('scroll'));
      requestAnimationFrame(scroll);
    };
    scroll();
  });
  await expect.poll(async () => (await asked(page)).length).toBeGreaterThan(5);
  // The first page is asked for by the screen itself. From looking to asking takes a moment, once more and once less, so
  // that a gap alone may be shorter: together they are not.
  const [, ...further] = await asked(page);
  const first = further.at(0)?.at ?? 0;
  const last = further.at(-1)?.at ?? 0;
  expect(last - first).toBeGreaterThan(pace * (further.length - 1) - 20);
});
