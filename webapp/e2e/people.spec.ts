import { residents } from './sandbox';
import { expect, test } from './test';

test.describe('the people of the sandbox', () => {
  test.use({ greeting: 'whole' });

  test('Olga plays in Russian', async ({ sandbox, phoneOf }) => {
    const { language_code } = await sandbox.person(residents.olga);
    expect(language_code).toBe('ru');
    // Her chat can be started but once, so in the browser somebody like her plays.
    const phone = phoneOf(await sandbox.newPlayer({ first_name: 'Ольга', language_code }));
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

  test('who is called like a page’s code is only called so', async ({ sandbox, phoneOf }) => {
    const names = [
      `<img src=x onerror="document.title='theirs'">`,
      `"><svg onload="document.title='theirs'">`,
      `</script><script>document.title='theirs'</script>`,
      `{{constructor.constructor('document.title=1')()}}`,
      `javascript:document.title='theirs'`,
    ];
    const host = await sandbox.regular({ first_name: names[0] });
    const game = await sandbox.game(host);
    const code = (await game.me()).referral_code;
    for (const first_name of names) {
      const friend = await sandbox.newPlayer({ first_name });
      const theirs = await sandbox.game(friend, { direct: '1', start_param: code });
      await theirs.me();
      await theirs.acceptAge();
    }
    const phone = phoneOf(host);
    await phone.openGame();
    const title = await (await phone.frame()).title();
    const onlyText = async (where: string) => {
      const frame = await phone.frame();
      expect(await frame.title(), where).toBe(title);
      expect(
        await frame.evaluate(
          () => document.querySelectorAll('[onerror], [onload], img[src="x"], [href^="javascript:"]').length,
        ),
        where,
      ).toBe(0);
    };
    await expect(phone.app.getByText(names[0] as string, { exact: true })).toBeVisible();
    await onlyText('at home');
    await phone.app.getByRole('button', { name: 'Profile and settings' }).tap();
    await expect(phone.app.getByRole('dialog').getByText(names[0] as string)).toBeVisible();
    await onlyText('in the profile');
    await phone.corner.tap();
    await expect(phone.app.getByRole('dialog')).toHaveCount(0);
    await phone.go('/referral');
    await phone.handle.tap();
    for (const name of names) {
      await expect(phone.app.getByRole('dialog').getByText(name, { exact: true }), name).toBeAttached();
    }
    await onlyText('among friends');
  });
});
