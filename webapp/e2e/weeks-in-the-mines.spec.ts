import { randomBytes } from 'node:crypto';
import type { Phone } from './phone';
import { connected, openWallet } from './purse';
import { type Game, residents, type Sandbox } from './sandbox';
import { alone, expect, long, test } from './test';

/** Moves everybody's clock to a moment, after which the player's launch data is made anew. */
async function travel(sandbox: Sandbox, phone: Phone, to: number): Promise<Game> {
  const here = await sandbox.game(phone.player);
  const away = to - Date.parse((await here.settings()).server_time);
  await sandbox.clock({ add: `${Math.ceil(away / 1000)}s` });
  let game = here;
  await expect(async () => {
    game = await sandbox.game(phone.player);
    expect(Date.parse((await game.settings()).server_time)).toBeGreaterThanOrEqual(to);
  }).toPass();
  return game;
}

/** Goes to where a tournament runs: a second try finds that the first has ended it, and plans another. */
async function intoATournament(sandbox: Sandbox, phone: Phone): Promise<Game> {
  const game = await sandbox.game(phone.player);
  const { tournament } = await game.mines();
  if (tournament.status === 'running') return game;
  const { ends_at, next_starts_at } = tournament;
  const adam = await theAdmin(sandbox);
  if (next_starts_at === null)
    await sandbox.command(adam, `/tournament new ${ends_at.slice(0, 10)}`, /Start a/);
  return travel(sandbox, phone, Date.parse(next_starts_at ?? ends_at) + 60_000);
}

/** Buys the player's next mines, paid on the chain. */
async function opens(sandbox: Sandbox, phone: Phone, game: Game, ...levels: number[]): Promise<void> {
  for (const level of levels) {
    const { order } = await game.orderMine(level);
    await sandbox.pay(phone.player, { nanotons: order.ton_amount * 1e9, comment: order.comment });
    await expect.poll(async () => (await game.mines()).current_mine_level).toBe(level);
  }
}

/** Digs so often, as fast as the game takes it. */
async function digs(game: Game, taps: number): Promise<void> {
  let left = taps;
  await expect(async () => {
    left -= (await game.dig(left, crypto.randomUUID())).accepted;
    expect(left).toBe(0);
  }).toPass();
}

const theAdmin = async (sandbox: Sandbox) => {
  const adam = await sandbox.person(residents.adam);
  await sandbox.say(adam, '/start');
  return adam;
};

// It moves everybody's clock; see weeks.spec.ts.
test.describe('the tournament in the mines', { tag: [alone, long] }, () => {
  // When the clock is set back, the page that is still open is of a day to come.
  test.use({ forgiven: /status of 401/ });

  test.afterEach(async ({ sandbox }) => {
    await sandbox.clock({ reset: true });
    await expect(() => sandbox.regular()).toPass();
  });

  test('fills an empty mine again when the next window begins, before the eyes of who waits', async ({
    sandbox,
    phone,
  }) => {
    test.setTimeout(180_000);
    const { mines } = phone.words;
    let game = await intoATournament(sandbox, phone);
    await game.connect(await sandbox.wallet(phone.player));
    await opens(sandbox, phone, game, 1);
    await digs(game, 100);
    const { energy_info } = await game.mines();
    expect(energy_info).toMatchObject({ current: 0, max: 1000 });

    const full = Date.parse(energy_info.full_at);
    game = await travel(sandbox, phone, full - 30_000);
    await phone.visit('/mines');
    await expect(phone.app.getByText(mines.hint_empty)).toBeVisible();
    await expect(phone.energyBar).toHaveAttribute('aria-valuenow', '1000', { timeout: 60_000 });
    await expect(phone.app.getByText(mines.hint_empty)).toHaveCount(0);
    await phone.app.getByRole('button', { name: mines.dig.replace('{{ore}}', mines.stone) }).tap();
    await expect(phone.energyBar).toHaveAttribute('aria-valuenow', '990');
    expect(Date.parse((await game.mines()).energy_info.full_at)).toBe(full + 12 * 3_600_000);
  });

  test('is awarded by an admin, and its winner sees coins and TON come', async ({
    sandbox,
    phoneOf,
    context,
  }) => {
    test.setTimeout(240_000);
    const phone = phoneOf(await sandbox.regular({ first_name: 'Marina' }));
    const { mines } = phone.words;
    let game = await intoATournament(sandbox, phone);
    await sandbox.say(phone.player, '/start');
    await openWallet(phone);
    await connected(phone, context);
    await opens(sandbox, phone, game, 1, 2);
    await digs(game, 200);
    const { energy_info, tournament } = await game.mines();
    game = await travel(sandbox, phone, Date.parse(energy_info.full_at));
    await digs(game, 200);
    game = await travel(sandbox, phone, Date.parse(tournament.ends_at));
    await expect.poll(async () => (await game.mines()).tournament.status, { timeout: 60_000 }).toBe('final');
    const { balance } = await game.me();
    expect([balance.game_mcbk, (await game.mines()).tournament_mcbk]).toEqual([200, 200]);

    const result = async (said: string) => {
      await phone.page.bringToFront();
      await phone.visit('/mines');
      await expect(phone.app.getByText(said)).toBeVisible();
      await expect(phone.app.locator('main')).toContainText('#1');
      await expect(phone.app.locator('main')).toContainText('30\u00a0TON');
      await expect(phone.app.locator('main')).toContainText('100,000');
    };
    await result(mines.result_due);

    const adam = await theAdmin(sandbox);
    const day = tournament.starts_at.slice(0, 10);
    // A first try may have left one that ended earlier.
    for (let asked = ''; !asked.includes(day); )
      asked = await sandbox.command(adam, '/tournament award', /^Award the tournament of/);
    expect((await game.me()).balance.game_mcbk).toBe(100_200);
    await result(mines.result_owed);

    const { id } = await game.me();
    const prize = new RegExp(`^(\\d+): 30 TON, prize of player ${id} .*`, 'm');
    const list = () => sandbox.command(adam, '/payouts', /^(Payouts|Nothing is owed)/);
    const [due, payout] = prize.exec(await list()) ?? [];
    expect(due).toContain('; due to UQ');
    await sandbox.command(adam, `/payouts approve ${payout}`, /^Approve payout/);
    expect(await list()).toMatch(new RegExp(`amount=30000000000&text=MCBK-${payout}$`, 'm'));
    await sandbox.command(
      adam,
      `/payouts sent ${payout} ${randomBytes(32).toString('hex')}`,
      /^Note that payout/,
    );
    expect(prize.exec(await list())?.[0]).toContain('waits for the chain');
    await sandbox.payOut(await sandbox.wallet(phone.player), 30e9, `MCBK-${payout}`);
    await expect
      .poll(async () => (await game.mines()).tournament.result?.payout, { timeout: 30_000 })
      .toBe('settled');
    expect(await list()).not.toMatch(prize);
    await result(mines.result_given);
    const told = async () => (await sandbox.chat(phone.player)).messages.map(({ text }) => text).join('\n');
    await expect.poll(told).toContain('prize has been paid: 30 TON to the wallet');
    expect(await told()).toContain('prize has arrived: 100,000 MCBK are yours');
  });
});
