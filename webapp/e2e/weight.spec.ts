import { gzipSync } from 'node:zlib';
import { expect, test } from './test';

/** docs/architecture: JavaScript and CSS of the first screen, compressed, in bytes. */
const most = 180_000;

/** In a page: what is fetched ahead of time, so many milliseconds after the first screen, is not fetched. */
function onlyWanted(pauses: readonly number[]): void {
  const wait = window.setTimeout;
  window.setTimeout = ((then: () => void, delay = 0, ...given: []) =>
    pauses.includes(delay) ? 0 : wait(then, delay, ...given)) as typeof window.setTimeout;
}

test.use({ greeting: 'whole' });

test('the first screen is light', async ({ phone, page }) => {
  await page.addInitScript(onlyWanted, [1500, 3000]); // who offers the discount, and what may open over the screen; whatever else waits as long does not matter here
  await phone.open();
  const files: Promise<{ name: string; sent: number; gzip: number }>[] = [];
  page.on('response', (response) => {
    const { pathname } = new URL(response.url());
    if (!/\.(js|css)$/.test(pathname)) return;
    const weigh = async () => {
      const { responseBodySize: sent } = await response.request().sizes();
      const body = await response.body();
      return { name: pathname, sent, gzip: gzipSync(body).length };
    };
    files.push(weigh());
  });
  await phone.launch({});
  await phone.playable();
  await expect(phone.total).toBeVisible();

  const weighed = await Promise.all(files);
  const sent = weighed.reduce((sum, file) => sum + file.sent, 0);
  const gzip = weighed.reduce((sum, file) => sum + file.gzip, 0);
  for (const file of weighed) console.log(`${String(file.sent).padStart(8)} ${file.name}`);
  console.log(`first screen: ${weighed.length} files, ${sent} bytes sent, ${gzip} by gzip, at most ${most}`);
  expect(sent).toBeGreaterThan(0);
  expect(sent).toBeLessThanOrEqual(most);
});

test('stylesheets of lazy code follow the first', async ({ phone }) => {
  await phone.openGame();
  await phone.app.getByRole('button', { name: phone.words.home.profile }).tap();
  const frame = await phone.frame();
  const sheets = () =>
    frame.evaluate(() =>
      [...document.styleSheets].flatMap(
        ({ href }) => /(index|Profile)-[^/]*\.css$/.exec(href ?? '')?.[1] ?? [],
      ),
    );
  await expect.poll(sheets).toEqual(['index', 'Profile']);
});
