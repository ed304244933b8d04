import type { Frame, Page, Request } from '@playwright/test';
import type {
  AdTicket,
  CircleAds,
  Config,
  DailyReward,
  EnergyInfo,
  Fairness,
  Prediction,
  RouletteStatus,
  Settings,
  SpinAnswer,
  SpinReward,
  TapAnswer,
  TaskLists,
  User,
} from '../src/api/types';
import type { FakeFriends } from '../src/testing/FakeFriends';
import type { FakeLeaderboard } from '../src/testing/FakeLeaderboard';
import type { FakeMarket } from '../src/testing/FakeMarket';
import type { FakeMines } from '../src/testing/FakeMines';
import type { FakePurse } from '../src/testing/FakePurse';
import { aRecap } from '../src/testing/FakeRecap';
import { appUrl } from './addresses';
import type { Game } from './sandbox';

// Answers put in the place of the server's, for states of a screen that a player reaches only after weeks, or in bad luck.

const energy = '**/api/tap/energy-status';

/** A refusal as the server words it (api/openapi.yaml); 0 is no answer at all. */
export async function refuse(
  page: Page,
  path: string,
  status: number,
  code: string,
  params: Record<string, unknown> = {},
): Promise<void> {
  if (status === 0) await page.route(path, (route) => route.abort());
  else
    await page.route(path, (route) =>
      route.fulfill({ status, json: { code, message: code, requestId: 'r-4711', params } }),
    );
}

/** The server's answer, changed on its way. */
async function amend<Answer>(page: Page, path: string, change: (answer: Answer) => object): Promise<void> {
  await page.route(path, async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: change(await response.json()) });
  });
}

/** What a request calls, such as "GET /orders". */
const callOf = (request: Request) =>
  `${request.method()} ${new URL(request.url()).pathname.replace('/api', '')}`;

/** What an admin may write to whom they ban, in the player's language. */
export const banned = {
  en: 'Taps from a program, not from a finger: 30 a second for three nights.',
  ru: 'Тапы от программы, а не от пальца: 30 в секунду три ночи подряд.',
};

/** The longest an admin may write (200 characters), with a word that no line holds. */
export const bannedAtLength =
  `${banned.en} https://t.me/mcbk_rules/${'0123456789'.repeat(6)} ${'Write to us. '.repeat(9)}`
    .slice(0, 200)
    .trim();

/** Every refusal that closes the whole game, and the text of `shell` that says so. */
export const closings = [
  [401, 'init_data_expired', 'expired'],
  [403, 'user_blocked', 'blocked'],
  [503, 'maintenance', 'maintenance'],
  [500, 'internal', 'failed'],
  [0, 'offline', 'offline'],
] as const;

/** The energy of a player who has reached the highest level and has this much left. */
export async function highestLevel(page: Page, left: number): Promise<void> {
  const info: EnergyInfo = {
    as_of: 0,
    current_energy: left,
    max_energy: 5000,
    energy_per_tap: 1,
    mcbk_per_tap: 0.001,
    level_info: { current_level: 5, spins_to_next_level: 0, progress_to_next: 1, is_max_level: true },
    total_roulette_spins: 1600,
  };
  await page.route(energy, (route) => route.fulfill({ json: info }));
}

export const refuseEnergy = (page: Page) => refuse(page, energy, 500, 'internal');
export const giveEnergyBack = (page: Page) => page.unroute(energy);

/** A player with a life behind them: coins, points, a rank, a wallet, Premium. */
export async function seasoned(page: Page, coins?: number): Promise<void> {
  await amend<User>(page, '**/api/user/me*', (user) => inSeason(user, coins));
}

function inSeason(user: User, coins = 12_000.253): User {
  return {
    ...user,
    is_premium: true,
    wallet_address: 'UQBvQ8m1tttttttttttttttttttttttttttttttttttttttt7xK',
    daily_reward: user.daily_reward && reward,
    balance: {
      ...user.balance,
      game_mcbk: coins,
      referral_game_mcbk: 480,
      game_points: 4000,
      referral_game_points: 120,
      purchased_mcbk: coins * 0.6,
      usdt_balance: Math.floor(coins * 0.52) / 100,
    },
    stats: { leaderboard_rank: 128, total_days_in_game: 42, won_mcbk: 348 },
  };
}

/** The season began, or begins where negative, so many days before now; out of it nothing can be asked for. */
export async function seasonBegan(page: Page, days: number, recap = aRecap()): Promise<void> {
  await page.route('**/api/user/recap', (route) => route.fulfill({ json: recap }));
  await page.route('**/api/user/card', (route) => route.fulfill({ status: 202, json: { queued: true } }));
  await amend<Settings>(page, '**/api/settings', (settings) => {
    const start_date = new Date(Date.parse(settings.server_time) - days * 86_400_000).toISOString();
    const current_day = Math.min(Math.max(days + 1, 1), settings.total_days);
    return { ...settings, start_date, current_day };
  });
  await amend<User>(page, '**/api/user/me*', (user) => ({ ...user, can_get_prediction: false }));
}

/** The season as it stands on this day. */
export async function onDay(page: Page, current_day: number): Promise<void> {
  await amend<Settings>(page, '**/api/settings', (settings) => {
    const began = Date.parse(settings.start_date) - (current_day - settings.current_day) * 86_400_000;
    const start_date = new Date(began).toISOString();
    return { ...settings, start_date, current_day };
  });
}

const reward: DailyReward = {
  streak: 5,
  bonusCoin: 2.5,
  bonusPoints: 50,
  totalDaysInGame: 42,
  canDoubleWithAd: true,
};

/** A check-in on the fifth day of a streak. */
export async function fifthDay(page: Page): Promise<void> {
  await page.route('**/api/user/checkin', async (route) => {
    const { user } = await (await route.fetch()).json(); // nothing, where it was taken before
    await route.fulfill({ json: { ...reward, ...(user && { user: inSeason(user) }) } });
  });
}

/** An advice as long as they get, in the player's language. */
export async function advised(page: Page, text: string): Promise<void> {
  const json: Prediction = { id: 1, text, reward_points: 25, canDoubleWithAd: true };
  await page.route('**/api/prediction', (route) => route.fulfill({ json }));
}

export const adviceAtLength = {
  en: 'Dig where others have stopped. One more spin than yesterday is enough, and the map keeps its best corner for whoever comes back.',
  ru: 'Копайте там, где другие остановились. Хватит одного спина больше, чем вчера: лучший угол карты ждёт тех, кто возвращается.',
};

const configured = (page: Page, ads: Partial<Config['ads']>) =>
  amend<Config>(page, '**/api/config', (config) => ({ ...config, ads: { ...config.ads, ...ads } }));

/** A game without an ad network. */
export const withoutAds = (page: Page) =>
  configured(page, { enabled: false, script_url: null, block_id: null });

/** An ad network whose ads are over at once, and which never calls back. */
export async function silentAds(page: Page): Promise<void> {
  await configured(page, { enabled: true, script_url: '/silent-ads.js', block_id: 'unit', mode: 's2s' });
  const body = 'window.Adsgram = { init: () => ({ show: () => Promise.resolve({ done: true }) }) }';
  await page.route('**/silent-ads.js', (route) => route.fulfill({ contentType: 'text/javascript', body }));
  const ticket: AdTicket = { ticket: 't', block_id: 'unit', expires_at: '2126-01-01T00:00:00Z' };
  await page.route('**/api/ads/start', (route) => route.fulfill({ json: ticket }));
  await page.route('**/api/ads/complete', (route) => route.fulfill({ json: { confirmed: false } }));
  await refuse(page, '**/api/user/double-reward', 409, 'ad_not_confirmed');
}

/** From now on the game's waits are over twenty times sooner. */
export async function speedUpTimers(frame: Frame): Promise<void> {
  await frame.evaluate(() => {
    const wait = window.setTimeout;
    window.setTimeout = ((then: () => void, delay = 0, ...given: []) =>
      wait(then, delay / 20, ...given)) as typeof window.setTimeout;
  });
}
const tasks = '**/api/tasks';

/** A day half done: a reward waits, one was taken, and there are permanent tasks of both kinds. */
export async function busyDay(page: Page, language: 'en' | 'ru'): Promise<void> {
  const titles = {
    en: ['Join our Telegram channel', 'Open an exchange account', 'Read the news of the season'],
    ru: ['Подпишитесь на наш канал в Telegram', 'Откройте счёт на бирже', 'Почитайте новости сезона'],
  }[language];
  await amend<TaskLists>(page, tasks, (lists) => {
    const at = { roulette_spin: 3, tap_count: 360, watch_ads: 1, energy_spend: 1000, get_prediction: 1 };
    const day = lists.tasks.map((task) => {
      const current = at[task.action_type as keyof typeof at] ?? 0;
      const status =
        { energy_spend: 'claimed', get_prediction: 'completed' }[task.action_type as string] ?? 'active';
      return { ...task, status, progress: { ...task.progress, current } };
    });
    const [first] = lists.tasks;
    const special = titles.map((title, place) => ({
      ...first,
      id: 900_000 + place,
      title,
      description: '',
      action_type: place === 0 ? 'telegram_subscription' : 'exchange_join',
      image: place === 0 ? 'megaphone' : 'handshake',
      status: place === 2 ? 'completed' : 'active',
      external_url: 'https://t.me/mcbk_news',
      reward_coins: 3,
      reward_points: 100,
      isPermanent: true,
      task_date: 'permanent',
    }));
    return { tasks: day, permanent_tasks: special };
  });
}

export const refuseTasks = (page: Page) => refuse(page, tasks, 500, 'internal');
export const giveTasksBack = (page: Page) => page.unroute(tasks);

/** What the server says of the player's seeds, whatever page of it is asked for. */
export async function fairnessTold(page: Page, told: Fairness): Promise<void> {
  await page.route('**/api/roulette/fairness*', (route) => route.fulfill({ json: told }));
}

/** The loyalty bonus as the test has it: whether it is earned, whether a claim finds an answer; and how often it was asked for. */
export async function loyal(page: Page): Promise<{ earned: boolean; answers: boolean; asked: number }> {
  const circle = { earned: false, answers: true, asked: 0 };
  await page.route('**/api/circle-ads/status', (route) => {
    circle.asked += 1;
    const json: CircleAds = { as_of: 0, is_eligible: circle.earned, reward_claimed: false };
    return route.fulfill({ json });
  });
  await page.route('**/api/circle-ads/claim', (route) =>
    circle.answers
      ? route.continue()
      : route.fulfill({
          status: 503,
          json: { code: 'try_again', message: 'try_again', requestId: 'r-4711' },
        }),
  );
  return circle;
}
/** The wheel as it stands for a player: spins, streak, and whether a golden spin can be had. */
export async function wheelStands(page: Page, status: Partial<RouletteStatus> = {}): Promise<void> {
  const json: RouletteStatus = {
    as_of: Date.now(), // newer than what the program has told
    daily_spins: 3,
    ad_spins: 7,
    spin_streak: 4,
    spun_today: false,
    is_golden_spin_available: false,
    ...status,
  };
  await page.route('**/api/roulette/status', (route) => route.fulfill({ json }));
}

export const goldenWheel = { daily_spins: 1, spin_streak: 7, is_golden_spin_available: true };

/** What every spin of this player brings; claimed, nothing of it is paid. */
export async function wheelBrings(
  page: Page,
  player: Game,
  reward: SpinReward,
  levelsUp = false,
): Promise<void> {
  const figures = async () => ({
    user: await player.me(),
    // A golden spin's answer counts as newer than what `wheelStands` tells: there is no other golden spin.
    roulette: { ...(await player.wheel()), ...(reward.is_golden && { as_of: Date.now() }) },
    energy: levelsUp ? levelTwo(await player.energy()) : await player.energy(),
  });
  await page.route('**/api/roulette/spin', async (route) => {
    const status = reward.coins === undefined ? 'pending' : 'credited';
    const json: SpinAnswer = { spin_id: 12, status, reward, ...(await figures()) };
    await route.fulfill({ json });
  });
  await page.route('**/api/roulette/claim-*', async (route) => {
    await route.fulfill({ json: { reward, ...(await figures()) } });
  });
}

/** The energy of a player whose spin has just reached the second level. */
function levelTwo(energy: EnergyInfo): EnergyInfo {
  const level_info = { current_level: 2, spins_to_next_level: 320, progress_to_next: 0, is_max_level: false };
  return { ...energy, as_of: Date.now(), current_energy: 2000, max_energy: 2000, level_info };
}

export const prizes = {
  coins: prize({ type: 'coins_2', segment: 2, coins: 2, canDoubleWithAd: false }),
  points: prize({ type: 'points_200', segment: 3, points: 200 }),
  bonus: prize({
    type: 'bonus_spin',
    segment: 6,
    bonus_spin: true,
    additional_reward: { coins: 0, points: 10 },
    canDoubleWithAd: false,
  }),
  chest: prize({
    type: 'chest',
    segment: 0,
    chest: { type: 'coin_2_points_75', spins: 0, coins: 2, points: 75, canDoubleWithAd: true },
  }),
  golden: prize({
    type: 'chest',
    segment: 0,
    is_golden: true,
    multiplier: 5,
    chest: { type: 'coin_3_spin_1', spins: 1, coins: 15, points: 0, canDoubleWithAd: true },
  }),
  goldenBonus: prize({
    type: 'bonus_spin',
    segment: 6,
    is_golden: true,
    multiplier: 5,
    bonus_spin: true,
    additional_reward: { coins: 0, points: 50 },
    canDoubleWithAd: false,
  }),
};

function prize(reward: Pick<SpinReward, 'type' | 'segment'> & Partial<SpinReward>): SpinReward {
  return { is_golden: false, multiplier: 1, canDoubleWithAd: true, ...reward };
}

export const refuseWheel = (page: Page) => refuse(page, '**/api/roulette/status', 500, 'internal');

const paths = ['**/api/token/*', '**/api/orders', '**/api/orders?*', '**/api/orders/*'];

/** The wallet and the history that are given, in the place of the server. */
export async function owns(page: Page, purse: FakePurse, user: Partial<User>): Promise<void> {
  await amend<User>(page, '**/api/user/me*', (told) => ({ ...told, ...user }));
  for (const path of ['**/api/user/wallet', '**/api/user/transactions*'])
    await page.route(path, async (route) => {
      const request = route.request();
      const json = purse.answer(callOf(request), new URL(request.url()), request.postDataJSON(), {
        user: user as User,
      });
      await route.fulfill({ json });
    });
}

/** Mines as they are told here, in the place of the server's. */
export async function mines(page: Page, told: FakeMines): Promise<void> {
  await page.route('**/api/mines/*', async (route) => {
    const request = route.request();
    const player = { wallet_address: someWallet } as User;
    await route.fulfill({ json: told.answer(callOf(request), request.postDataJSON(), player) });
  });
}

/** Leaderboards as they are told here; how good the players really are is not asked for. */
export async function ranks(page: Page, told: FakeLeaderboard): Promise<void> {
  await page.route('**/api/leaderboard?*', (route) =>
    route.fulfill({ json: told.page(new URL(route.request().url())) }),
  );
}

/** Friends of the player as they are told here; those who really came are not asked for. */
export async function befriends(page: Page, friends: FakeFriends): Promise<void> {
  await page.route('**/api/referral?*', (route) =>
    route.fulfill({ json: friends.page(new URL(route.request().url())) }),
  );
}

/** Sells what the market given sells, in the place of the server, to a player with a wallet, or without. */
export async function sells(
  page: Page,
  market: FakeMarket,
  wallet: string | null = someWallet,
): Promise<void> {
  const player = { wallet_address: wallet };
  await amend<User>(page, '**/api/user/me*', (user) => ({ ...user, ...player }));
  await amend<TapAnswer>(page, '**/api/tap/perform-batch-tap', (answer) => ({
    ...answer,
    user: { ...answer.user, ...player },
  }));
  // Asked for once, so that none is on its way to the server when a test ends.
  const config: Config = await (await page.request.get(`${appUrl}/api/config`)).json();
  await page.route('**/api/config', (route) =>
    route.fulfill({ json: { ...config, sales_enabled: market.open, pay_with: market.payWith } }),
  );
  await page
    .context()
    .route('https://localhost/transfer/**', (route) => route.fulfill({ body: 'the wallet' }));
  for (const path of paths)
    await page.route(path, async (route) => {
      const request = route.request();
      try {
        await route.fulfill({ json: market.answer(callOf(request), request.postDataJSON(), player as User) });
      } catch (refusal) {
        const { status, code } = refusal as { status: number; code: string };
        await route.fulfill({ status, json: { code, message: code, requestId: 'r-4711' } });
      }
    });
}

const someWallet = 'UQBvQ8m1tttttttttttttttttttttttttttttttttttttttt7xKa';
