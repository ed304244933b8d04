import type { Phone } from './phone';
import { expect, test } from './test';

/** The address of the game as it was opened, and the launch data in it. */
async function opened(phone: Phone): Promise<{ start: string | null; signed: string | null }> {
  await phone.playable();
  const address = new URL((await phone.sheet.locator('iframe').getAttribute('src')) ?? '');
  const data = new URLSearchParams(new URLSearchParams(address.hash.slice(1)).get('tgWebAppData') ?? '');
  return { start: address.searchParams.get('start'), signed: data.get('start_param') };
}

test.describe('an invitation', () => {
  test('in a start link leads through the chat into the game', async ({ sandbox, phoneOf }) => {
    const host = await sandbox.regular();
    const { referral_code: code } = await (await sandbox.game(host)).me();
    const phone = phoneOf(await sandbox.newPlayer());
    await phone.open(`start=${code}`);
    await phone.start.tap();
    await expect(phone.page.getByText(`/start ${code}`)).toBeVisible();
    await phone.messages.last().getByRole('button', { name: 'Play' }).tap();
    expect(await opened(phone)).toEqual({ start: code, signed: null });
  });

  test('in a direct link is signed by Telegram and told to the server', async ({
    sandbox,
    phoneOf,
    page,
  }) => {
    const host = await sandbox.regular();
    const { referral_code: code } = await (await sandbox.game(host)).me();
    const phone = phoneOf(await sandbox.newPlayer());
    const told = page.waitForRequest((request) => request.url().includes('/api/user/me'));
    await phone.open(`startapp=${code}`);
    expect(new URL((await told).url()).searchParams.get('referral_code')).toBe(code);
    expect(await opened(phone)).toEqual({ start: null, signed: code });
  });
});
