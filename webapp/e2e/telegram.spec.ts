import { cutNetwork, expect, test } from './test';

test('Telegram’s frame is dressed for the game', async ({ phone }) => {
  await phone.openGame();
  for (const [event, color] of [
    ['web_app_set_header_color', '#17110c'],
    ['web_app_set_background_color', '#17110c'],
    ['web_app_set_bottom_bar_color', '#231a12'],
  ] as const) {
    const set = await phone.events(event);
    expect(String(set.at(-1)?.color).toLowerCase(), event).toBe(color);
  }
  expect(await phone.events('web_app_expand')).not.toEqual([]);
  expect(await phone.events('web_app_ready')).not.toEqual([]);
  expect((await phone.events('web_app_setup_swipe_behavior')).at(-1)).toEqual({
    allow_vertical_swipe: false,
  });
});

test('Back shows off the five roots and leads to where the player came from', async ({ phone }) => {
  await phone.openGame();
  for (const path of ['/', '/roulette', '/market', '/referral', '/wallet']) {
    await phone.go(path);
    await expect(phone.corner, path).toHaveText('Close');
  }
  for (const [path, parent] of [
    ['/mines-rules', '/mines'],
    ['/mines', '/'],
    ['/leaderboard', '/'],
  ] as const) {
    await phone.go(path);
    await expect(phone.corner, path).toHaveText('Back');
    await phone.corner.tap();
    await expect.poll(() => phone.path()).toBe(parent);
  }
  await expect(phone.corner).toHaveText('Close');

  await phone.app.getByRole('button', { name: 'Profile and settings' }).tap();
  const profile = phone.app.getByRole('dialog', { name: 'Profile' });
  await expect(profile).toBeVisible();
  await phone.corner.tap();
  await expect(profile).toHaveCount(0);
  expect(await phone.path()).toBe('/');

  await phone.corner.tap();
  await expect(phone.sheet).toHaveCount(0);
});

test('only the page around the game speaks for Telegram', async ({ phone }) => {
  await phone.openGame();
  await phone.app.getByRole('button', { name: 'Profile and settings' }).tap();
  const profile = phone.app.getByRole('dialog', { name: 'Profile' });
  await expect(profile).toBeVisible();
  await (await phone.frame()).evaluate(() => {
    document.documentElement.dataset.since = 'the beginning';
  });
  // Another frame of the page posts what Telegram would, and so does the game's own window.
  const forger = await (
    await phone.page.evaluateHandle(() => document.body.appendChild(document.createElement('iframe')))
  ).contentFrame();
  if (!forger) throw new Error('there is no other frame');
  await forger.evaluate(async () => {
    const game = parent.document.querySelector('iframe')?.contentWindow;
    if (!game || game === window) throw new Error('there is no game');
    for (const eventType of ['back_button_pressed', 'reload_iframe', 'settings_button_pressed']) {
      game.postMessage(JSON.stringify({ eventType }), '*');
    }
  });
  await (await phone.frame()).evaluate(
    () =>
      new Promise<void>((heard) => {
        window.addEventListener('message', () => heard(), { once: true });
        window.postMessage(JSON.stringify({ eventType: 'back_button_pressed' }), '*');
      }),
  );
  await expect(profile).toBeVisible();
  expect(await (await phone.frame()).evaluate(() => document.documentElement.dataset.since)).toBe(
    'the beginning',
  );
  await phone.corner.tap(); // Telegram itself is heard, and this is the first word it says
  await expect(profile).toHaveCount(0);
  await expect(phone.total).toBeVisible();
  await expect(phone.corner).toHaveText('Close');
});

test('each tap that counts is felt', async ({ phone }) => {
  await phone.openGame();
  await phone.openTap();
  const before = await phone.events('web_app_trigger_haptic_feedback');
  await phone.tap(5);
  const felt = async () => (await phone.events('web_app_trigger_haptic_feedback')).slice(before.length);
  await expect.poll(felt).toEqual(Array(5).fill({ type: 'impact', impact_style: 'light' }));
});

test.describe('closing', () => {
  test.use({ forgiven: cutNetwork });

  test('is questioned while taps are unsaved', async ({ phone, context }) => {
    await phone.openGame();
    await phone.openTap();
    await context.setOffline(true);
    await phone.tap(3);
    await phone.leaveTap();
    const closing = async () => (await phone.events('web_app_setup_closing_behavior')).at(-1);
    await expect.poll(closing).toEqual({ need_confirmation: true });
    await expect(phone.corner).toHaveText('Close');
    await phone.corner.tap();
    const question = phone.page.getByRole('alertdialog');
    await expect(question).toContainText('Changes that you made may not be saved.');
    await question.getByRole('button', { name: 'Cancel' }).tap();
    await expect(phone.total).toBeVisible();

    await context.setOffline(false);
    await expect.poll(() => phone.hasUnsent()).toBe(false);
    await expect.poll(closing).toEqual({ need_confirmation: false });
    await phone.corner.tap();
    await expect(phone.sheet).toHaveCount(0);
  });
});
