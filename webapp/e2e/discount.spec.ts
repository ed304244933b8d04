import { FakeMarket, launchPrices, priceInfo } from '../src/testing/FakeMarket';
import { tapTwice } from './fingers';
import { sells } from './stage';
import { expect, long, test } from './test';

test.use({ discount: 'offered' });

/** In a minute, by when the game is open on any machine. */
const soon = () => new Date(Date.now() + 60_000).toISOString();

test('the launch price is offered, bought by 1 TON, and then its order is shown', async ({ phone, page }) => {
  const { discount, order } = phone.words;
  const market = new FakeMarket();
  market.info = launchPrices();
  await sells(page, market);
  await phone.openGame();
  await phone.tapAndLeave();
  const modal = phone.modal(discount.title);
  await expect(modal).toContainText('$0.0020');
  await expect(modal).toContainText('Last price, from day 88: $0.0100');
  const timer = modal.getByRole('timer');
  await expect(timer).toContainText(/07 days21 hours4[78] min/); // nine seconds end that minute
  const before = await timer.textContent();
  await expect(timer).not.toHaveText(before ?? '');
  await modal.getByRole('button', { name: discount.buy }).tap();
  await expect(modal).toHaveCount(0);
  await expect(phone.modal(order.pending)).toBeVisible();
  expect(market.orders.map(({ ton_amount }) => ton_amount)).toEqual([1]);
});

test('Skip keeps it away, Close only until the next visit', { tag: long }, async ({
  sandbox,
  phone,
  page,
}) => {
  const { discount, common } = phone.words;
  const market = new FakeMarket();
  market.info = launchPrices();
  await sells(page, market);
  await phone.openGame();
  await phone.tapAndLeave();
  const modal = phone.modal(discount.title);
  await modal.getByRole('button', { name: common.close }).tap();
  await expect(modal).toHaveCount(0);
  await phone.openGame();
  await phone.tapAndLeave();
  await modal.getByRole('button', { name: discount.skip }).tap();
  await expect(modal).toHaveCount(0);
  const kept = await (await phone.frame()).evaluate(
    (id) => Number(localStorage.getItem(`discount_skipped:${id}`)),
    (await (await sandbox.game(phone.player)).me()).id,
  );
  expect(Math.abs(kept - Date.now())).toBeLessThan(60_000);
});

test('it goes when the launch price ends, and is not offered after that', { tag: long }, async ({
  phone,
  page,
}) => {
  test.slow();
  const market = new FakeMarket();
  market.info = launchPrices(soon());
  await sells(page, market);
  await phone.openGame();
  await phone.tapAndLeave();
  const modal = phone.modal(phone.words.discount.title);
  await expect(modal).toBeVisible();
  market.info = priceInfo();
  await expect(modal).toHaveCount(0, { timeout: 75_000 });
});

test('without a wallet it leads to one', { tag: long }, async ({ phone, page, context }) => {
  const { discount } = phone.words;
  const market = new FakeMarket();
  market.info = launchPrices();
  await sells(page, market, null);
  await phone.openGame();
  await phone.tapAndLeave();
  const opened = context.waitForEvent('page');
  await phone.modal(discount.title).getByRole('button', { name: discount.connect }).tap();
  await (await opened).close();
  await page.bringToFront();
  await expect(phone.modal(discount.title)).toHaveCount(0);
  await expect(phone.app.getByText('Continue in Sandbox wallet…')).toBeVisible();
  expect(market.orders).toEqual([]);
});

test.describe('after the reward of a day', () => {
  test.use({ checkIn: 'due' });

  for (const apart of [10, 60, 120, 250])
    test(`a second tap on Claim, after ${apart} ms, neither buys nor puts it away`, {
      tag: apart === 120 ? [] : long,
    }, async ({ phone, page }) => {
      const market = new FakeMarket();
      market.info = launchPrices();
      await sells(page, market);
      const { daily, discount } = phone.words;
      await phone.openGame();
      const claim = phone.modal(daily.title).getByRole('button', { name: daily.claim, exact: true });
      await tapTwice(page, claim, apart);
      await expect(phone.modal(daily.title)).toHaveCount(0);
      await phone.tapAndLeave(); // nothing was offered that lies in the way
      await expect(phone.modal(discount.title)).toBeVisible();
      expect(market.orders).toEqual([]);
    });
});
