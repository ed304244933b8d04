import { describe, expect, it } from 'vitest';
import type { Launch } from '../telegram';
import { changeUser, pass, ready, server, setUpGame, startGame } from '../testing/playGame';

setUpGame();

const start = (launch: Partial<Launch> = {}) => startGame({ launch });

describe('the start', () => {
  it('greets for 2.5 s after player and settings have loaded', async () => {
    server.delay = 700;
    const { root } = start();
    await pass(699);
    expect(root.shell.shell.is).toBe('loading');
    await pass(1);
    expect(root.shell.shell.is).toBe('welcome');
    await pass(2499);
    expect(root.shell.shell.is).toBe('welcome');
    await pass(1);
    expect(root.shell.shell.is).toBe('ready');
    expect(root.settings.settings?.current_day).toBe(42);
  });

  it('tells the server who invited the player', async () => {
    await ready({ referralCode: 'FRIEND' });
    expect(server.requests[0]).toMatchObject({ path: '/api/user/me', query: '?referral_code=FRIEND' });
  });

  it('speaks Telegram’s language until the player’s own is known', async () => {
    changeUser({ language: 'en' });
    const { host } = await ready({ languageCode: 'ru' });
    expect(host.spoken).toEqual(['ru', 'en']);
  });

  it('does not wait for texts that do not come', async () => {
    const { root } = startGame({
      launch: { languageCode: 'ru' },
      platform: {
        speak: (language) => (language === 'ru' ? new Promise(() => {}) : Promise.resolve(true)),
      },
    });
    await pass(2_999);
    expect(root.shell.hasLanguage).toBe(false);
    await pass(1);
    expect(root.shell.hasLanguage).toBe(true);
    await pass(7_000);
    expect(root.shell.shell.is).toBe('ready');
  });

  it('greets in Telegram’s language, then the player’s, and loads, while Telegram still dresses the frame', async () => {
    const { root, host } = startGame({
      launch: { languageCode: 'ru' },
      client: { start: () => new Promise(() => {}) },
    });
    await pass(0);
    expect([host.spoken, root.shell.hasLanguage]).toEqual([['ru', 'en'], true]);
    expect([root.user.user?.id, root.shell.shell.is]).toEqual([7, 'loading']);
  });

  it.each([
    [{ is: 'outside', desktop: false }, 'outside'],
    [{ is: 'outside', desktop: true }, 'desktop'],
    [{ is: 'telegram', desktop: true }, 'desktop'],
  ] as const)('%o asks nothing about a player and shows %s', async (launch, shell) => {
    const { root } = start(launch);
    await pass(5000);
    expect(root.shell.shell.is).toBe(shell);
    expect(server.requests.map((request) => request.path)).toEqual(['/api/config']);
  });

  it('outside leads to the bot, with the invitation', async () => {
    server.weatherOf['/api/config'] = ['cut'];
    const { root } = start({ is: 'outside', referralCode: 'FRIEND' });
    await pass(0);
    expect(root.boot.telegramLink).toBe('https://t.me/');
    const { root: online } = start({ is: 'outside', referralCode: 'FRIEND' });
    await pass(0);
    expect(online.boot.telegramLink).toBe('https://t.me/mcbk_bot?start=FRIEND');
  });
});

describe('a start that fails', () => {
  it.each([
    [401, 'init_data_expired', 'expired'],
    [401, 'init_data_invalid', 'outside'],
    [403, 'user_blocked', 'blocked'],
    [503, 'maintenance', 'maintenance'],
    [503, 'try_again', 'failed'],
    [500, 'internal', 'failed'],
  ])('with %i %s shows %s', async (status, code, shell) => {
    server.weather = [{ status, code }];
    const { root } = start();
    await pass(5000);
    expect(root.shell.shell.is).toBe(shell);
  });

  it('without a network can be tried again, and tries itself when the network is back', async () => {
    server.online = false;
    const { root } = start();
    await pass(5000);
    expect(root.shell.shell.is).toBe('offline');
    void root.boot.load();
    await pass(5000);
    expect(root.shell.shell.is).toBe('offline');
    server.online = true;
    window.dispatchEvent(new Event('online'));
    await pass(2500);
    expect(root.shell.shell.is).toBe('ready');
  });

  it('because of works ends with Restart', async () => {
    window.history.replaceState(null, '', '/maintenance');
    server.weather = [{ status: 503, code: 'maintenance' }];
    const { root } = start();
    await pass(100);
    void root.boot.restart();
    await pass(2500);
    expect(root.shell.shell.is).toBe('ready');
    expect(root.route.path).toBe('/');
  });
});
