import type { Page } from '@playwright/test';
import { appUrl, sandboxUrl } from './addresses';
import {
  type ClientName,
  clients,
  documentOf,
  type Launch,
  launches,
  type NativeWindow,
  openLaunch,
  ordinary,
  posted,
  type StorageName,
  storages,
} from './launches';
import type { Sandbox } from './sandbox';
import { cutNetwork, expect, long, test } from './test';

/** Stands for Telegram's page, which may frame the game. */
const anyPage = `${sandboxUrl}/wallet`;

const clientNames = Object.keys(clients) as ClientName[];
const storageNames = Object.keys(storages) as StorageName[];
const bridges = [...new Set(clientNames.map((name) => clients[name].bridge))];

type Cell = { client: ClientName; launch: Launch; storage: StorageName };

const inTurn = <T>(all: readonly T[], at: number) => all[at % all.length] as T;

/** Each address that the page asks for, with launch data in it. */
function leaks(page: Page, signature: string): string[] {
  const found: string[] = [];
  page.on('request', (request) => {
    const { origin, pathname, search } = new URL(request.url()); // the fragment is not sent
    if (/tgWebAppData|init_data/.test(search) || search.includes(signature))
      found.push(origin + pathname + search);
  });
  return found;
}

async function play(page: Page, sandbox: Sandbox, cell: Cell): Promise<void> {
  const { client, launch } = cell;
  const { init_data, url } = await sandbox.launch(await sandbox.regular());
  const leaked = leaks(page, new URLSearchParams(init_data).get('hash') ?? 'none');
  await openLaunch(page, url, anyPage, cell);

  const game = documentOf(page, client);
  const address = () =>
    page
      .frames()
      .at(-1)
      ?.evaluate(() => location.href);
  const onDesktop =
    'desktop' in clients[client] && !/platform/.test(launch.name) && launch.name !== 'launch data alone';
  if (onDesktop)
    await expect(game.getByRole('heading', { name: 'The treasure is in your pocket' })).toBeVisible();
  else await expect(game.getByRole('navigation'), 'the game').toBeVisible();
  if (launch.name !== 'a history that cannot be written')
    expect.soft(await address(), 'the address').not.toContain('tgWebAppData');
  if (!onDesktop) {
    const profile = game.getByRole('button', { name: 'Profile and settings' });
    await profile.tap();
    await expect(game.getByRole('dialog', { name: 'Profile' })).toBeVisible();
    await page.evaluate(() => history.back());
    await expect(game.getByRole('dialog')).toHaveCount(0);
    await game.getByRole('link', { name: 'Tap the bag' }).tap();
    const energy = game.getByRole('progressbar');
    await expect(energy).not.toHaveAttribute('aria-valuenow', '0');
    const before = Number(await energy.getAttribute('aria-valuenow'));
    await game.getByRole('button', { name: 'Money bag' }).tap();
    await expect(energy).toHaveAttribute('aria-valuenow', String(before - 1));
  }
  await page.goto('about:blank'); // the exit's own request
  expect(
    leaked.filter((address) => launch.name !== 'in the query' || !/\/\?/.test(address)),
    'addresses with launch data',
  ).toEqual([]);
}

/**
 * The usual launch in each client with each storage, and each other launch over each bridge; in the short form each client has
 * one storage and each launch one bridge.
 */
const cells: (Cell & { rare: boolean })[] = [
  ...clientNames.flatMap((client, row) =>
    storageNames.map((storage) => ({
      client,
      launch: ordinary,
      storage,
      rare: storage !== inTurn(storageNames, row),
    })),
  ),
  ...launches
    .filter((launch) => launch !== ordinary)
    .flatMap((launch, row) =>
      bridges.map((bridge, column) => ({
        client: inTurn(
          clientNames.filter((name) => clients[name].bridge === bridge),
          row,
        ),
        launch,
        storage: inTurn(storageNames, row),
        rare: row % bridges.length !== column,
      })),
    ),
];

for (const client of clientNames) {
  test.describe(`in ${client}`, () => {
    test.use({ userAgent: clients[client].userAgent, forgiven: /the bridge is gone/ }); // the SDK reports it
    for (const cell of cells.filter((one) => one.client === client))
      test(
        `${cell.launch.name}, storage ${cell.storage}`,
        cell.rare ? { tag: long } : {},
        ({ page, sandbox }) => play(page, sandbox, cell),
      );
  });
}

test.describe('in Telegram Web', () => {
  test.use({ userAgent: clients.webA.userAgent });

  test('a wallet is asked to lead back to the bot, without launch data', async ({
    page,
    sandbox,
    context,
  }) => {
    const { init_data, url } = await sandbox.launch(await sandbox.regular());
    await openLaunch(page, url, anyPage, { client: 'webA', launch: ordinary, storage: 'good' });
    const game = documentOf(page, 'webA');
    await expect(game.getByRole('navigation')).toBeVisible();
    await page
      .frames()
      .at(-1)
      ?.evaluate(() => history.pushState(null, '', '/wallet'));
    const opened = context.waitForEvent('page');
    await game.getByRole('button', { name: 'Connect Wallet' }).tap();
    const link = new URL((await opened).url());
    expect(link.searchParams.get('ret')).toMatch(/^https:\/\/t\.me\/\w+$/);
    expect(decodeURIComponent(decodeURIComponent(link.href))).not.toContain(
      new URLSearchParams(init_data).get('hash'),
    );
  });
});

for (const storage of ['good', 'throwing', 'full', 'absent'] as const) {
  test(`a page loaded anew plays on, storage ${storage}`, async ({ page, sandbox }) => {
    const { url } = await sandbox.launch(await sandbox.regular());
    await openLaunch(page, url, anyPage, { client: 'android', launch: ordinary, storage });
    await expect(page.getByRole('navigation')).toBeVisible();
    await page.evaluate(() => {
      document.documentElement.dataset.old = '';
      (window as unknown as NativeWindow).Telegram?.WebView?.receiveEvent?.('reload_iframe');
    });
    await expect(page.locator('html:not([data-old])').getByRole('navigation')).toBeVisible();
    expect(await page.evaluate(() => location.href)).not.toContain('tgWebAppData');
    expect(await posted(page)).toContain('web_app_ready');
  });
}

test.describe('before the game', () => {
  test.use({ forgiven: cutNetwork });

  test('a splash is there without the script, and says what to do', async ({ page }) => {
    await page.route('**/assets/index-*', (route) => route.abort());
    await page.goto(appUrl);
    await expect(page.getByRole('img', { name: 'MCBK' }).or(page.locator('#splash svg'))).toBeVisible();
    const late = page.getByText('The game did not load.');
    await expect(late).toBeHidden();
    await page.evaluate(() => {
      for (const animation of document.getAnimations()) animation.finish();
    });
    await expect(late).toBeVisible();
    await expect(page.getByText('Игра не загрузилась.')).toBeVisible();
  });

  test('a splash is there before the stylesheet', async ({ page }) => {
    await page.route('**/assets/*.css', () => undefined); // never answered
    await page.goto(appUrl, { waitUntil: 'commit' });
    await expect(page.locator('#splash svg')).toBeVisible();
    await expect(page.locator('#splash')).toHaveCSS('color', 'rgb(214, 195, 166)');
  });

  test('a splash gives way to the game', async ({ page }) => {
    await page.goto(appUrl);
    await expect(page.getByText('Open the game in Telegram')).toBeVisible();
    await expect(page.locator('#splash')).toHaveCount(0);
  });

  test.describe('without JavaScript', () => {
    test.use({ javaScriptEnabled: false });

    test('a page says what it needs', async ({ page }) => {
      await page.goto(appUrl);
      const needs = page.locator('noscript p');
      await expect(needs).toContainText(['The game needs JavaScript.', 'Игре нужен JavaScript.']);
      for (const language of [0, 1]) await expect(needs.nth(language)).toBeVisible();
      await expect(page.getByText('The game did not load.')).toBeHidden();
    });
  });
});
