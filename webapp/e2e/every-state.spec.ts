import { anOrder, FakeMarket, launchPrices } from '../src/testing/FakeMarket';
import { inspect, inspectAtAllSizes, longName, sizes } from './inspect';
import {
  adviceAtLength,
  advised,
  bannedAtLength,
  closings,
  fifthDay,
  giveEnergyBack,
  goldenWheel,
  highestLevel,
  hurry,
  onDay,
  prizes,
  refuse,
  refuseEnergy,
  refuseWheel,
  seasoned,
  sells,
  silentAds,
  wheelBrings,
  wheelStands,
  withoutAds,
} from './stage';
import { expect, refusals, test } from './test';

// An ad that is not confirmed is a refusal too.
test.use({ forgiven: new RegExp(`${refusals.source}|status of 409`) });

for (const language_code of ['en', 'ru'] as const) {
  test.describe(`in ${language_code}`, () => {
    test('a closed game fits a phone, its reader and a finger', async ({ sandbox, phoneOf, page }) => {
      const phone = phoneOf(await sandbox.regular({ language_code }));
      const settings = '**/api/settings';
      for (const [status, code, text] of closings) {
        await refuse(page, settings, status, code);
        await phone.open('startapp=');
        await expect(phone.app.getByText(phone.words.shell[text])).toBeVisible();
        await inspectAtAllSizes(phone, code);
        await page.unroute(settings);
      }
    });

    test('what an admin writes to a banned player fits, however long', async ({ sandbox, phoneOf, page }) => {
      const phone = phoneOf(await sandbox.regular({ language_code }));
      await refuse(page, '**/api/settings', 403, 'user_blocked', { reason: bannedAtLength });
      await phone.open('startapp=');
      await expect(phone.app.getByText(bannedAtLength)).toBeVisible();
      await expect(phone.app.getByText(phone.words.shell.blocked_text)).toBeVisible();
      await inspectAtAllSizes(phone, 'a long reason');
    });

    test('a player of many weeks and many coins fits too', async ({ sandbox, phoneOf, page }) => {
      const phone = phoneOf(await sandbox.regular({ language_code, first_name: longName }));
      const { home, profile } = phone.words;
      await seasoned(page, 12_345_678.901);
      await onDay(page, 42);
      await phone.openGame();
      await expect(phone.app.getByText('#128')).toBeVisible();
      await inspectAtAllSizes(phone, 'home of many weeks');
      await phone.app.getByRole('button', { name: home.profile }).tap();
      await expect(phone.app.getByRole('dialog').getByText(profile.notifications)).toBeVisible();
      await inspectAtAllSizes(phone, 'profile of many weeks');
    });

    test('the market and what becomes of an order fit too', async ({ sandbox, phoneOf, page }) => {
      test.setTimeout(120_000);
      const phone = phoneOf(await sandbox.regular({ language_code }));
      const { market: words, order, errors } = phone.words;
      const market = new FakeMarket();
      await sells(page, market);
      await phone.openGame();
      await phone.go('/market');
      await phone.app.getByRole('textbox').fill('1000.123456789');
      await expect(phone.app.getByRole('alert')).toHaveText(errors.amount_too_large);
      await phone.app.getByRole('checkbox').check();
      await phone.app.getByRole('textbox').fill('999.123456789');
      await phone.app.getByRole('button', { name: 'Tonkeeper' }).tap();
      await expect(phone.modal(order.pending)).toBeVisible();
      await inspectAtAllSizes(phone, 'an order');
      await phone.app.getByRole('button', { name: order.other }).tap();
      await inspectAtAllSizes(phone, 'other ways to pay');
      for (const [status, title] of [
        ['held', order.held],
        ['expired', order.expired],
        ['paid', order.paid],
      ] as const) {
        market.orders = [];
        await page.keyboard.press('Escape');
        await expect(phone.app.getByRole('dialog')).toHaveCount(0);
        await phone.go('/');
        market.orders = [anOrder()];
        await phone.go('/market');
        await phone.app.getByRole('button', { name: words.waiting }).tap();
        market.becomes(1, { status });
        await expect(phone.modal(title)).toBeVisible();
        await inspectAtAllSizes(phone, `an order that is ${status}`);
      }
      market.open = false;
      await refuse(page, '**/api/token/*', 503, 'price_unavailable');
      await phone.openGame();
      await phone.go('/market');
      await expect(phone.app.getByText(words.closed)).toBeVisible();
      await inspectAtAllSizes(phone, 'a closed market without prices');
    });

    test.describe('in the first days', () => {
      test.use({ discount: 'offered' });

      test('the discount fits too', async ({ sandbox, phoneOf, page }) => {
        const phone = phoneOf(await sandbox.regular({ language_code }));
        const market = new FakeMarket();
        market.info = launchPrices();
        await sells(page, market, null);
        await phone.openGame();
        await expect(phone.modal(phone.words.discount.title)).toBeVisible();
        await inspectAtAllSizes(phone, 'the discount');
      });
    });

    test.describe('with a check-in to be had', () => {
      test.use({ checkIn: 'due' });

      test('the reward, the advice and an ad fit too', async ({ sandbox, phoneOf, page }) => {
        const phone = phoneOf(await sandbox.regular({ language_code, first_name: longName }));
        const { daily, ads, advice, home } = phone.words;
        await fifthDay(page);
        await advised(page, adviceAtLength[language_code]);
        await silentAds(page);
        await phone.openGame();
        await hurry(await phone.frame());
        await expect(phone.modal(daily.title)).toBeVisible();
        await inspectAtAllSizes(phone, 'the daily reward');
        await phone.modal(daily.title).getByRole('button', { name: ads.double }).tap();
        await expect(phone.modal(ads.late)).toBeVisible();
        await inspectAtAllSizes(phone, 'a late ad');
        await phone.modal(ads.late).getByRole('button').tap();
        await expect(phone.app.getByRole('dialog')).toHaveCount(0);
        await inspectAtAllSizes(phone, 'Home with a reward to double');
        await phone.app.getByRole('button', { name: home.advice }).tap();
        await expect(phone.modal(advice.title)).toBeVisible();
        await inspectAtAllSizes(phone, 'the advice');

        await withoutAds(page);
        await phone.openGame();
        await expect(phone.modal(daily.title).getByText(ads.off)).toBeVisible();
        await inspectAtAllSizes(phone, 'the daily reward without ads');
      });
    });

    test('the wheel fits in every state', async ({ sandbox, phoneOf, page }) => {
      const phone = phoneOf(await sandbox.regular({ language_code }));
      const player = await sandbox.game(phone.player);
      const { wheel, common } = phone.words;
      const dialog = phone.app.getByRole('dialog');
      const spin = (name: string) => phone.app.getByRole('button', { name: new RegExp(`^${name}`) });
      await page.emulateMedia({ reducedMotion: 'reduce' });
      await refuseWheel(page);
      await phone.openGame();
      await phone.go('/roulette');
      await expect(phone.app.getByText(wheel.failed)).toBeVisible();
      await inspectAtAllSizes(phone, 'a wheel that is not known');

      await page.unroute('**/api/roulette/status');
      await wheelStands(page);
      await phone.app.getByRole('button', { name: common.retry }).tap();
      for (const name of ['points', 'bonus', 'chest'] as const) {
        await wheelBrings(page, player, prizes[name]);
        await spin(wheel.free).tap();
        await expect(dialog).toBeVisible();
        await inspectAtAllSizes(phone, `a win of ${name}`);
        await page.keyboard.press('Escape');
        await expect(dialog).toHaveCount(0);
        await page.unroute('**/api/roulette/spin');
      }
      for (const [state, status] of [
        ['a golden wheel', goldenWheel],
        ['a golden wheel without a spin', { ...goldenWheel, daily_spins: 0 }],
        ['a wheel without a spin', { daily_spins: 0, ad_spins: 0, spin_streak: 0 }],
        ['a wheel with all spins', { daily_spins: 20, ad_spins: 10 }],
      ] as const) {
        await page.unroute('**/api/roulette/status');
        await wheelStands(page, status);
        await phone.go('/');
        await phone.go('/roulette');
        await expect(spin(state.includes('golden') ? wheel.golden : wheel.free)).toBeVisible();
        await inspectAtAllSizes(phone, state);
      }
    });

    test('the tap screen fits in every state', async ({ sandbox, phoneOf, page }) => {
      const phone = phoneOf(await sandbox.regular({ language_code }));
      const { tap, errors } = phone.words;
      await refuseEnergy(page);
      await phone.openGame();
      await phone.go('/tap');
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
