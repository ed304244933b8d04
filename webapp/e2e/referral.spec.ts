import { expect, test } from './test';

test('an invitation that was sent brings friends, by either link', async ({ sandbox, phoneOf }) => {
  const [guest, other] = await Promise.all([
    sandbox.newPlayer({ first_name: `Léa ${Date.now()}` }),
    sandbox.newPlayer({ first_name: 'Dmitry' }),
  ]);
  const host = phoneOf(await sandbox.regular({ first_name: 'Marina' }));
  const { referral } = host.words;
  await host.visit('/referral');
  await expect(host.app.getByRole('button', { name: referral.none })).toBeVisible();

  await host.app.getByRole('button', { name: referral.invite }).tap();
  await host.page.getByRole('button', { name: guest.first_name }).tap();
  const received = async () => (await sandbox.chat(guest)).shared;
  await expect.poll(received).toHaveLength(1);
  const [{ url, text } = { url: '', text: '' }] = await received();
  expect(text).toBe(referral.message);
  const code = new URL(url).searchParams.get('start') ?? '';
  expect(code).toMatch(/^[a-z0-9]{12}$/);

  await sandbox.say(guest, `/start ${code}`);
  await expect.poll(async () => (await sandbox.chat(guest)).messages.length).toBeGreaterThan(1);
  await (await sandbox.game(guest)).me();
  await (await sandbox.game(other, { direct: '1', start_param: code })).me();

  await host.visit('/referral');
  await host.handle.tap();
  const sheet = host.app.getByRole('dialog', { name: '2' });
  for (const { first_name: name } of [guest, other])
    await expect(sheet.getByRole('progressbar', { name })).toHaveAttribute('aria-valuenow', '0');
});
