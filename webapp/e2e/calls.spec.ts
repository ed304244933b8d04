import { readFileSync, writeFileSync } from 'node:fs';
import { appUrl } from './addresses';
import { alone, expect, test } from './test';

/** The calls of each action of a player's day. `make day` plays them (bench/day.go), `make calls` rewrites them. */
const file = '../bench/calls.json';
const rewrite = process.env.CALLS === 'rewrite';
const expected: Readonly<Record<string, string[]>> = rewrite ? {} : JSON.parse(readFileSync(file, 'utf8'));
/** While rewriting, an action has ended when no call was made for so long, milliseconds. */
const quietTime = 5000;
/** Enough for a spin that pays coins at once, and one whose prize is claimed. */
const mostPlayers = 3;
const freeSpins = 10;

test.use({ checkIn: 'due', discount: 'offered', forgiven: /status of 409/ });

// Alone, since its calls are counted.
test('the load test plays the calls that the app makes', { tag: alone }, async ({
  sandbox,
  phoneOf,
  page,
}) => {
  test.slow();
  await page.emulateMedia({ reducedMotion: 'reduce' }); // the wheel stops after 300 ms
  const recorded: Record<string, string[]> = {};
  let calls: string[] = [];
  let last = Date.now();
  page.on('request', (request) => {
    const { origin, pathname, search } = new URL(request.url());
    if (origin !== appUrl || !/^\/(api\/.*)?$/.test(pathname)) return;
    calls.push(`${request.method()} ${pathname}${search}`);
    last = Date.now();
  });
  const begin = () => {
    calls = [];
    last = Date.now();
  };
  const quiet = () => expect.poll(() => Date.now() - last, { timeout: 60_000 }).toBeGreaterThan(quietTime);
  const end = async (action: string) => {
    /** Parallel calls start in any order, and a debounced read may be made twice on a busy machine. */
    const sorted = (list: readonly string[] = []) => [...new Set(list)].sort();
    if (rewrite) await quiet();
    else await expect.poll(() => sorted(calls), action).toEqual(sorted(expected[action]));
    recorded[action] ??= calls;
  };
  const record = async (action: string, act: () => Promise<unknown>) => {
    begin();
    await act();
    await end(action);
  };

  const player = async () => {
    const someone = await sandbox.regular();
    await sandbox.say(someone, '/start'); // so that the game does not ask whether the bot may write
    return phoneOf(someone);
  };
  let phone = await player();
  const { app, dock, words } = phone;
  const button = (name: string | RegExp) => app.getByRole('button', { name });
  const closeModals = async () => {
    for (const { title } of [words.daily, words.discount]) {
      if (!(await phone.modal(title).isVisible())) continue;
      await page.keyboard.press('Escape');
      await expect(phone.modal(title)).toHaveCount(0);
    }
  };
  const openWheel = () => phone.go('/roulette');

  await record('first visit', async () => {
    await phone.openGame();
    await expect(phone.modal(words.daily.title)).toBeVisible();
    await closeModals();
  });
  await closeModals();
  await record('another visit', () => phone.openGame());
  await closeModals();
  for (const [action, path] of [
    ['history', '/wallet'], // within a minute of the visit, while prices are fresh
    ['board', '/leaderboard'],
    ['look into the mines', '/mines'],
    ["miners' board", '/mines-leaderboard'],
    ['friends', '/referral'],
    ['look at the bag', '/tap'],
  ] as const)
    await record(action, () => phone.go(path));
  await expect(phone.energyBar).not.toHaveAttribute('aria-valuenow', '0');
  await phone.tap(3);
  await record('sync of taps', () => phone.go('/privacy?source=modal')); // as after 30 s; then comes the offer, and asks for prices
  await closeModals();
  await record('look at the wheel', openWheel);
  for (let spins = 0; !('claim of a prize' in recorded && 'spin for coins' in recorded); spins += 1) {
    expect(spins).toBeLessThan(mostPlayers * freeSpins);
    if (spins > 0 && spins % freeSpins === 0) {
      phone = await player();
      await phone.openGame();
      await quiet();
      await closeModals();
      await openWheel();
      await quiet();
    }
    begin();
    const answer = page.waitForResponse('**/api/roulette/spin');
    await button(new RegExp(`^${words.wheel.free}`)).tap();
    const { status, reward } = await (await answer).json();
    await end(status === 'pending' ? 'spin' : 'spin for coins');
    const claim = () => app.getByRole('button', { name: words.wheel.claim, exact: true }).tap();
    if (status === 'pending' && !reward.chest) await record('claim of a prize', claim);
    else await claim();
    await expect(app.getByRole('dialog')).toHaveCount(0);
    if (reward.chest) await quiet();
  }
  await record('back home', () => dock.getByRole('link', { name: words.nav.home }).tap());

  await record('advice', async () => {
    await button(words.home.advice).tap();
    await button(/^Claim \d+ points$/).tap();
  });
  await record('claim of a task', async () => {
    await button(words.home.tasks).tap();
    await app
      .getByRole('listitem')
      .getByRole('button', { name: /^Claim/ })
      .first()
      .tap();
  });
  begin();
  await quiet();
  expect(calls, 'late calls').toEqual([]);
  const byName = Object.fromEntries(Object.entries(recorded).sort());
  if (rewrite) writeFileSync(file, `${JSON.stringify(byName, null, '\t')}\n`);
});
