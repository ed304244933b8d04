import type { Page } from '@playwright/test';
import type { Phone } from './phone';
import { credited, customer, enter, order, pay, reload } from './purse';
import { type Game, residents, type Sandbox } from './sandbox';
import { alone, expect, long, test } from './test';

// All of these are seen by the admins, or move everybody's clock and prices.
// When the clock is set back, the page that is still open is of a time to come.
test.use({ forgiven: /status of 401/ });

const admin = async (sandbox: Sandbox) => {
  const adam = await sandbox.person(residents.adam);
  await sandbox.say(adam, '/start');
  return adam;
};

/** An admin gives the one payment that waits to an order, or marks it to be sent back. */
async function match(sandbox: Sandbox, reason: string, to: string): Promise<void> {
  const adam = await admin(sandbox);
  await expect(async () => {
    const list = await sandbox.command(adam, '/match', /wait/);
    expect(list).toContain(reason);
    const [id, ...more] = [...list.matchAll(/^(\d+): /gm)].map(([, each]) => each);
    expect(more).toEqual([]);
    await sandbox.command(adam, `/match ${id} ${to}`, /payment \d+ (to|for refund)/i);
  }).toPass();
}

/** Moves everybody's clock, and waits until the program has seen it. */
async function later(sandbox: Sandbox, game: Game, minutes: number): Promise<void> {
  const now = async () => Date.parse((await game.settings()).server_time);
  const before = await now();
  await sandbox.clock({ add: `${minutes}m` });
  await expect.poll(now).toBeGreaterThanOrEqual(before + minutes * 60_000);
}

/** Waits until the program has read the price, and sells at it or not. */
async function costs(game: Game, usd: number, stale = false): Promise<void> {
  await expect.poll(() => game.tonPrice()).toMatchObject({ data: { ton_price_usd: usd }, stale });
}

test.describe('a payment that is late', { tag: [alone, long] }, () => {
  test.afterEach(({ sandbox }) => asItWas(sandbox));

  test('brings the fewer of the coins of both prices, and the order that had expired says so', async ({
    sandbox,
    phoneOf,
    context,
    page,
  }) => {
    const phone = phoneOf(await sandbox.newPlayer());
    const { words } = phone;
    const game = await customer(sandbox, phone);
    const purse = await order(phone, context);
    await reload(phone);
    await sandbox.rates({ usd: 2.25 });
    await later(sandbox, game, 17);
    await costs(game, 2.25);
    await expect(phone.modal(words.order.expired)).toBeVisible({ timeout: 40_000 });
    await expect(phone.modal(words.order.expired)).toContainText(words.order.late);
    await expect(purse.getByText('Too late: a real wallet would refuse')).toBeVisible();
    await pay(purse, phone.player);
    await credited(game);
    await page.bringToFront();
    await expect(phone.modal(words.order.paid)).toContainText('You got+1,125');
    expect(await game.orders()).toMatchObject([{ status: 'paid', mcbk_amount: 1250, paid_mcbk: 1125 }]);
    expect((await game.me()).balance.purchased_mcbk).toBe(1125);
  });
});

type Pays = (sandbox: Sandbox, phone: Phone, purse: Page, comment: string) => Promise<unknown>;

const unnamed: { payment: string; reason: string; pays: Pays }[] = [
  {
    payment: 'without the comment',
    reason: 'no comment',
    pays: (_, { player }, purse) => pay(purse, player, 'Pay without the comment'),
  },
  {
    payment: 'with another comment',
    reason: 'MC-NOBODYS234',
    pays: (sandbox, { player }) => sandbox.pay(player, { nanotons: 1e9, comment: 'MC-NOBODYS234' }),
  },
];

test.describe('a payment that an admin has to look at', { tag: [alone, long] }, () => {
  for (const { payment, reason, pays } of unnamed)
    test(`${payment} leaves its order waiting until it is given to it`, async ({
      sandbox,
      phoneOf,
      context,
      page,
    }) => {
      const phone = phoneOf(await sandbox.newPlayer());
      const game = await customer(sandbox, phone);
      const purse = await order(phone, context);
      const comment = String((await game.orders())[0]?.comment);
      await reload(phone);
      await pays(sandbox, phone, purse, comment);
      await page.bringToFront();
      await expect(phone.modal(phone.words.order.pending)).toBeVisible();
      await match(sandbox, reason, comment);
      await credited(game);
      await expect(phone.modal(phone.words.order.paid)).toContainText('You got+1,250');
      expect((await game.me()).balance.purchased_mcbk).toBe(1250);
    });

  test('under 0.1 TON says so in its order, in the market too, until it is given to it', async ({
    sandbox,
    phoneOf,
    context,
    page,
  }) => {
    const phone = phoneOf(await sandbox.newPlayer());
    const { words } = phone;
    const game = await customer(sandbox, phone);
    await (await order(phone, context)).close();
    const comment = String((await game.orders())[0]?.comment);
    await sandbox.pay(phone.player, { nanotons: 5e7, comment });
    await page.bringToFront();
    await expect(phone.modal(words.order.held)).toContainText('0.05 TON is under review');
    expect(await game.orders()).toMatchObject([{ status: 'held', held_ton: 0.05 }]);
    await enter(phone);
    await phone.app.getByRole('button', { name: words.order.held }).tap();
    await expect(phone.modal(words.order.held)).toContainText(words.order.held_note);
    await match(sandbox, 'less than 0.1 TON', comment);
    await credited(game);
    await expect(phone.modal(words.order.paid)).toContainText('You paid0.05\u00a0TON');
    expect((await game.me()).balance.purchased_mcbk).toBe(62.5);
  });

  test('beyond 1000 TON is held, and the thousand is credited', async ({
    sandbox,
    phoneOf,
    context,
    page,
  }) => {
    const phone = phoneOf(await sandbox.newPlayer());
    const game = await customer(sandbox, phone);
    await (await order(phone, context, '1000')).close();
    const comment = String((await game.orders())[0]?.comment);
    await reload(phone);
    await sandbox.pay(phone.player, { nanotons: 1001e9, comment });
    await credited(game);
    await page.bringToFront();
    const sheet = phone.modal(phone.words.order.paid);
    const waits = sheet.getByText('1 TON is under review');
    await expect(sheet).toContainText('You got+1,250,000');
    await expect(waits).toBeVisible();
    await match(sandbox, 'beyond 1000 TON of an order', 'refund');
    await expect(waits).toHaveCount(0);
    expect((await game.me()).balance.purchased_mcbk).toBe(1_250_000);
  });
});

test.describe('sales', { tag: [alone, long] }, () => {
  test.use({ forgiven: /status of (401|503)/ });
  test.afterEach(({ sandbox }) => asItWas(sandbox));

  test('stop while the price is not known, or has jumped, and go on afterwards', async ({
    sandbox,
    phoneOf,
    context,
    page,
  }) => {
    const phone = phoneOf(await sandbox.newPlayer());
    const { market } = phone.words;
    const game = await customer(sandbox, phone);
    await sandbox.rates({ broken: true });
    await later(sandbox, game, 11);
    await costs(game, 2.5, true);
    await enter(phone);
    await expect(phone.app.getByText(market.approximate).first()).toBeVisible();
    await expect(phone.app.getByText(market.paused)).toBeVisible();
    await phone.app.getByRole('checkbox').check();
    await expect(
      phone.app.getByRole('button', { name: market.buy.replace('{{wallet}}', 'Sandbox wallet') }),
    ).toBeDisabled();
    await expect(game.order(1)).rejects.toThrow(/503 .*price_unavailable/);
    await sandbox.rates({ usd: 5 });
    await later(sandbox, game, 3);
    await costs(game, 5, true);
    await expect(game.order(1)).rejects.toThrow(/503 .*price_unavailable/);
    expect(await game.orders()).toEqual([]);
    await sandbox.rates({ usd: 2.5 });
    await later(sandbox, game, 3);
    await costs(game, 2.5, true); // readings have to agree for ten minutes
    await later(sandbox, game, 11);
    await costs(game, 2.5);
    await enter(phone);
    const purse = await order(phone, context);
    await pay(purse, phone.player);
    await credited(game);
    await page.bringToFront();
    await expect(phone.modal(phone.words.order.paid)).toBeVisible();
  });

  test('that an admin closes are said to be closed, and an order from before can still be paid', async ({
    sandbox,
    phoneOf,
    context,
    page,
  }) => {
    const phone = phoneOf(await sandbox.newPlayer());
    const game = await customer(sandbox, phone);
    const purse = await order(phone, context);
    const adam = await admin(sandbox);
    await sandbox.command(adam, '/settings sales off', /\?/);
    try {
      await expect.poll(async () => (await game.config()).sales_enabled).toBe(false);
      await pay(purse, phone.player);
      await credited(game);
      await page.bringToFront();
      await expect(phone.modal(phone.words.order.paid)).toBeVisible();
      await enter(phone);
      await expect(phone.app.getByText(phone.words.market.closed)).toBeVisible();
    } finally {
      await sandbox.command(adam, '/settings sales on', /\?/);
    }
    await expect.poll(async () => (await game.config()).sales_enabled).toBe(true);
  });
});

/** The prices and the time as all other tests have them. */
async function asItWas(sandbox: Sandbox): Promise<void> {
  await sandbox.rates({ usd: 2.5 });
  await sandbox.clock({ reset: true });
  await expect(async () => {
    const game = await sandbox.game(await sandbox.regular());
    expect(await game.tonPrice()).toMatchObject({ data: { ton_price_usd: 2.5 }, stale: false });
  }).toPass();
}
