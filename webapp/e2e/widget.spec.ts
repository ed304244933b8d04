import { connect, connected, leads, manage, openWallet, payment, press, waiting } from './purse';
import { expect, test } from './test';

// Spec §2, wallet-connect widget: TON Connect's own parts, with the sandbox's wallet.

const account = '[data-tc-dropdown-button]';
const dropdown = '[data-tc-dropdown]';
const window = '[data-tc-wallets-modal-container]';
const notification = '[data-tc-notification]';
const canceled = '[data-tc-notification-tx-cancelled]';

/** In a page: the library's requests for the wallets list take so long, milliseconds; the game's own have a signal. */
function slowLists(delay: number): void {
  const fetch = globalThis.fetch;
  globalThis.fetch = async (request, init) => {
    if (String(request).endsWith('/wallets.json') && !init?.signal)
      await new Promise((resolve) => setTimeout(resolve, delay));
    return fetch(request, init);
  };
}

test('the button shows the address, copies it and disconnects', async ({ sandbox, phoneOf, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const phone = phoneOf(await sandbox.regular());
  const game = await sandbox.game(phone.player);
  await openWallet(phone);
  await connected(phone, context);
  const { wallet_address: address } = await game.me();
  const button = phone.app.locator(account);
  await expect(button).toHaveText(`${address?.slice(0, 4)}…${address?.slice(-4)}`);

  await button.tap();
  const menu = phone.app.locator(dropdown);
  await expect(menu.getByRole('button')).toHaveText(['Copy address', 'Disconnect']);
  expect((await menu.boundingBox())?.width).toBe(256);
  await menu.getByRole('button', { name: 'Copy address' }).tap();
  await expect(menu.getByRole('button', { name: 'Address copied!' })).toBeVisible();
  await expect(menu.getByRole('button', { name: 'Copy address' })).toBeVisible(); // after a second
  await phone.app.getByText(phone.words.wallet.information).tap();
  await expect(menu).toHaveCount(0);

  // While the library waits for the list, it restores nothing.
  await context.addInitScript(slowLists, 5000);
  await openWallet(phone);
  const loading = phone.app.locator('[data-tc-connect-button-loading]');
  await expect(loading).toBeDisabled();
  await expect(button).toBeVisible();

  await button.tap();
  await menu.getByRole('button', { name: 'Disconnect' }).tap();
  await expect(menu).toHaveCount(0);
  await expect(connect(phone)).toBeVisible();
  await expect(manage(phone)).toHaveCount(0);
  await expect.poll(async () => (await game.me()).wallet_address).toBeNull();
  await expect.poll(async () => (await sandbox.walletApp(phone.player)).apps).toEqual([]);
});

test('the profile connects and disconnects, with its drawer open', async ({
  sandbox,
  phone,
  page,
  context,
}) => {
  await phone.openGame();
  await phone.app.getByRole('button', { name: phone.words.home.profile }).tap();
  const sheet = phone.modal(phone.words.screens.profile);
  const app = await leads(context, () =>
    sheet.getByRole('button', { name: phone.words.wallet.connect }).tap(),
  );
  await page.bringToFront();
  await expect(waiting(phone)).toBeVisible();
  await sandbox.walletDoes(phone.player, 'connect', { link: app.url() });
  await app.close();
  await expect(waiting(phone)).toHaveCount(0);
  await sheet.locator(account).tap();
  await phone.app.locator(dropdown).getByText('Disconnect').tap();
  await expect(sheet.getByText(phone.words.profile.not_connected)).toBeVisible();
  await expect(sheet.getByRole('button', { name: phone.words.wallet.connect })).toBeVisible();
});

test('the window leads to the wallet app or shows a code, and explains wallets', async ({
  sandbox,
  phoneOf,
  page,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const phone = phoneOf(await sandbox.regular());
  await openWallet(phone);
  const app = await leads(context, () => connect(phone).tap());
  await app.close();
  await page.bringToFront();
  const modal = phone.app.locator(window);
  const button = (name: string) => modal.getByRole('button', { name, exact: true });
  await expect(waiting(phone)).toBeVisible();
  await expect(button('Retry')).toBeVisible();
  await expect(modal.getByRole('link', { name: 'GET' })).toBeVisible();

  const question = modal.locator('[data-tc-icon-button]').last();
  await question.tap();
  for (const text of [
    'What is a wallet',
    'Secure digital assets storage',
    'Control your Web3 identity',
    'Effortless crypto transactions',
  ])
    await expect(modal.getByText(text)).toBeVisible();
  await expect(modal.getByRole('link', { name: 'Get a Wallet' })).toBeVisible();
  await question.tap();

  await button('Show QR Code').tap();
  await expect(modal.getByText('Scan the QR code below')).toBeVisible();
  await expect(button('Open Link')).toBeVisible();
  await button('Copy Link').tap();
  await expect(button('Link Copied').or(button('Copied'))).toBeVisible();
  await expect(button('Copy Link')).toBeVisible(); // after 1.5 s

  await phone.corner.tap(); // Telegram's back button
  await expect(modal).toHaveCount(0);
  expect(await phone.path()).toBe('/wallet');
});

test('a computer shows a code that copies the link', async ({ sandbox, phoneOf, page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.setViewportSize({ width: 1280, height: 900 });
  const phone = phoneOf(await sandbox.regular());
  await openWallet(phone);
  await connect(phone).tap();
  const modal = phone.app.locator(window);
  await expect(modal.getByText('Scan the QR code below')).toBeVisible();
  const code = modal.locator('[data-tc-wallets-modal-connection-desktop] svg').first();
  await code.click({ force: true });
  await expect(modal.getByText('Link Copied')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(modal).toHaveCount(0);
});

for (const [language_code, words] of [
  [
    'en',
    { confirm: 'Open Sandbox wallet to confirm', sent: 'Transaction sent', canceled: 'Transaction canceled' },
  ],
  [
    'ru',
    { confirm: 'Откройте Sandbox wallet', sent: 'Транзакция отправлена', canceled: 'Транзакция отменена' },
  ],
] as const) {
  test(`a payment is to be confirmed, sent or cancelled, ${language_code}`, async ({
    sandbox,
    phoneOf,
    page,
    context,
  }) => {
    const phone = phoneOf(await sandbox.regular({ language_code }));
    await openWallet(phone);
    await connected(phone, context);
    await phone.go('/market');
    await press(phone, '1');
    const modal = payment(phone);
    await expect(modal.locator('[data-tc-confirm-modal]')).toBeVisible();
    await expect(modal.getByRole('button', { name: /Open wallet|Открыть кошелёк/ })).toBeVisible();
    await expect(phone.app.locator(notification)).toContainText(words.confirm);
    await page.bringToFront();

    await sandbox.walletDoes(phone.player, 'decline');
    await expect(modal).toContainText(words.canceled);
    await expect(phone.app.locator(canceled)).toContainText(words.canceled);
    await expect(phone.app.locator(notification)).toHaveCount(0); // after 4.5 s
    await phone.corner.tap(); // Telegram's back button
    await expect(modal).toHaveCount(0);

    const sheet = phone.modal(phone.words.order.pending);
    const confirm = sheet.getByRole('button', {
      name: phone.words.wallet.confirm.replace('{{wallet}}', 'Sandbox wallet'),
    });
    await confirm.tap();
    await expect(modal.locator('[data-tc-confirm-modal]')).toBeVisible();
    await page.bringToFront();
    // The window can be closed: the wallet still has the request, and nothing else is said.
    await phone.corner.tap();
    await expect(modal).toHaveCount(0);
    await expect(confirm).toHaveAttribute('aria-busy', 'true');
    await sandbox.walletDoes(phone.player, 'decline');
    await expect(phone.app.getByText(phone.words.errors.cancelled)).toBeVisible();

    await confirm.tap();
    await expect(modal.locator('[data-tc-confirm-modal]')).toBeVisible();
    await page.bringToFront();
    await sandbox.walletDoes(phone.player, 'approve');
    await expect(modal).toContainText(words.sent);
    await expect(modal).toHaveCount(0); // the coins have arrived
  });
}
