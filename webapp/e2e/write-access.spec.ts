import type { Locator } from '@playwright/test';
import type { Phone } from './phone';
import { expect, long, test } from './test';

const question = (phone: Phone): Locator => phone.page.getByRole('alertdialog', { name: 'Allow messages?' });

const asked = async (phone: Phone) => (await phone.events('web_app_request_write_access')).length;

/** Past the rules, as every new player. */
async function accept(phone: Phone): Promise<void> {
  const gate = phone.app.getByRole('dialog', { name: phone.words.age.title });
  await gate.getByRole('checkbox').check();
  await gate.getByRole('button', { name: phone.words.age.accept }).tap();
  await expect(gate).toHaveCount(0);
}

/** Taps, and is home again when they are counted. */
async function earn(phone: Phone): Promise<void> {
  await phone.openTap();
  await phone.tap(3);
  await phone.leaveTap();
  await expect.poll(() => phone.hasUnsent()).toBe(false);
  await expect(phone.saving).toHaveCount(0);
}

test.describe('leave to write', () => {
  test('is asked of who came by a direct link, once, after the first reward, and then the bot writes', async ({
    sandbox,
    phoneOf,
  }) => {
    const phone = phoneOf(await sandbox.newPlayer());
    await phone.openGame();
    await accept(phone);
    await phone.openTap();
    await phone.tap(3);
    expect(await asked(phone)).toBe(0);
    await phone.leaveTap();
    await expect(question(phone)).toBeVisible();
    await expect(phone.saving).toHaveCount(0);
    await expect(phone.total).toBeVisible();
    await question(phone).getByRole('button', { name: 'Allow' }).tap();
    await expect(question(phone)).toHaveCount(0);
    await expect.poll(async () => (await sandbox.chat(phone.player)).started).toBe(true);

    await earn(phone);
    expect(await asked(phone)).toBe(1);
    const friend = await sandbox.newPlayer();
    const { referral_code } = await (await sandbox.game(phone.player)).me();
    await (await sandbox.game(friend, { start_param: referral_code })).me();
    await expect
      .poll(async () => (await sandbox.chat(phone.player)).messages.some((one) => one.from.is_bot))
      .toBe(true);
  });

  test('is not asked again of who refused, not on another visit either', { tag: long }, async ({
    sandbox,
    phoneOf,
  }) => {
    const phone = phoneOf(await sandbox.newPlayer());
    await phone.openGame();
    await accept(phone);
    await earn(phone);
    await question(phone).getByRole('button', { name: 'Cancel' }).tap();
    expect((await sandbox.chat(phone.player)).started).toBe(false);

    await phone.openGame();
    await earn(phone);
    await phone.corner.tap(); // whatever the game asks it has asked by now
    await expect(phone.sheet).toHaveCount(0);
    expect(await asked(phone)).toBe(0);
  });

  test('is never asked of who came through the bot', { tag: long }, async ({ sandbox, phoneOf }) => {
    const phone = phoneOf(await sandbox.newPlayer());
    await phone.open();
    await phone.start.tap();
    await phone.messages.last().getByRole('button', { name: 'Play' }).tap();
    await phone.playable();
    await accept(phone);
    await earn(phone);
    await phone.corner.tap();
    await expect(phone.sheet).toHaveCount(0);
    expect(await asked(phone)).toBe(0);
  });
});
