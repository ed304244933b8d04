import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Fairness } from '../src/api/types';
import { aRetiredSeed, someSeeds } from '../src/testing/seeds';
import type { Phone } from './phone';
import type { Game } from './sandbox';
import { fairnessTold } from './stage';
import { expect, long, test } from './test';

const project = fileURLToPath(new URL('../..', import.meta.url));
const script = `${project}scripts/fairness.sh`;

/** What scripts/fairness.sh has to say of a spin: the hash of the seed, the segment and its prize, and a chest's. */
function byShell(seed: Fairness['retired'][number], nonce: number) {
  const lines = execFileSync(script, [seed.server_seed, seed.client_seed, String(nonce)], {
    encoding: 'utf8',
  });
  const said = new Map(lines.split('\n').map((line) => line.split(/ +(.*)/, 2) as [string, string]));
  return {
    hash: said.get('hash'),
    segment: said.get('segment'),
    chest: said.get('chest')?.split(' ')[1],
  };
}

/** Spins by the API alone, at the pace the server allows. */
async function spin(game: Game, times: number): Promise<void> {
  for (let left = times; left > 0; left -= 1) {
    await expect(async () => void (await game.spin())).toPass({ intervals: [200] });
  }
}

async function openPage(phone: Phone): Promise<void> {
  await phone.visit('/roulette/fairness');
  await expect(phone.app.getByRole('heading', { name: phone.words.fairness.title })).toBeVisible();
}

const field = (phone: Phone) => phone.app.getByRole('textbox');
const button = (phone: Phone, name: string) => phone.app.getByRole('button', { name, exact: true });
const value = (phone: Phone, label: string) =>
  phone.app.getByRole('listitem').filter({ hasText: label }).getByRole('code').first();

test('what docs/fairness.md shows is what a shell says', () => {
  const page = readFileSync(`${project}docs/fairness.md`, 'utf8');
  const lines = page.match(/(?<=^ {4}).*$/gm) ?? [];
  const typed = lines.filter((line) => /^[$>] /.test(line)).map((line) => line.slice(2));
  const answered = lines.filter((line) => !/^[$>] /.test(line));
  expect(typed.length).toBeGreaterThan(5);
  const said = execFileSync('sh', ['-euc', typed.join('\n')], { cwd: project, encoding: 'utf8' });
  expect(said.trimEnd().split('\n')).toEqual(answered);
});

test('a player changes the seed, and every spin made before is recomputed by the browser and by a shell', async ({
  sandbox,
  phone,
}) => {
  const game = await sandbox.game(phone.player);
  const before = await game.fairness();
  await spin(game, 4);
  await openPage(phone);
  const { words } = phone;
  await expect(phone.app.getByRole('row', { name: 'Chest 0–5 6%' })).toBeVisible();
  await expect(phone.app.getByRole('row', { name: '3 coins + 1 spin 95–99 5%' })).toBeVisible();
  await expect(value(phone, words.fairness.hash)).toHaveText(before.server_seed_hash);
  await expect(value(phone, words.fairness.next_hash)).toHaveText(before.next_server_seed_hash);
  await expect(value(phone, words.fairness.nonce)).toHaveText('4');
  await expect(phone.app.getByText(words.fairness.none)).toBeAttached();

  await button(phone, words.fairness.random).tap();
  await expect(field(phone)).toHaveValue(/^[0-9a-f]{32}$/);
  const chosen = await field(phone).inputValue();
  await button(phone, words.fairness.save).tap();
  await expect(phone.app.getByText(words.toast.client_seed)).toBeVisible();
  await expect(value(phone, words.fairness.client)).toHaveText(chosen);
  // What was to come next has come, and was known before the player chose.
  await expect(value(phone, words.fairness.hash)).toHaveText(before.next_server_seed_hash);
  await expect(value(phone, words.fairness.nonce)).toHaveText('0');
  await expect(field(phone)).toHaveValue('');

  await phone.app.getByRole('button', { name: /^Check the seed/ }).tap();
  await expect(phone.app.getByText('all 4 spins match')).toBeVisible();
  await expect(phone.app.getByText(words.fairness.fair, { exact: true })).toBeVisible();
  const list = phone.app.getByRole('list', { name: words.fairness.spins });
  await expect(list.getByText(words.fairness.matches)).toHaveCount(4);

  const [seed] = (await game.fairness()).retired;
  expect(seed).toMatchObject({
    server_seed_hash: before.server_seed_hash,
    client_seed: before.client_seed,
  });
  if (!seed) throw new Error('no seed was retired');
  expect(seed.spins.map(({ nonce }) => nonce)).toEqual([0, 1, 2, 3]);
  for (const { nonce, segment, type, chest_type } of seed.spins) {
    expect(byShell(seed, nonce)).toEqual({
      hash: before.server_seed_hash,
      segment: `${segment} ${type}`,
      chest: chest_type,
    });
  }
});

test('a spin told otherwise than it was is shown as such, with both outcomes', { tag: long }, async ({
  phone,
  page,
}) => {
  const honest = aRetiredSeed();
  const spins = honest.spins.map((one) =>
    one.nonce === 1 ? { ...one, segment: 3, type: 'points_200' as const } : one,
  );
  const renamed = { ...honest, server_seed: 'ff'.repeat(32), server_seed_hash: 'ee'.repeat(32), spins: [] };
  await fairnessTold(page, someSeeds({ retired: [{ ...honest, spins }, renamed] }));
  await openPage(phone);
  const checks = phone.app.getByRole('button', { name: /^Check the seed/ });
  await checks.first().tap();
  await expect(phone.app.getByText('1 spin does not match.')).toBeVisible();
  await expect(
    phone.app.getByText('The server says 200 points (segment 3). Roll 46 gives 10 points (segment 5).'),
  ).toBeVisible();
  await expect(phone.app.getByText(phone.words.fairness.matches)).toHaveCount(13);
  await checks.last().tap();
  await expect(phone.app.getByText(phone.words.fairness.wrong_hash)).toBeVisible();
  await expect(phone.app.getByText(phone.words.fairness.unfair, { exact: true })).toHaveCount(2);
});

test('a seed that cannot be is told below the field, and is not sent', { tag: long }, async ({
  phone,
  page,
}) => {
  await fairnessTold(page, someSeeds());
  await openPage(phone);
  const { words } = phone;
  const save = button(phone, words.fairness.save);
  await expect(save).toBeDisabled();
  for (const [draft, fault] of [
    ['seven77', words.fairness.short],
    ['with space', words.fairness.letters],
    ['x'.repeat(65), words.fairness.long],
  ] as const) {
    await field(phone).fill(draft);
    await expect(phone.app.getByRole('alert')).toHaveText(fault);
    await expect(save).toBeDisabled();
  }
  await field(phone).fill('eight888');
  await expect(phone.app.getByRole('alert')).toHaveCount(0);
  await expect(save).toBeEnabled();
});

test('without a secure connection the page says so, and still shows the seeds', { tag: long }, async ({
  phone,
  page,
}) => {
  await page.addInitScript(() => Object.defineProperty(Crypto.prototype, 'subtle', { get: () => undefined }));
  await fairnessTold(page, someSeeds({ retired: [aRetiredSeed()] }));
  await openPage(phone);
  await expect(phone.app.getByText(phone.words.fairness.insecure)).toBeVisible();
  await phone.app.getByRole('button', { name: /^Show the seed/ }).tap();
  await expect(phone.app.getByText(aRetiredSeed().server_seed)).toBeVisible();
  await expect(phone.app.getByText(phone.words.fairness.matches)).toHaveCount(0);
});

test('a hash is copied whole, and back leads to the wheel', { tag: long }, async ({ phone, page }) => {
  await fairnessTold(page, someSeeds());
  await openPage(phone);
  const { words } = phone;
  await button(phone, `Copy: ${words.fairness.hash}`).tap();
  await expect(phone.app.getByText(words.toast.copied)).toBeVisible();
  // What was copied is pasted, as the player would.
  await field(phone).focus();
  await page.keyboard.press('Control+V');
  await expect(field(phone)).toHaveValue(someSeeds().server_seed_hash);
  await phone.corner.tap();
  await expect.poll(() => phone.path()).toBe('/roulette');
});
