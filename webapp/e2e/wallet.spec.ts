import {
  connect,
  connected,
  credited,
  enter,
  leads,
  manage,
  openWallet,
  order,
  pay,
  payment,
  press,
  waiting,
} from './purse';
import { expect, long, test } from './test';

// The game's own server, the sandbox's chain and its TON Connect wallet: nothing of the game is made up here. That no
// request leaves the machine while all of this runs is asserted for every test (test.ts, `quiet`).

test('a wallet is connected with a proof, shown, and there again after a reload', async ({
  sandbox,
  phone,
  context,
}) => {
  const game = await sandbox.game(phone.player);
  await openWallet(phone);
  await connected(phone, context);
  const { wallet_address, wallet_proven } = await game.me();
  expect([wallet_address, wallet_proven]).toEqual([await sandbox.wallet(phone.player), true]);
  await expect(phone.app.getByText('5,000.00')).toBeVisible(); // what the chain says
  const short = `${wallet_address?.slice(0, 3)}…${wallet_address?.slice(-3)}`;
  await manage(phone).tap();
  await expect(phone.modal('Wallet')).toContainText(`${short}Sandbox walletActive`);

  const heard = phone.page.waitForResponse('**/bridge/events?*');
  await openWallet(phone);
  await expect(phone.app.getByText(short, { exact: true })).toBeVisible();
  await heard;
  const [connection] = (await sandbox.walletApp(phone.player)).apps;
  // The connection stands: a payment can be asked of it.
  await phone.go('/market');
  await press(phone, '1');
  await expect.poll(async () => (await sandbox.walletApp(phone.player)).requests.length).toBe(1);
  expect((await sandbox.walletApp(phone.player)).apps).toEqual([connection]);
});

test('a payment is confirmed in the connected wallet, and credited by the chain alone', async ({
  sandbox,
  phone,
  context,
  page,
}) => {
  const game = await sandbox.game(phone.player);
  await openWallet(phone);
  await connected(phone, context);
  await phone.go('/market');
  const app = await leads(context, () => press(phone, '1'));
  const [made] = await game.orders();
  const [request] = (await sandbox.walletApp(phone.player)).requests;
  const link = new URL(made?.paymentLink ?? '');
  expect(request?.messages).toMatchObject([{ nanotons: 1_000_000_000, comment: made?.comment }]);
  expect(link.pathname).toContain(request?.messages[0]?.to ?? 'nobody');
  const ends = Date.parse(made?.expires_at ?? '') / 1000;
  expect(request?.valid_until).toBeLessThanOrEqual(ends);
  await expect(phone.app.getByText('Confirm operation in your wallet').first()).toBeVisible();

  await app.bringToFront();
  await app.getByRole('button', { name: 'Approve' }).tap();
  await credited(game);
  await app.close();
  await page.bringToFront();
  await expect(phone.modal(phone.words.order.paid)).toBeVisible();
  expect(await game.orders()).toMatchObject([{ status: 'paid', paid_ton: 1, paid_mcbk: 1250 }]);
});

test('declined, an order is still to be paid: asked again, or by its link', async ({
  sandbox,
  phone,
  context,
  page,
}) => {
  const { order: words, wallet } = phone.words;
  await openWallet(phone);
  await connected(phone, context);
  await phone.go('/market');
  const app = await leads(context, () => press(phone, '1'));
  await app.close(); // closed half-way
  await page.bringToFront();
  await expect(payment(phone)).toContainText('in Sandbox wallet');
  await sandbox.walletDoes(phone.player, 'decline');
  await expect(payment(phone)).toContainText('Transaction canceled');
  await phone.corner.tap(); // Telegram's back button
  await expect(payment(phone)).toHaveCount(0);
  const sheet = phone.modal(words.pending);
  const button = (text: string) =>
    sheet.getByRole('button', { name: text.replace('{{wallet}}', 'Sandbox wallet') });
  const again = await leads(context, () => button(wallet.confirm).tap());
  await again.close();
  await page.bringToFront();
  await expect.poll(async () => (await sandbox.walletApp(phone.player)).requests.length).toBe(1);
  await sandbox.walletDoes(phone.player, 'decline');
  await expect(button(wallet.confirm)).toBeEnabled();
  await phone.corner.tap();
  await expect(payment(phone)).toHaveCount(0);
  const purse = await leads(context, () => button(words.open).tap());
  await pay(purse, phone.player);
  await credited(await sandbox.game(phone.player));
  await page.bringToFront();
  await expect(phone.modal(words.paid)).toBeVisible();
});

test('closed half-way, the wallet’s page can be opened again, and nothing is connected meanwhile', {
  tag: long,
}, async ({ sandbox, phone, context, page }) => {
  const game = await sandbox.game(phone.player);
  await openWallet(phone);
  const app = await leads(context, () => connect(phone).tap());
  await app.close();
  await page.bringToFront();
  await expect(waiting(phone)).toBeVisible();
  expect((await game.me()).wallet_address).toBeNull();
  const again = await leads(context, () => phone.app.getByRole('button', { name: 'Retry' }).tap());
  const toast = phone.app.getByText(phone.words.errors.declined).waitFor({ timeout: 15_000 });
  await again.getByRole('button', { name: 'Decline' }).tap();
  await expect(again.getByRole('status').first()).toHaveText(/^Declined/);
  await toast;
  await again.close();
  await page.bringToFront();
  // Telegram's own button takes the window away; the screen under it stays.
  await phone.corner.tap();
  await expect(waiting(phone)).toHaveCount(0);
  expect(await phone.path()).toBe('/wallet');
  await connected(phone, context);
});

test('the connection is ended from either side', { tag: long }, async ({ sandbox, phone, context, page }) => {
  const { wallet, toast } = phone.words;
  const game = await sandbox.game(phone.player);
  await openWallet(phone);
  await connected(phone, context);
  await manage(phone).tap();
  await phone.modal('Wallet').getByRole('button', { name: wallet.disconnect }).tap();
  await expect(connect(phone)).toBeVisible();
  await expect(phone.app.getByRole('dialog')).toHaveCount(0);
  expect((await game.me()).wallet_address).toBeNull();
  await expect.poll(async () => (await sandbox.walletApp(phone.player)).apps).toEqual([]);

  await connected(phone, context);
  await sandbox.walletDoes(phone.player, 'disconnect');
  await expect(phone.app.getByText(toast.wallet_left)).toBeVisible();
  await expect(connect(phone)).toBeVisible();
  expect((await game.me()).wallet_address).toBeNull();
  // Ended while the game was away: heard when it comes back.
  await connected(phone, context);
  await page.goto('about:blank');
  await sandbox.walletDoes(phone.player, 'disconnect');
  await openWallet(phone);
  await expect(connect(phone)).toBeVisible();
  await expect.poll(async () => (await game.me()).wallet_address).toBeNull();
});

test.describe('a wallet that another player has proven', () => {
  test.use({ forgiven: /status of 409/ });

  test('is refused in words, and let go', { tag: long }, async ({ sandbox, phoneOf, context, page }) => {
    const owner = phoneOf(await sandbox.regular());
    await openWallet(owner);
    await connected(owner, context);
    const phone = phoneOf(await sandbox.regular());
    await openWallet(phone);
    const app = await leads(context, () => connect(phone).tap());
    const link = app.url();
    await app.close();
    await page.bringToFront();
    await sandbox.walletDoes(owner.player, 'connect', { link });
    await expect(phone.app.getByText(phone.words.errors.wallet_in_use)).toBeVisible();
    await expect(connect(phone)).toBeVisible();
    const game = await sandbox.game(phone.player);
    expect((await game.me()).wallet_address).toBeNull();
    // Its owner's connection stands, the other's is gone.
    await expect.poll(async () => (await sandbox.walletApp(owner.player)).apps.length).toBe(1);
  });
});

test('who wants to buy without a wallet connects one from the market', { tag: long }, async ({
  sandbox,
  phone,
  context,
  page,
}) => {
  await enter(phone);
  const app = await leads(context, () =>
    phone.app.getByRole('button', { name: phone.words.wallet.connect }).tap(),
  );
  const told = page.waitForResponse(
    (answer) => answer.request().method() === 'PUT' && answer.url().endsWith('/api/user/wallet'),
  );
  await app
    .getByRole('region', { name: 'Connect', exact: true })
    .getByRole('button', { name: 'Connect' })
    .tap();
  await expect(app.getByRole('status').first()).toHaveText(/^Connected/);
  await told;
  await app.close();
  await page.bringToFront();
  const purse = await order(phone, context);
  await purse.close();
  await expect.poll(async () => (await sandbox.walletApp(phone.player)).requests.length).toBe(1);
});
