import { FakeFriends, someFriends } from '../src/testing/FakeFriends';
import { aLeader, FakeLeaderboard, someLeaders } from '../src/testing/FakeLeaderboard';
import { anOrder, FakeMarket, launchPrices } from '../src/testing/FakeMarket';
import { aMiner, aResult, FakeMines, someMiners } from '../src/testing/FakeMines';
import { aTransaction, FakePurse } from '../src/testing/FakePurse';
import { inspect, inspectAtAllSizes, longName, sizes } from './inspect';
import {
  adviceAtLength,
  advised,
  bannedAtLength,
  befriends,
  busyDay,
  closings,
  fifthDay,
  giveEnergyBack,
  goldenWheel,
  highestLevel,
  hurry,
  loyal,
  mines,
  onDay,
  owns,
  prizes,
  ranks,
  refuse,
  refuseEnergy,
  refuseWheel,
  seasonBegan,
  seasoned,
  sells,
  silentAds,
  wheelBrings,
  wheelStands,
  withoutAds,
} from './stage';
import { expect, long, refusals, test } from './test';

// An ad that is not confirmed is a refusal too.
test.use({ forgiven: new RegExp(`${refusals.source}|status of 409`) });
// Each look at a screen takes a busy machine seconds, and a test has many of them.
test.describe.configure({ timeout: 180_000 });

for (const language_code of ['en', 'ru'] as const) {
  test.describe(`in ${language_code}`, { tag: long }, () => {
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

    test('a game out of its season fits too, and neither bag, tasks nor wheel can be touched', async ({
      sandbox,
      phoneOf,
      page,
    }) => {
      const phone = phoneOf(await sandbox.regular({ language_code }));
      const { home, tap, tasks, wheel } = phone.words;
      await busyDay(page, language_code);
      for (const [days, trail, bag] of [
        [-12, home.starts.replace(' {{date}}', ''), tap.season_ahead],
        [90, home.season_over, tap.season_over],
      ] as const) {
        await seasonBegan(page, days);
        await phone.openGame();
        await expect(phone.app.getByRole('img', { name: trail })).toBeVisible();
        await inspectAtAllSizes(phone, `home where ${trail}`);
        await phone.app.getByRole('button', { name: home.tasks }).tap();
        const panel = phone.app.getByRole('dialog');
        await expect(panel.getByText(tasks.paid_anyway)).toBeVisible();
        await expect(panel.getByRole('button', { name: `${tasks.visit}:` })).toBeDisabled();
        await inspectAtAllSizes(phone, `the tasks where ${trail}`);
        await page.keyboard.press('Escape');
        await expect(panel).toHaveCount(0);
        await phone.go('/tap');
        await expect(phone.app.getByRole('status').filter({ hasText: bag })).toBeVisible();
        await expect(phone.app.getByRole('button', { name: tap.bag })).toBeDisabled();
        await inspectAtAllSizes(phone, `the bag where ${trail}`);
        await phone.go('/roulette');
        await expect(phone.app.getByRole('button', { name: wheel.free })).toBeDisabled();
        await inspectAtAllSizes(phone, `the wheel where ${trail}`);
      }
    });

    test('the market and what becomes of an order fit too', async ({ sandbox, phoneOf, page }) => {
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
        await page.keyboard.press('Escape');
        await expect(phone.app.getByRole('dialog')).toHaveCount(0);
        await phone.go('/');
        // The game may still ask for the last one, which must not be gone.
        const over = market.orders.map((one) => ({ ...one, status: 'paid', payable: false }) as const);
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
      await phone.openGame();
      await phone.go('/market');
      await expect(phone.app.getByText(words.closed)).toBeVisible();
      await inspectAtAllSizes(phone, 'a closed market without prices');
    });

    test('few friends, many and none fit too', async ({ sandbox, phoneOf, page }) => {
      const phone = phoneOf(await sandbox.regular({ language_code }));
      const { referral } = phone.words;
      const friends = new FakeFriends();
      await befriends(page, friends);
      await phone.openGame();
      await phone.go('/referral');
      await phone.app.getByRole('button', { name: referral.none }).tap();
      await expect(phone.modal(referral.none).getByText(referral.none_note)).toBeVisible();
      await inspectAtAllSizes(phone, 'no friends');
      friends.all = someFriends(longName);
      await phone.openGame();
      await phone.go('/referral');
      await inspectAtAllSizes(phone, 'the referral screen with friends');
      await phone.app.locator('main ~ button[aria-haspopup=dialog]').tap();
      await expect(phone.app.getByRole('dialog').getByText('11/14')).toBeVisible();
      await inspectAtAllSizes(phone, 'friends');
    });

    test('the leaderboards fit, of nobody and of many', async ({ sandbox, phoneOf, page }) => {
      const phone = phoneOf(await sandbox.regular({ language_code }));
      const { leaderboard, home, errors, common } = phone.words;
      const told = new FakeLeaderboard();
      await refuse(page, '**/api/leaderboard?*', 500, 'internal');
      await phone.openGame();
      await phone.go('/leaderboard');
      await expect(phone.app.getByText(errors.internal)).toBeVisible();
      await inspectAtAllSizes(phone, 'no leaderboard');
      await page.unroute('**/api/leaderboard?*');
      told.counting = true;
      await ranks(page, told);
      await phone.app.getByRole('button', { name: common.retry }).tap();
      await expect(phone.app.getByText(home.rank_unknown)).toBeVisible();
      await inspectAtAllSizes(phone, 'ranks that are being counted');
      told.counting = false;
      told.others = someLeaders(250, longName);
      await phone.openGame();
      await phone.go('/leaderboard');
      for (const tab of [leaderboard.coins, leaderboard.points, leaderboard.purchased]) {
        await phone.app.getByRole('tab', { name: tab }).tap();
        await expect(phone.app.getByText(longName)).toBeVisible();
        await inspectAtAllSizes(phone, tab);
      }
      told.others = [];
      told.me = aLeader({ first_name: longName, game_mcbk: 12_345_678.9, total_days_in_game: 90 });
      await phone.openGame();
      await phone.go('/leaderboard');
      await expect(phone.app.getByRole('listitem')).toHaveCount(1);
      await inspectAtAllSizes(phone, 'a leaderboard of one');
    });

    test('the wallet fits, of a player who has nothing and of one who has much', async ({
      sandbox,
      phoneOf,
      page,
    }) => {
      const phone = phoneOf(await sandbox.regular({ language_code }));
      const { wallet } = phone.words;
      const purse = new FakePurse();
      await owns(page, purse, { wallet_address: null });
      await phone.openGame();
      await phone.go('/wallet');
      await expect(phone.app.getByRole('button', { name: wallet.connect })).toBeVisible();
      await inspectAtAllSizes(phone, 'no wallet');
      await phone.app.getByRole('button', { name: wallet.transactions }).tap();
      await expect(phone.app.getByText(wallet.none)).toBeVisible();
      await inspectAtAllSizes(phone, 'no transactions');

      await page.unrouteAll({ behavior: 'ignoreErrors' });
      purse.balance = 12_345_678.123456789;
      purse.history = Array.from({ length: 50 }, (_, i) =>
        aTransaction({ id: 100 - i, amount: 1_234_567.891, amount_usd: '+6172.83' }),
      );
      const balance = {
        game_mcbk: 12_345_678.901,
        referral_game_mcbk: 1,
        purchased_mcbk: 12_345_678.9,
        game_points: 12_345_678,
        referral_game_points: 1,
        usdt_balance: 1,
        daily_spins: 1,
        ad_spins: 1,
      };
      const wallet_address = 'UQBvQ8m1tttttttttttttttttttttttttttttttttttttttt7xKa';
      await owns(page, purse, { wallet_address, wallet_proven: false, balance });
      await phone.openGame();
      await phone.go('/wallet');
      await expect(phone.app.getByText('12')).not.toHaveCount(0);
      await inspectAtAllSizes(phone, 'a full wallet');
      await phone.app.getByRole('button', { name: wallet.manage }).tap();
      await expect(phone.app.getByText(wallet.unproven)).toBeVisible();
      await inspectAtAllSizes(phone, 'the panel of a wallet that is not proven');
      await page.keyboard.press('Escape');
      await expect(phone.app.getByRole('dialog')).toHaveCount(0);
      await phone.app.getByRole('button', { name: wallet.transactions }).tap();
      await expect(phone.app.getByRole('dialog').getByRole('listitem').first()).toBeVisible();
      await inspectAtAllSizes(phone, 'many transactions');
    });

    test('the mines fit in every state', async ({ sandbox, phoneOf, page }) => {
      test.slow();
      const phone = phoneOf(await sandbox.regular({ language_code }));
      const { mines: words } = phone.words;
      const market = new FakeMarket();
      const told = new FakeMines(market);
      await sells(page, market);
      await mines(page, told);
      const visit = async (path: string, sign: string) => {
        await phone.openGame();
        await phone.go(path);
        await expect(phone.app.getByText(sign).first()).toBeVisible();
        await inspectAtAllSizes(phone, `${path} with ${sign}`);
      };
      await visit('/mines-leaderboard', words.none);
      told.miners = someMiners(longName);
      told.me = aMiner({ name: longName });
      await visit('/mines-leaderboard', longName);
      await visit('/mines', words.hint_locked);
      await phone.app.locator('main ~ button[aria-haspopup=dialog]').tap();
      await expect(phone.app.getByRole('button', { name: words.skip })).toBeVisible();
      await inspectAtAllSizes(phone, 'the Gold Rush');
      told.own(9, 5);
      told.dug = 123_456.75;
      await visit('/mines', words.hint_empty);
      await phone.app.locator('main ~ button[aria-haspopup=dialog]').tap();
      await expect(phone.app.getByRole('dialog')).toContainText(words.digging);
      await inspectAtAllSizes(phone, 'the upgrades');
      market.orders = [anOrder({ kind: 'mine', level: 10 })];
      await visit('/mines', words.waiting);
      const plate = await phone.app.locator('main button + div', { hasText: 'MCBK' }).boundingBox();
      const bar = await phone.app.locator('main section', { hasText: words.ores }).boundingBox();
      expect((plate?.y ?? 0) + (plate?.height ?? 0), 'the plate ends above the bar').toBeLessThanOrEqual(
        bar?.y ?? 0,
      );
      await page.goto('about:blank'); // the page would ask for the order that is gone
      market.orders = [];
      told.tournament = { ...told.tournament, status: 'closed' };
      await visit('/mines', words.hint_closed);
      const next_starts_at = new Date(Date.now() + 200_000_000).toISOString();
      told.tournament = { ...told.tournament, status: 'final', result: aResult(), next_starts_at };
      await visit('/mines', words.result_due);
      const result = aResult({ prize_given: true, payout: 'due' });
      told.tournament = { ...told.tournament, status: 'awarded', result };
      await visit('/mines', words.result_owed);
      told.tournament = { ...told.tournament, status: 'awarded', result: null };
      await visit('/mines', words.result_none);
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
        const { daily, ads, advice, home, loyalty } = phone.words;
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

        (await loyal(page)).earned = true;
        await phone.openGame();
        for (const title of [daily.title, loyalty.title]) {
          // Nobody has touched the game yet: the keyboard is its own only once the modal has the focus.
          await expect(phone.modal(title)).toBeFocused();
          await page.keyboard.press('Escape');
          await expect(phone.modal(title)).toHaveCount(0);
        }
        await expect(phone.app.getByRole('button', { name: home.bonus })).toBeVisible();
        await inspectAtAllSizes(phone, 'Home with a bonus to claim, too');

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
