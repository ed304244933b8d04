import { expect, test } from './test';

test('the privacy policy is read from the age gate, and accepting it opens the game', async ({
  sandbox,
  phoneOf,
}) => {
  const phone = phoneOf(await sandbox.newPlayer());
  await phone.openGame();
  const gate = phone.app.getByRole('dialog', { name: 'Rules' });
  const policy = phone.app.getByRole('heading', { name: 'Privacy Policy' });

  await gate.getByRole('link', { name: 'Privacy Policy' }).tap();
  await expect(policy).toBeVisible();
  await expect(gate).toHaveCount(0);
  await expect(phone.dock).toHaveCount(0);
  await phone.corner.tap();
  await expect(gate).toBeVisible();
  await expect(policy).toHaveCount(0);
  const game = await sandbox.game(phone.player);
  expect((await game.me()).age_consent_accepted).toBe(false);

  await gate.getByRole('link', { name: 'Privacy Policy' }).tap();
  for (const title of [
    'Information you provide',
    'Information collected automatically',
    'Information from third parties',
  ]) {
    await expect(phone.app.getByRole('heading', { name: title })).toBeAttached();
  }
  await phone.app.getByRole('button', { name: 'Accept and Continue' }).tap();
  await expect(phone.total).toBeVisible();
  await expect(phone.dock).toBeVisible();
  await expect(gate).toHaveCount(0);
  expect((await game.me()).age_consent_accepted).toBe(true);

  await phone.openGame();
  await expect(gate).toHaveCount(0);
});
