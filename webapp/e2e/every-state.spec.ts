import { anOrder, FakeMarket } from '../src/testing/FakeMarket';
import { inspect, inspectAtAllSizes, longName, sizes } from './inspect';
import { busyDay, giveEnergyBack, highestLevel, onDay, refuse, refuseEnergy, seasoned, sells } from './stage';
import { walkThrough } from './states';
import { expect, long, refusals, test } from './test';

// An ad that is not confirmed is a refusal too.
test.use({ forgiven: new RegExp(`${refusals.source}|status of 409`) });
// Each look at a screen takes a busy machine seconds, and a test has many of them.
test.describe.configure({ timeout: 180_000 });

for (const language_code of ['en', 'ru'] as const) {
  test.describe(`in ${language_code}`, { tag: long }, () => {
    walkThrough(
      (topic) => `${topic} fits a phone, its reader and a finger`,
      { language: language_code, me: longName, first: longName },
      (phone) => ({
        look: (state) => inspectAtAllSizes(phone, state),
        glance: async () => undefined,
      }),
    );

    test('a player of many weeks and many coins fits too', async ({ sandbox, phoneOf, page }) => {
      const phone = phoneOf(await sandbox.regular({ language_code, first_name: longName }));
      const { home, profile } = phone.words;
      await seasoned(page, 12_345_678.901);
      await onDay(page, 42);
      await busyDay(page, language_code);
      await phone.openGame();
      await expect(phone.app.getByText('#128')).toBeVisible();
      await inspectAtAllSizes(phone, 'home of many weeks');
      await phone.app.getByRole('button', { name: home.profile }).tap();
      await expect(phone.app.getByRole('dialog').getByText(profile.notifications)).toBeVisible();
      await inspectAtAllSizes(phone, 'profile of many weeks');
    });

    test('the market and what becomes of an order fit too', async ({ sandbox, phoneOf, page }) => {
      const phone = phoneOf(await sandbox.regular({ language_code }));
      const { market: words, order, errors } = phone.words;
      const market = new FakeMarket();
      await sells(page, market);
      await phone.visit('/market');
      await phone.app.getByRole('textbox').fill('1000.123456789');
      await expect(phone.app.getByRole('alert')).toHaveText(errors.amount_too_large);
      await phone.app.getByRole('checkbox').check();
      await phone.app.getByRole('textbox').fill('999.123456789');
      await phone.app.getByRole('button', { name: 'Sandbox wallet' }).tap();
      await expect(phone.modal(order.pending)).toBeVisible();
      await inspectAtAllSizes(phone, 'an order');
      await phone.app.getByRole('button', { name: order.other }).tap();
      await inspectAtAllSizes(phone, 'other ways to pay');
      for (const [status, title] of [
        ['held', order.held],
        ['expired', order.expired],
        ['paid', order.paid],
      ] as const) {
        await phone.closeDialog();
        await phone.go('/');
        // The game may still ask for the last one, which must not be gone.
        const over = market.orders.map((one) => ({ ...one, status: 'cancelled', payable: false }) as const);
        const id = over.length + 1;
        market.orders = [anOrder({ id }), ...over];
        await phone.go('/market');
        const waiting = phone.app.getByRole('button', { name: words.waiting });
        await expect(waiting).toContainText(/5\sTON/); // not the one before
        await waiting.tap();
        market.becomes(id, { status });
        await expect(phone.modal(title)).toBeVisible();
        await inspectAtAllSizes(phone, `an order that is ${status}`);
      }
      market.open = false;
      await refuse(page, '**/api/token/*', 503, 'price_unavailable');
      await phone.visit('/market');
      await expect(phone.app.getByText(words.closed)).toBeVisible();
      await inspectAtAllSizes(phone, 'a closed market without prices');
    });

    test('the tap screen fits in every state', async ({ sandbox, phoneOf, page }) => {
      const phone = phoneOf(await sandbox.regular({ language_code }));
      const { tap, errors } = phone.words;
      await refuseEnergy(page);
      await phone.visit('/tap');
      await expect(phone.app.getByText(errors.energy)).toBeVisible();
      await inspectAtAllSizes(phone, 'energy failed');

      await giveEnergyBack(page);
      await highestLevel(page, 0);
      await phone.app.getByRole('button', { name: phone.words.common.retry }).tap();
      await expect(phone.app.getByText(tap.depleted)).toBeVisible();
      await inspectAtAllSizes(phone, 'energy depleted, highest level');

      // A toast stays for 4 s. Each size raises its own, and again where looking at it took longer than that.
      const toast = phone.app.getByRole('button', { name: errors.no_energy });
      for (const size of sizes) {
        await page.setViewportSize(size);
        await expect(async () => {
          await phone.go('/');
          await phone.go('/tap');
          await expect(toast).toHaveCount(0);
          await phone.bag.tap();
          await expect(toast).toBeVisible();
          await inspect(await phone.frame(), `toast at ${size.width} x ${size.height}`);
          await expect(toast).toBeVisible({ timeout: 1 });
        }).toPass();
      }

      await phone.app.getByRole('button', { name: tap.progress }).tap();
      const drawer = phone.app.getByRole('dialog', { name: tap.progress });
      await expect(drawer.getByText(tap.max.replace('{{level}}', '5'))).toBeVisible();
      await inspectAtAllSizes(phone, 'the drawer at the highest level');
    });
  });
}
