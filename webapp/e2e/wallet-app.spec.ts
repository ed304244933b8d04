import { randomBytes } from 'node:crypto';
import { appUrl, sandboxUrl } from './addresses';
import { expect, test } from './test';

// The sandbox's wallet app, as people use it: what the game's own connect button opens.

/** A connect link such as the game makes, for an app that nobody listens for. */
function connectLink(): string {
  const request = {
    manifestUrl: `${appUrl}/tonconnect-manifest.json`,
    items: [{ name: 'ton_addr' }, { name: 'ton_proof', payload: 'abc' }],
  };
  const id = randomBytes(32).toString('hex');
  return `${sandboxUrl}/wallet?${new URLSearchParams({ v: '2', id, r: JSON.stringify(request), ret: 'back' })}`;
}

// Alone: beside it others open their phones.
test('whose phone was open last is asked, connects the game, and disconnects it again', {
  tag: '@alone',
}, async ({ sandbox, phoneOf, page }) => {
  const player = await sandbox.newPlayer();
  await phoneOf(player).open();
  await page.goto(connectLink());
  await expect(page.getByLabel('Whose wallet', { exact: true }).locator('select')).toHaveValue(
    String(player.id),
  );
  const asked = page.getByRole('region', { name: 'Connect', exact: true });
  await expect(asked).toContainText('MCBK');
  await expect(asked.getByRole('listitem')).toHaveText([
    'to see your address and balance',
    'a signature that the address is yours',
  ]);
  const apps = page.getByRole('region', { name: 'Connected apps' }).getByRole('listitem');
  await expect(apps).toHaveCount(0);

  await asked.getByRole('button', { name: 'Connect' }).tap();
  await expect(page.getByRole('status').first()).toHaveText('Connected. You can go back to the app.');
  await expect(apps).toHaveText([/MCBK/]);
  await expect(asked).toHaveCount(0);
  await page.reload();
  await expect(apps).toHaveText([/MCBK/]);
  await expect(asked).toHaveCount(0);

  await apps.getByRole('button', { name: 'Disconnect' }).tap();
  await expect(page.getByRole('status').first()).toHaveText('MCBK is disconnected.');
  await expect(apps).toHaveCount(0);
});

test('who declines connects nothing', async ({ sandbox, page }) => {
  const player = await sandbox.newPlayer();
  await page.goto(`${connectLink()}&player=${player.id}`);
  await page.getByRole('button', { name: 'Decline' }).tap();
  await expect(page.getByRole('status').first()).toHaveText('Declined. You can go back to the app.');
  await expect(page.getByRole('region', { name: 'Connected apps' }).getByRole('listitem')).toHaveCount(0);
});
