import { residents } from './sandbox';
import { expect, test } from './test';

test.describe('the people of the sandbox', () => {
  test.use({ greeting: 'whole' });

  test('Olga plays in Russian', async ({ sandbox, phoneOf }) => {
    const phone = phoneOf(await sandbox.person(residents.olga));
    await phone.open();
    await phone.start.tap();
    await phone.messages.last().getByRole('button', { name: 'Играть' }).tap();
    await expect(phone.loading).toHaveText('Добро пожаловать в MCBK');
    await phone.playable();
    const gate = phone.app.getByRole('dialog', { name: 'Правила' });
    await gate.getByRole('checkbox').check();
    await gate.getByRole('button', { name: 'Принять' }).tap();
    await expect(phone.total).toHaveText('0,00');
    await expect(phone.app.getByText('Ольга')).toBeVisible();
    await expect(phone.app.getByText('1\u00a0000 из 1\u00a0000')).toBeVisible();
    await expect(phone.dock.getByRole('link', { name: 'Главная' })).toBeVisible();
    const frame = await phone.frame();
    expect(await frame.evaluate(() => document.documentElement.lang)).toBe('ru');
  });

  test('Boris wears his Premium badge and his photo, a plain player neither', async ({
    sandbox,
    phoneOf,
  }) => {
    const boris = await sandbox.person(residents.boris);
    await (await sandbox.game(boris)).me();
    await (await sandbox.game(boris)).acceptAge();
    const phone = phoneOf(boris);
    await phone.openGame();
    await expect(phone.app.getByText('Boris', { exact: true })).toBeVisible();
    await expect(phone.app.getByText('Premium')).toBeVisible();
    await expect(phone.app.locator(`img[src$="/avatar/${boris.id}.svg"]`)).toBeVisible();

    const plain = phoneOf(await sandbox.regular());
    await plain.openGame();
    await expect(plain.app.getByText(plain.player.first_name, { exact: true })).toBeVisible();
    await expect(plain.app.getByText('Premium')).toHaveCount(0);
    await expect(plain.app.locator('img[src*="/avatar/"]')).toHaveCount(0);
  });

  test('Adam is told in /help that he is an admin, and nobody else is', async ({ sandbox, phoneOf }) => {
    for (const [player, admin] of [
      [await sandbox.person(residents.adam), 1],
      [await sandbox.newPlayer(), 0],
    ] as const) {
      await sandbox.say(player, '/help');
      const phone = phoneOf(player);
      await phone.open();
      const help = phone.messages.last();
      await expect(help).toContainText('How MCBK works');
      await expect(help.getByText('You are an admin of this game')).toHaveCount(admin);
    }
  });
});
