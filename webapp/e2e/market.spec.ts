import { anOrder, aPrice, FakeMarket } from '../src/testing/FakeMarket';
import { gaps, tapTwice } from './fingers';
import type { Phone } from './phone';
import { refuse, sells } from './stage';
import { expect, long, test } from './test';

declare global {
  interface Window {
    /** Pages that were opened. */
    opened: number;
  }
}

/** A wallet nobody pays from. */
const wallet = `0:${'ab'.repeat(32)}`;

const buy = (phone: Phone) => phone.app.getByRole('button', { name: 'Buy in Sandbox wallet' });
const field = (phone: Phone) => phone.app.getByRole('textbox', { name: phone.words.market.pay });

async function openMarket(phone: Phone): Promise<void> {
  await phone.visit('/market');
  await expect(phone.app.getByText(phone.words.market.one, { exact: true })).toBeVisible();
}

test.describe('with the game’s own server', () => {
  test('an order is made, found again after a reload, and cancelled', async ({ sandbox, phone }) => {
    const { market, order, toast } = phone.words;
    const game = await sandbox.game(phone.player);
    await game.connect(wallet);
    expect((await game.config()).sales_enabled).toBe(true);
    await openMarket(phone);
    await field(phone).fill('1,5');
    await phone.app.getByRole('checkbox').check();
    await buy(phone).tap();
    await expect(
      phone.app.getByText(toast.link_created.replace('{{wallet}}', 'Sandbox wallet')),
    ).toBeVisible();
    await expect(phone.modal(order.pending)).toContainText('1.5');
    const [made] = await game.orders();
    expect(made).toMatchObject({ kind: 'purchase', status: 'pending', ton_amount: 1.5 });

    await openMarket(phone);
    await phone.app.getByRole('button', { name: market.waiting }).tap();
    await phone.modal(order.pending).getByRole('button', { name: order.other }).tap();
    await expect(phone.modal(order.pending).getByText(String(made?.comment))).toBeVisible();
    await phone.modal(order.pending).getByRole('button', { name: order.cancel }).tap();
    await expect(phone.modal(order.cancelled)).toBeVisible();
    expect((await game.orders())[0]?.status).toBe('cancelled');
  });

  test('without a wallet nothing is ordered', { tag: long }, async ({ sandbox, phone }) => {
    const game = await sandbox.game(phone.player);
    await openMarket(phone);
    await expect(buy(phone)).toHaveCount(0);
    await expect(phone.app.getByRole('button', { name: phone.words.wallet.connect })).toBeEnabled();
    expect(await game.orders()).toEqual([]);
  });
});

test.describe('with a market that does what the test says', () => {
  test('a second tap on Buy neither orders again nor goes through to the drawer', async ({
    sandbox,
    phoneOf,
    page,
  }) => {
    test.setTimeout(300_000); // up to fifteen visits
    // A page that lies under the wallet's is not touched.
    await page.addInitScript(() => {
      window.opened = 0;
      window.open = () => {
        window.opened += 1;
        return null;
      };
    });
    let proved = false;
    for (const apart of gaps([60, 120, 250], () => proved)) {
      await page.goto('about:blank'); // the page before this one would ask the next market for its order
      const phone = phoneOf(await sandbox.regular());
      const { order } = phone.words;
      const market = new FakeMarket();
      await sells(page, market);
      await openMarket(phone);
      await phone.app.getByRole('checkbox').check();
      const met = await tapTwice(page, buy(phone), apart);
      await expect(phone.modal(order.pending)).toBeVisible();
      await page.waitForTimeout(600); // a tap that went through would be answered by now
      if (met === null) continue;
      proved = true;
      await expect(phone.modal(order.pending), `${apart} ms`).toBeVisible();
      const opened = await page.evaluate(() => window.opened);
      expect([market.orders.length, opened], `${apart} ms`).toEqual([1, 1]);
    }
    expect(proved).toBe(true);
  });

  test('a purchase leads by the wallet app to the coins', async ({ phone, page, context }) => {
    const { order, toast, market: words } = phone.words;
    const market = new FakeMarket();
    await sells(page, market);
    await openMarket(phone);
    await expect(phone.app.getByText('2.50 USDT')).toBeVisible();
    await expect(phone.app.getByText('18,402,118')).toBeVisible();
    await field(phone).fill('5');
    await expect(phone.app.getByText('$12.50')).toBeVisible();
    await expect(buy(phone)).toBeDisabled();
    await phone.app.getByRole('checkbox').check();
    const payment = context.waitForEvent('page');
    await buy(phone).tap();
    const url = new URL((await payment).url());
    expect([url.searchParams.get('amount'), url.searchParams.get('text')]).toEqual([
      '5000000000',
      'MC-ABCDE12341',
    ]);
    await (await payment).close();
    await page.bringToFront();
    const sheet = phone.modal(order.pending);
    await sheet.getByRole('button', { name: order.other }).tap();
    await sheet.getByRole('button', { name: `Copy: ${order.comment}` }).tap();
    await expect(phone.app.getByText(toast.copied)).toBeVisible();
    market.becomes(1, { status: 'paid' });
    await expect(phone.modal(order.paid)).toContainText('+2,500');
    await phone.modal(order.paid).getByRole('button', { name: phone.words.common.close }).last().tap();
    await expect(phone.app.getByRole('dialog')).toHaveCount(0);
    await expect(phone.app.getByText(words.waiting)).toHaveCount(0);
  });

  test('an amount is clamped when it is written, and its fault is told before', { tag: long }, async ({
    phone,
    page,
  }) => {
    await sells(page, new FakeMarket());
    await openMarket(phone);
    for (const [written, fault, clamped] of [
      ['0.0', 'Minimum here: 1 TON', '1.0'],
      ['2000', 'Maximum purchase is 1000 TON', '1000.0'],
      ['abc', 'Invalid amount', '1.0'],
    ] as const) {
      await field(phone).fill(written);
      await expect(phone.app.getByRole('alert')).toHaveText(fault);
      await field(phone).press('Enter');
      await expect(field(phone)).toHaveValue(clamped);
      await expect(phone.app.getByRole('alert')).toHaveCount(0);
    }
    await phone.app.getByRole('button', { name: phone.words.market.more }).tap();
    await phone.app.getByRole('button', { name: phone.words.market.less }).tap();
    await expect(field(phone)).toHaveValue('1.0');
    await phone.app.getByRole('button', { name: phone.words.market.max }).tap();
    await expect(field(phone)).toHaveValue('1000.0');
  });

  test('an order found after a reload ends in each of its ways', { tag: long }, async ({ phone, page }) => {
    const { order, market: words } = phone.words;
    const market = new FakeMarket();
    await sells(page, market);
    for (const status of ['expired', 'held', 'paid'] as const) {
      market.orders = [anOrder()];
      await openMarket(phone);
      await phone.app.getByRole('button', { name: words.waiting }).tap();
      await expect(phone.modal(order.pending)).toBeVisible();
      // Who is paid asks for their figures: no answer may be on its way to them when the test ends.
      const told = status === 'paid' && page.waitForResponse('**/api/user/me*');
      market.becomes(1, { status });
      await expect(phone.modal(order[status])).toBeVisible();
      await told;
    }
  });

  test.describe('where prices fail', () => {
    test.use({ forgiven: /status of 503/ });

    test('no price is made up, Retry finds the price, and a stale one sells nothing', { tag: long }, async ({
      phone,
      page,
    }) => {
      const market = new FakeMarket();
      market.ton = aPrice({ stale: true });
      await sells(page, market);
      await refuse(page, '**/api/token/price-info', 503, 'price_unavailable');
      await phone.visit('/market');
      await expect(phone.app.getByRole('alert')).toContainText('Failed to load pricing data');
      await expect(phone.app.getByText('0.0010')).toHaveCount(0); // no figure that nobody told
      await page.unroute('**/api/token/price-info');
      await phone.app.getByRole('button', { name: phone.words.common.retry }).tap();
      await expect(phone.app.getByText('$0.0050').first()).toBeVisible();
      await phone.app.getByRole('checkbox').check();
      await expect(phone.app.getByText(phone.words.market.paused)).toBeVisible();
      await expect(buy(phone)).toBeDisabled();
      market.ton = aPrice();
      await expect(buy(phone)).toBeEnabled({ timeout: 40_000 }); // by itself
      await expect(phone.app.getByText(phone.words.market.paused)).toHaveCount(0);
    });
  });

  test('closed sales are said to be closed, and the policy leads back here', { tag: long }, async ({
    phone,
    page,
  }) => {
    const market = new FakeMarket();
    await sells(page, market);
    await openMarket(phone);
    await phone.app.getByRole('link', { name: phone.words.age.policy }).tap();
    await phone.app.getByRole('button', { name: phone.words.privacy.accept }).tap();
    await expect.poll(() => phone.path()).toBe('/market');
    market.open = false;
    await openMarket(phone);
    await expect(phone.app.getByText(phone.words.market.closed)).toBeVisible();
    await expect(field(phone)).toHaveCount(0);
  });
});
