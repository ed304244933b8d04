import { credited, customer, order, pay, reload } from './purse';
import { expect, long, test } from './test';

// The sandbox's own chain, treasury and wallet: nothing of the game is made up here.

test('a friend’s payment is credited within half a minute, and who invited them gets a hundredth', async ({
  sandbox,
  phoneOf,
  context,
  page,
}) => {
  const inviter = await sandbox.game(await sandbox.regular());
  const { referral_code } = await inviter.me();
  const phone = phoneOf(await sandbox.newPlayer());
  await phone.open(`start=${referral_code}`);
  await phone.start.tap();
  await expect(phone.messages.last()).toBeVisible();
  const game = await customer(sandbox, phone);
  const purse = await order(phone, context);
  const url = new URL(purse.url());
  const [made] = await game.orders();
  expect([url.searchParams.get('amount'), url.searchParams.get('text')]).toEqual([
    '1000000000',
    made?.comment,
  ]);
  expect(made).toMatchObject({ status: 'pending', ton_amount: 1, mcbk_amount: 1250 });

  await pay(purse, phone.player);
  await credited(game);
  await page.bringToFront();
  const sheet = phone.modal(phone.words.order.paid);
  await expect(sheet).toBeVisible();
  await expect(sheet).toContainText('You paid1\u00a0TON');
  await expect(sheet).toContainText('You got+1,250');
  await expect(sheet).toContainText('Purchased MCBK1,250.00');
  expect(await game.orders()).toMatchObject([{ status: 'paid', paid_ton: 1, paid_mcbk: 1250 }]);
  expect((await game.me()).balance.purchased_mcbk).toBe(1250);
  expect((await inviter.me()).balance.referral_game_mcbk).toBe(12.5);
});

const odd = [
  { payment: 'half of it', way: 'Pay half', ton: 0.5, coins: '625' },
  { payment: 'twice as much', way: 'Pay twice as much', ton: 2, coins: '2,500' },
  { payment: 'it twice', way: 'Pay twice', ton: 2, coins: '2,500' },
  { payment: 'it from another’s wallet', way: 'Pay', ton: 1, coins: '1,250', stranger: true },
];

for (const { payment, way, ton, coins, stranger } of odd)
  test(`who pays ${payment} gets what was paid for, and finds it in the order`, { tag: long }, async ({
    sandbox,
    phoneOf,
    context,
    page,
  }) => {
    const phone = phoneOf(await sandbox.newPlayer());
    const game = await customer(sandbox, phone);
    const purse = await order(phone, context);
    await reload(phone);
    await pay(purse, stranger ? await sandbox.newPlayer() : phone.player, way);
    await credited(game);
    await page.bringToFront();
    const sheet = phone.modal(phone.words.order.paid);
    // The second of two payments may be seen by itself.
    await expect(sheet).toContainText(`You paid${ton}\u00a0TON`);
    await expect(sheet).toContainText(`You got+${coins}`);
    await expect(sheet).toContainText(`Purchased MCBK${coins}.00`);
    await expect(sheet.getByText('The order was for 1 TON.')).toHaveCount(ton === 1 ? 0 : 1);
    expect(await game.orders()).toMatchObject([{ status: 'paid', paid_ton: ton, paid_mcbk: ton * 1250 }]);
    expect((await game.me()).balance.purchased_mcbk).toBe(ton * 1250);
  });

test('who closes the game and pays is told by the bot, and finds no order that waits', async ({
  sandbox,
  phoneOf,
  context,
  page,
}) => {
  const phone = phoneOf(await sandbox.newPlayer());
  await sandbox.say(phone.player, '/start');
  const game = await customer(sandbox, phone);
  const purse = await order(phone, context);
  await page.goto('about:blank');
  await pay(purse, phone.player);
  await credited(game);
  await page.bringToFront();
  await phone.openGame();
  await expect(phone.app.getByRole('dialog')).toHaveCount(0);
  const listed = page.waitForResponse('**/api/orders?*');
  await phone.go('/market');
  await listed;
  await expect(phone.app.getByText(phone.words.market.one, { exact: true })).toBeVisible();
  await expect(phone.app.getByText(phone.words.market.waiting)).toHaveCount(0);
  expect((await game.me()).balance.purchased_mcbk).toBe(1250);
  await expect
    .poll(async () => (await sandbox.chat(phone.player)).messages.map(({ text }) => text).join('\n'))
    .toContain('Your payment has arrived: 1,250 MCBK are yours.');
});
