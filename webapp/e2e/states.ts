import type { Locator, Page } from '@playwright/test';
import { FakeFriends, someFriends } from '../src/testing/FakeFriends';
import { aLeader, FakeLeaderboard, someLeaders } from '../src/testing/FakeLeaderboard';
import { anOrder, aStarsOrder, FakeMarket, launchPrices } from '../src/testing/FakeMarket';
import { aMiner, aResult, FakeMines, someMiners } from '../src/testing/FakeMines';
import { aTransaction, FakePurse } from '../src/testing/FakePurse';
import { aRecap } from '../src/testing/FakeRecap';
import type { Phone } from './phone';
import type { Sandbox } from './sandbox';
import {
  adviceAtLength,
  advised,
  banned,
  bannedAtLength,
  befriends,
  busyDay,
  closings,
  fifthDay,
  goldenWheel,
  loyal,
  mines,
  onDay,
  owns,
  prizes,
  ranks,
  refuse,
  refuseWheel,
  seasonBegan,
  seasoned,
  sells,
  silentAds,
  speedUpTimers,
  wheelBrings,
  wheelStands,
  withoutAds,
} from './stage';
import { expect, test } from './test';

type Walk = {
  readonly page: Page;
  readonly phone: Phone;
  readonly sandbox: Sandbox;
  readonly language: 'en' | 'ru';
  /** What the player is called, and whoever is first in a list; a name may be too long. */
  readonly me: string;
  readonly first: string | undefined;
  /** Is called in each state, by its name: takes a picture, or inspects the screen. */
  readonly look: (state: string) => Promise<void>;
  /** Takes a picture of a state that passes, once this is seen. */
  readonly glance: (state: string, sign: Locator) => Promise<void>;
};

/** What the sandbox tells of any invoice, and of anybody's Stars. */
const invoice = {
  slug: 'invoice',
  title: 'MCBK',
  description: '',
  payload: 'MC',
  amount: 100,
  stars: 10_000,
};

/** The states of the game that take weeks or bad luck to come to, walked through for pictures.spec.ts and every-state.spec.ts. */
const walks: { readonly [topic: string]: (walk: Walk) => Promise<void> } = {
  async 'a closed game'({ page, phone, language, look }) {
    const { shell } = phone.words;
    const blocked = [403, 'user_blocked', shell.blocked_text] as const;
    for (const [name, [status, code, text], reason] of [
      ...closings.map(
        (closing) => [closing[2], [closing[0], closing[1], shell[closing[2]]], undefined] as const,
      ),
      ['blocked-reason', blocked, banned[language]],
      ['blocked-long-reason', blocked, bannedAtLength],
    ] as const) {
      await refuse(page, '**/api/settings', status, code, reason === undefined ? {} : { reason });
      await phone.open('startapp=');
      for (const sign of [text, ...(reason === undefined ? [] : [reason])])
        await expect(phone.app.getByText(sign)).toBeVisible();
      await look(`closed-${name}`);
      await page.unroute('**/api/settings');
    }
  },

  async 'out of the season'({ page, phone, language, look }) {
    const { home, recap, tap, tasks, wheel } = phone.words;
    await busyDay(page, language);
    for (const [name, days, trail] of [
      ['ahead', -12, home.starts.replace(' {{date}}', '')],
      ['over', 90, home.season_over],
    ] as const) {
      await seasonBegan(page, days);
      await phone.openGame();
      await expect(phone.app.getByRole('img', { name: trail })).toBeVisible();
      if (name === 'over') await expect(phone.app.getByText(recap.taps)).toBeVisible();
      await look(`home-season-${name}`);
      await phone.app.getByRole('button', { name: home.tasks }).tap();
      const panel = phone.app.getByRole('dialog');
      await expect(panel.getByText(tasks.paid_anyway)).toBeVisible();
      await expect(panel.getByRole('button', { name: `${tasks.visit}:` })).toBeDisabled();
      await look(`tasks-season-${name}`);
      await phone.closeDialog();
      await phone.go('/tap');
      await expect(phone.app.getByRole('status').filter({ hasText: tap[`season_${name}`] })).toBeVisible();
      await expect(phone.app.getByRole('button', { name: tap.bag })).toBeDisabled();
      await look(`tap-season-${name}`);
      await phone.go('/roulette');
      await expect(phone.app.getByRole('button', { name: wheel.free })).toBeDisabled();
      await look(`roulette-season-${name}`);
    }
  },

  async 'the season’s recap'({ page, phone, look }) {
    const { recap, toast } = phone.words;
    for (const [state, played] of [
      ['recap', aRecap()],
      ['recap-long', aRecap({ mcbk: 12_345_678.9, taps: 12_345_678, rank: 1_234_567, friends: 12_345 })],
      ['recap-empty', aRecap({ days: 1, mcbk: 0, taps: 0, rank: null, friends: 0, best_win_mcbk: 0 })],
    ] as const) {
      await seasonBegan(page, 90, played);
      await phone.openGame();
      await expect(phone.app.getByText(recap.taps)).toBeVisible();
      await phone.app.getByRole('button', { name: recap.send }).scrollIntoViewIfNeeded();
      await look(state);
    }
    await phone.app.getByRole('button', { name: recap.send }).tap();
    await expect(phone.app.getByRole('button', { name: recap.sent })).toBeDisabled();
    await phone.app.getByRole('button', { name: toast.card_sent }).tap(); // it covers the wallet's chip
    await look('recap-sent');
    await refuse(page, '**/api/user/recap', 500, 'internal');
    await phone.openGame();
    await expect(phone.app.getByText(recap.failed)).toBeVisible();
    await look('recap-failed');
  },

  async 'the wallet'({ page, phone, look }) {
    const { wallet } = phone.words;
    const purse = new FakePurse();
    const visit = async (user: Parameters<typeof owns>[2]) => {
      await page.unrouteAll({ behavior: 'ignoreErrors' });
      await owns(page, purse, user);
      await phone.visit('/wallet');
    };
    await visit({ wallet_address: null });
    await expect(phone.app.getByRole('button', { name: wallet.connect })).toBeVisible();
    await look('wallet-none');
    await phone.app.getByRole('button', { name: wallet.transactions }).tap();
    await expect(phone.app.getByText(wallet.none)).toBeVisible();
    await look('wallet-no-transactions');
    const few = [
      aTransaction({ id: 9, amount: 1250, amount_usd: '+2.50' }),
      aTransaction({
        id: 8,
        kind: 'referral',
        type: 'referral',
        name: 'From a friend',
        amount: 50,
        amount_usd: '+0.10',
      }),
      aTransaction({ id: 7 }),
    ];
    const many = Array.from({ length: 50 }, (_, i) =>
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
      is_golden_spin_available: false,
    };
    const wallet_address = 'UQBvQ8m1tttttttttttttttttttttttttttttttttttttttt7xKa';
    for (const [name, ton, history, user, sign] of [
      ['', 14.27, few, { wallet_proven: true }, wallet.disconnect],
      ['-full', 12_345_678.123456789, many, { wallet_proven: false, balance }, wallet.unproven],
    ] as const) {
      Object.assign(purse, { balance: ton, history });
      await visit({ wallet_address, ...user });
      await expect(phone.app.getByText(String(Math.trunc(ton)).slice(0, 2))).not.toHaveCount(0);
      await look(`wallet${name}`);
      await phone.app.getByRole('button', { name: wallet.manage }).tap();
      await expect(phone.app.getByText(sign)).toBeVisible();
      await look(`wallet-manage${name}`);
      await phone.closeDialog();
      await phone.app.getByRole('button', { name: wallet.transactions }).tap();
      await expect(phone.app.getByRole('dialog').getByRole('listitem').first()).toBeVisible();
      await look(`wallet-transactions${name}`);
    }
  },

  async friends({ page, phone, first, look }) {
    const { referral } = phone.words;
    const friends = new FakeFriends();
    await befriends(page, friends);
    const open = async (state: string) => {
      await phone.handle.tap();
      await expect(phone.app.getByRole('dialog').getByText('11/14')).toBeVisible();
      await look(state);
    };
    await phone.visit('/referral');
    await expect(phone.app.getByRole('button', { name: referral.none })).toBeVisible();
    await look('referral-none');
    await phone.handle.tap();
    await expect(phone.modal(referral.none).getByText(referral.none_note)).toBeVisible();
    await look('referral-no-friends');
    friends.all = someFriends(first);
    await phone.visit('/referral');
    await expect(phone.handle).toContainText('6');
    await look('referral');
    await open('referral-friends');
    await seasonBegan(page, 79);
    await phone.visit('/referral');
    const late = referral.each_late.replace('{{days}}', '14');
    await expect(phone.app.getByRole('heading', { name: late })).toBeVisible();
    await look('referral-late');
    await open('referral-friends-late');
    await seasonBegan(page, 90);
    await phone.visit('/referral');
    await expect(phone.app.getByText(referral.over)).toBeVisible();
    await look('referral-over');
  },

  async leaderboards({ page, phone, me, first, look }) {
    const { leaderboard, errors, common } = phone.words;
    const told = new FakeLeaderboard();
    await refuse(page, '**/api/leaderboard?*', 500, 'internal');
    await phone.visit('/leaderboard');
    await expect(phone.app.getByText(errors.internal)).toBeVisible();
    await look('leaderboard-failed');
    await page.unroute('**/api/leaderboard?*');
    told.counting = true;
    told.me = aLeader({ first_name: me });
    await ranks(page, told);
    await phone.app.getByRole('button', { name: common.retry }).tap();
    await expect(phone.app.getByText(leaderboard.none)).toBeVisible();
    await look('leaderboard-none');
    told.counting = false;
    told.others = someLeaders(250, first);
    await phone.visit('/leaderboard');
    for (const [state, tab, rank] of [
      ['leaderboard', leaderboard.coins, '#128'],
      ['leaderboard-purchased', leaderboard.purchased, '#'],
      ['leaderboard-points', leaderboard.points, '#75'],
    ] as const) {
      await phone.app.getByRole('tab', { name: tab }).tap();
      await expect(phone.app.getByText(rank).first()).toBeVisible();
      await look(state);
    }
    await phone.app.locator('main').evaluate((main) => main.scrollTo(0, 900));
    await expect(phone.app.getByText('#16')).toBeVisible();
    await look('leaderboard-scrolled');
    told.others = [];
    told.me = aLeader({ first_name: me, game_mcbk: 12_345_678.9, total_days_in_game: 90 });
    await phone.visit('/leaderboard');
    await expect(phone.app.getByRole('listitem')).toHaveCount(1);
    await look('leaderboard-of-one');
  },

  async 'the mines'({ page, phone, me, first, look }) {
    const { mines: words, order } = phone.words;
    const market = new FakeMarket();
    const told = new FakeMines(market);
    await sells(page, market);
    await mines(page, told);
    const dialog = phone.app.getByRole('dialog');
    const visit = async (path: string, sign: string, state: string) => {
      await phone.visit(path);
      await expect(phone.app.getByText(sign).first()).toBeVisible();
      await look(state);
    };
    const becomes = (change: Partial<FakeMines['tournament']>) => {
      told.tournament = { ...told.tournament, ...change };
    };
    await visit('/mines-leaderboard', words.none, 'mines-leaderboard-none');
    market.open = false;
    await sells(page, market);
    await visit('/mines', words.upgrade_closed, 'mines-closed');
    market.open = true;
    await sells(page, market);
    becomes({ status: 'final' });
    await visit('/mines-leaderboard', words.none_came, 'mines-leaderboard-over');
    becomes({ status: 'running' });
    told.miners = someMiners(first);
    told.me = aMiner({ name: me });
    await visit('/mines-leaderboard', '#37', 'mines-leaderboard');
    await visit('/mines-rules', words.title, 'mines-rules');
    await phone.app.getByText(words.rule_paid).scrollIntoViewIfNeeded();
    await look('mines-rules-end');
    await visit('/mines', words.hint_locked, 'mines-locked');
    await phone.handle.tap();
    await expect(phone.app.getByRole('button', { name: words.skip })).toBeVisible();
    await look('mines-gold-rush');
    told.own(4, 2340);
    told.dug = 3416;
    await visit('/mines', words.ores, 'mines');
    await phone.handle.tap();
    await expect(dialog).toContainText(words.digging);
    await look('mines-upgrade');
    await dialog.getByRole('button', { name: '3 TON' }).tap();
    await expect(phone.app.getByRole('button', { name: words.skip })).toBeVisible();
    await look('mines-buy');
    await phone.app.getByRole('button', { name: words.buy, exact: true }).tap();
    await expect(phone.modal(order.pending)).toBeVisible();
    await page.bringToFront();
    await look('mines-order');
    market.orders = market.orders.map((one) => ({ ...one, status: 'expired', payable: false }));
    told.own(9, 5);
    told.dug = 123_456.75;
    await visit('/mines', words.hint_empty, 'mines-empty');
    await phone.handle.tap();
    await expect(dialog).toContainText(words.digging);
    await look('mines-upgrade-last');
    market.orders = [anOrder({ kind: 'mine', level: 10 })];
    await visit('/mines', words.waiting, 'mines-waiting');
    const plate = await phone.app.locator('main button + div', { hasText: 'MCBK' }).boundingBox();
    const bar = await phone.app.locator('main section', { hasText: words.ores }).boundingBox();
    const end = (plate?.y ?? 0) + (plate?.height ?? 0);
    expect(end, 'the plate ends above the bar').toBeLessThanOrEqual(bar?.y ?? 0);
    await page.goto('about:blank'); // the page would ask for the order that is gone
    market.orders = [];
    becomes({ status: 'closed' });
    await visit('/mines', words.hint_closed, 'mines-counted');
    const next_starts_at = new Date(Date.now() + 200_000_000).toISOString();
    becomes({ status: 'final', result: aResult(), next_starts_at });
    await visit('/mines', words.result_due, 'mines-result');
    becomes({ status: 'awarded', result: aResult({ prize_given: true, payout: 'due' }) });
    await visit('/mines', words.result_owed, 'mines-result-owed');
    becomes({ result: null });
    await visit('/mines', words.result_none, 'mines-result-none');
  },

  async 'paying in Stars'({ page, phone, look }) {
    const { market: words, order, common, mines: mine, discount } = phone.words;
    const market = new FakeMarket();
    market.payWith = ['TON', 'XTR'];
    const told = new FakeMines(market);
    const closed = page.locator('.invoice').getByRole('button', { name: 'Close' }); // the phone has one too
    await sells(page, market, null);
    await mines(page, told);
    // Telegram's sheet answers by itself, as each state has it.
    let status = 'cancelled';
    await page.route('**/sandbox/stars/**', (route) => route.fulfill({ json: invoice }));
    await page.route('**/sandbox/stars/pay', (route) => route.fulfill({ json: { status } }));
    const end = async (as: string) => {
      status = as;
      if (as === 'cancelled') await closed.click();
      else await page.locator('[data-how="pay"]').click();
      if (as === 'failed') await page.getByRole('button', { name: 'OK', exact: true }).click();
    };
    await phone.visit('/market');
    await phone.app.getByRole('tab', { name: common.ton }).waitFor();
    await look('stars-market-ton');
    await phone.app.getByRole('tab', { name: common.stars }).tap();
    await phone.app.getByRole('checkbox').check();
    await expect(phone.app.getByRole('button', { name: words.buy_for })).toBeEnabled();
    await look('stars-market');
    await phone.app.getByRole('button', { name: words.buy_for }).tap();
    for (const as of ['cancelled', 'failed', 'pending'] as const) {
      await end(as);
      await expect(phone.app.getByText(order[`stars_${as}`])).toBeVisible();
      await look(`stars-order-${as}`);
      const again = phone.app.getByRole('button', { name: order.pay_for });
      if (as !== 'pending') await again.tap();
    }
    await page.keyboard.press('Escape');
    market.orders = [aStarsOrder({ id: 2, stars: 2500, mcbk_amount: 6500 })];
    await phone.visit('/market');
    await expect(phone.app.getByText(words.waiting)).toBeVisible();
    await look('stars-waiting');
    await phone.app.getByText(words.waiting).tap();
    await expect(phone.modal(order.pending)).toBeVisible();
    await look('stars-order');
    await phone.app.getByRole('button', { name: order.pay_for }).tap();
    await end('paid');
    await expect(phone.app.getByText(order.stars_paid)).toBeVisible();
    await look('stars-order-paid');
    for (const [as, change] of [
      ['paid', { paid_mcbk: 6500 }],
      ['refunded', {}],
      ['expired', {}],
    ] as const) {
      market.becomes(2, { status: as, ...change });
      await expect(phone.modal(order[as])).toBeVisible();
      await look(`stars-order-became-${as}`);
    }
    await page.goto('about:blank'); // the page would ask for the order that is gone
    // The device remembers the ids of orders it has seen paid.
    market.orders = [9, 8, 7].map((id) => aStarsOrder({ id, status: 'cancelled' }));
    await phone.visit('/mines');
    await expect(phone.app.getByText(mine.hint_locked)).toBeVisible();
    await phone.handle.tap();
    await expect(phone.app.getByText('193', { exact: true })).toBeVisible();
    await look('stars-gold-rush');
    await phone.visit('/mines-rules');
    await expect(phone.app.getByRole('main')).toContainText('193');
    await look('stars-mines-rules');
    told.own(4, 2340);
    await phone.visit('/mines');
    await phone.handle.tap();
    await expect(phone.app.getByRole('dialog')).toContainText('577');
    await look('stars-mines-upgrade');
    await phone.app.getByRole('dialog').getByRole('button', { name: '577' }).tap();
    await phone.app.getByRole('button', { name: mine.buy, exact: true }).tap();
    await expect(closed).toBeVisible();
    await end('cancelled');
    await expect(phone.modal(order.pending)).toBeVisible();
    await look('stars-mines-order');
    await page.goto('about:blank');
    market.orders = [];
    market.info = launchPrices();
    await phone.openGame();
    await phone.tapAndLeave();
    await expect(phone.modal(discount.title)).toBeVisible();
    await look('stars-discount');
    const purse = new FakePurse();
    purse.history = [
      aTransaction({
        id: 9,
        kind: 'refund',
        name: 'Refund',
        amount: 1300,
        amount_usd: '-6.50',
        is_withdraw: true,
      }),
      aTransaction({
        id: 8,
        kind: 'mine',
        name: 'Coal mine',
        amount: 289,
        amount_usd: '-3.75',
        asset: 'XTR',
        is_withdraw: true,
      }),
      aTransaction({ id: 7, amount: 1300, amount_usd: '+6.50' }),
    ];
    market.info = new FakeMarket().info;
    await owns(page, purse, { wallet_address: null });
    await phone.visit('/wallet');
    await phone.app.getByRole('button', { name: phone.words.wallet.transactions }).tap();
    await expect(phone.app.getByRole('dialog').getByRole('listitem').first()).toBeVisible();
    await look('stars-transactions');
  },

  async 'the wheel'({ page, phone, sandbox, look, glance }) {
    const player = await sandbox.game(phone.player);
    const { wheel, common, errors } = phone.words;
    const dialog = phone.app.getByRole('dialog');
    const spin = (name: string) => phone.app.getByRole('button', { name: new RegExp(`^${name}`) });
    const close = async () => {
      await phone.closeDialog();
      await page.unroute('**/api/roulette/spin');
    };
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await seasoned(page);
    await refuseWheel(page);
    await phone.visit('/roulette');
    await expect(phone.app.getByText(wheel.failed)).toBeVisible();
    await look('roulette-failed');
    await page.unroute('**/api/roulette/status');
    await wheelStands(page);
    await phone.app.getByRole('button', { name: common.retry }).tap();
    await expect(spin(wheel.free)).toBeEnabled();
    await look('roulette');
    for (const name of ['points', 'coins', 'bonus', 'chest'] as const) {
      await wheelBrings(page, player, prizes[name]);
      await spin(wheel.free).tap();
      await expect(dialog).toBeVisible();
      await look(`roulette-win-${name}`);
      await close();
    }
    for (const [name, status] of [
      ['golden-no-spin', { ...goldenWheel, daily_spins: 0 }],
      ['no-spin', { daily_spins: 0, ad_spins: 0, spin_streak: 0 }],
      ['all-spins', { daily_spins: 20, ad_spins: 10 }],
      ['golden', goldenWheel],
    ] as const) {
      await page.unroute('**/api/roulette/status');
      await wheelStands(page, status);
      await phone.go('/');
      await phone.go('/roulette');
      await expect(spin(name.includes('golden') ? wheel.golden : wheel.free)).toBeVisible();
      await look(`roulette-${name}`);
    }
    await wheelBrings(page, player, prizes.golden);
    await spin(wheel.golden).tap();
    await expect(dialog).toBeVisible();
    await glance('roulette-chest-opening', dialog);
    await look('roulette-chest');
    await close();
    await wheelStands(page);
    await refuse(page, '**/api/roulette/spin', 503, 'maintenance', { feature: 'wheel' });
    await phone.go('/');
    await phone.go('/roulette');
    await spin(wheel.free).tap();
    await expect(spin(wheel.free)).toContainText(errors.maintenance);
    await look('roulette-closed');
  },

  async 'the discount'({ page, phone, look }) {
    const { discount, errors } = phone.words;
    const market = new FakeMarket();
    market.info = launchPrices();
    await seasoned(page);
    for (const [wallet, state] of [
      [null, 'discount-no-wallet'],
      [undefined, 'discount'],
    ] as const) {
      await sells(page, market, wallet);
      await phone.openGame();
      await phone.tapAndLeave();
      await expect(phone.modal(discount.title)).toBeVisible();
      await look(state);
    }
    await refuse(page, '**/api/token/ton-price', 503, 'price_unavailable');
    await phone.openGame();
    await phone.tapAndLeave();
    await expect(phone.modal(discount.title).getByText(errors.price_unavailable)).toBeVisible();
    await look('discount-no-price');
  },

  async 'the daily loop'({ page, phone, language, look, glance }) {
    const { daily, ads, advice, home, loyalty } = phone.words;
    await seasoned(page);
    await onDay(page, 42);
    await fifthDay(page);
    await advised(page, adviceAtLength[language]);
    await silentAds(page);
    await phone.openGame();
    await speedUpTimers(await phone.frame());
    const reward = phone.modal(daily.title);
    const dialog = phone.app.getByRole('dialog');
    await expect(reward).toBeVisible();
    await look('home-daily-reward');
    await reward.getByRole('button', { name: ads.double }).tap();
    await glance('ad-confirming', phone.modal(ads.confirming));
    await expect(phone.modal(ads.late)).toBeVisible();
    await look('ad-late');
    await phone.modal(ads.late).getByRole('button').tap();
    await expect(dialog).toHaveCount(0);
    await look('home-reward-to-double');
    await phone.app.getByRole('button', { name: daily.again }).tap();
    await expect(reward.getByRole('button', { name: ads.double })).toBeEnabled();
    await look('home-daily-reward-again');
    await phone.closeDialog();
    await phone.app.getByRole('button', { name: home.advice }).tap();
    await expect(phone.modal(advice.title)).toBeVisible();
    await look('home-advice');
    (await loyal(page)).earned = true;
    await phone.openGame();
    for (const title of [daily.title, loyalty.title]) {
      // Nobody has touched the game yet: the keyboard is its own only once the modal has the focus.
      await expect(phone.modal(title)).toBeFocused();
      if (title === loyalty.title) await look('home-loyalty-bonus');
      await page.keyboard.press('Escape');
      await expect(phone.modal(title)).toHaveCount(0);
    }
    await expect(phone.app.getByRole('button', { name: home.bonus })).toBeVisible();
    await look('home-reward-and-bonus');
    await withoutAds(page);
    await phone.openGame();
    await expect(reward.getByText(ads.off)).toBeVisible();
    await look('home-daily-reward-no-ads');
  },
};

/** The states of the first days, and of a day whose check-in is to be had. */
const uses: { readonly [topic: string]: object } = {
  'the discount': { discount: 'offered' },
  'paying in Stars': { discount: 'offered' },
  'the daily loop': { checkIn: 'due' },
};

/** Walks through all states in one language, a test a topic. */
export function walkThrough(
  title: (topic: string) => string,
  { language, me, first }: Pick<Walk, 'language' | 'me' | 'first'>,
  observe: (phone: Phone) => Pick<Walk, 'look' | 'glance'>,
): void {
  for (const [topic, walk] of Object.entries(walks))
    test.describe(() => {
      test.use(uses[topic] ?? {});

      test(title(topic), async ({ page, sandbox, phoneOf }) => {
        test.slow(); // the app is opened many times
        const phone = phoneOf(await sandbox.regular({ language_code: language, first_name: me }));
        await walk({ page, phone, sandbox, language, me, first, ...observe(phone) });
      });
    });
}
