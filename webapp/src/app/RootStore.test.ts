import { autorun } from 'mobx';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { Launch } from '../telegram';
import {
  changeUser,
  pass,
  playGame,
  requestsTo,
  server,
  setUpGame,
  setVisibility,
  startGame,
} from '../testing/playGame';
import { tabs } from './routes';

setUpGame();

const start = (launch: Partial<Launch> = {}) => startGame({ launch });

async function ready(launch: Partial<Launch> = {}) {
  const started = await playGame({ launch });
  expect(started.root.shell.shell).toEqual({ is: 'ready' });
  return started;
}

async function tapping() {
  const started = await ready();
  started.root.route.go('/tap');
  await pass(100);
  expect(started.root.tap.tap()).toEqual({ is: 'counted' });
  return started;
}

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
    expect(root.shell.speaks).toBe(false);
    await pass(1);
    expect(root.shell.speaks).toBe(true);
    await pass(7_000);
    expect(root.shell.shell.is).toBe('ready');
  });

  it('greets in the player’s language while Telegram still dresses the frame', async () => {
    const { root, host } = startGame({
      launch: { languageCode: 'ru' },
      client: { start: () => new Promise(() => {}) },
    });
    await pass(0);
    expect([host.spoken, root.shell.speaks]).toEqual([['ru'], true]);
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

describe('while playing', () => {
  it('launch data that grow too old ask to reopen, and keep the taps', async () => {
    const { root } = await tapping();
    server.weather = [{ status: 401, code: 'init_data_expired' }];
    void root.tap.batches.send();
    await pass(0);
    expect(root.shell.shell.is).toBe('expired');
    expect(root.tap.count).toBe(1);
    const { root: reopened } = await ready();
    await pass(0);
    expect(server.player(7).taps).toBe(1);
    expect(reopened.tap.count).toBe(0);
  });

  it('a player the server has forgotten is made anew, and plays on', async () => {
    const { root } = await tapping();
    server.players.clear();
    changeUser({ id: 8 });
    server.weather = [{ status: 404, code: 'not_found' }];
    void root.tap.batches.send();
    await pass(0);
    expect(root.tap.count).toBe(0);
    expect(root.shell.shell.is).toBe('welcome');
    await pass(2500);
    expect(root.shell.shell.is).toBe('ready');
    expect(root.user.user?.id).toBe(8);
    expect(root.tap.tap()).toEqual({ is: 'counted' });
    expect(Object.keys(JSON.parse(localStorage.getItem('accumulated_taps') ?? '{}'))).toEqual(['8']);
    void root.tap.batches.send();
    await pass(0);
    expect(server.player(7).taps).toBe(1);
    const paths = server.requests.map((request) => request.path);
    expect(paths.filter((path) => path === '/api/user/me')).toHaveLength(2);
  });

  it('taps before 00:00 UTC are sent before it, since today’s energy is lost then', async () => {
    vi.setSystemTime(Date.parse('2026-03-01T23:59:40Z'));
    server.serverTime = '2026-03-01T23:59:40Z';
    const { root } = await tapping();
    await pass(5000);
    expect(root.tap.count).toBe(1);
    await pass(4000);
    expect([server.player(7).taps, root.tap.count]).toEqual([1, 0]);
  });

  it('so are those before the end of a season that ends at another hour', async () => {
    vi.setSystemTime('2026-04-19T11:59:40Z');
    server.serverTime = '2026-04-19T11:59:40Z';
    server.seasonStart = '2026-01-19T12:00:00Z';
    const { root } = await tapping();
    await pass(5000);
    expect(root.tap.count).toBe(1);
    await pass(4000);
    expect([server.player(7).taps, root.tap.count]).toEqual([1, 0]);
  });

  it.each([
    ['at noon', '2026-04-19T12:00:00Z'],
    ['with a UTC day', '2026-04-19T00:00:00Z'],
  ])('takes no tap at the end of a season that ends %s that could not be sent any more', async (_, ends) => {
    const end = Date.parse(ends);
    vi.setSystemTime(end - 17_000);
    Object.defineProperty(server, 'serverTime', { get: () => new Date().toISOString() });
    server.seasonStart = new Date(end - 90 * 86_400_000).toISOString();
    const { root } = await tapping();
    const drawn = autorun(() => [root.tap.running, root.settings.season]);
    let [counted, highest] = [1, root.tap.total];
    while (Date.now() < end + 40_000) {
      await pass(150); // fewer of them than are sent at once lie behind the last sync
      if (Date.now() >= end)
        server.weatherOf['/api/tap/perform-batch-tap'] = [{ status: 409, code: 'season_over' }];
      if (root.tap.tap().is === 'counted') counted += 1;
      expect(root.tap.total).toBeGreaterThanOrEqual(highest);
      highest = root.tap.total;
    }
    expect([server.player(7).taps, root.tap.count]).toEqual([counted, 0]);
    expect(counted).toBeGreaterThan(20);
    drawn();
  });

  it('leaving the tap screen saves, under the overlay', async () => {
    const { root } = await tapping();
    root.route.go('/wallet');
    expect(root.tap.saving).toBe(true);
    await pass(2000);
    expect(root.tap.saving).toBe(false);
    expect(server.player(7).taps).toBe(1);
    expect(window.scrollTo).toHaveBeenCalledWith(0, 0);
  });

  it('a page that is hidden sends its taps, and one shown again hears the answer', async () => {
    const { root } = await tapping();
    setVisibility('hidden');
    expect(server.player(7).taps).toBe(1);
    setVisibility('visible');
    await pass(0);
    expect(server.player(7).taps).toBe(1);
    expect(root.tap.count).toBe(0);
  });

  it('a page that closes sends its taps', async () => {
    await tapping();
    window.dispatchEvent(new Event('pagehide'));
    expect(server.player(7).taps).toBe(1);
  });

  it('closing asks first only while taps cannot be saved', async () => {
    const { root, host } = await tapping();
    expect(host.confirms).toBe(false);
    server.online = false;
    void root.tap.batches.send();
    await pass(0);
    expect(host.confirms).toBe(true);
    server.online = true;
    await pass(2000);
    expect(host.confirms).toBe(false);
  });

  it('midnight UTC brings the new day and full energy', async () => {
    const { root } = await ready();
    server.player(7).energy = 3;
    await root.energy.load();
    await pass(12 * 3_600_000 - 3000);
    expect(root.energy.value?.current_energy).toBe(3);
    server.player(7).energy = 1000;
    server.serverTime = '2026-03-02T00:00:00Z';
    await pass(1000);
    expect(root.energy.value?.current_energy).toBe(1000);
  });

  it('a new day is asked for again when an answer of the old one came after the question', async () => {
    vi.setSystemTime('2026-03-01T23:59:30Z');
    server.serverTime = '2026-03-01T23:59:30Z';
    const player = server.player(7);
    player.energy = 5;
    changeUser({ can_get_prediction: false });
    const { root } = await ready();
    root.route.go('/tap');
    await pass(25_000);
    server.silence = 4000; // 23:59:57.5: an empty bag is saved, and its answer is slow
    for (let taps = 0; taps < 6; taps += 1) {
      root.tap.tap();
      await pass(100);
    }
    await pass(1800);
    server.serverTime = '2026-03-02T00:00:00Z';
    player.energy = 1000;
    changeUser({ can_get_prediction: true });
    await pass(20_000);
    expect(root.energy.value?.current_energy).toBe(1000);
    expect(root.user.user?.can_get_prediction).toBe(true);
  });

  it('a new day that was not told is asked for until it is', async () => {
    const { root } = await ready();
    server.player(7).energy = 0;
    await root.energy.load();
    server.weatherOf['/api/tap/energy-status'] = ['cut', 'cut', { status: 503, code: 'overloaded' }];
    await pass(12 * 3_600_000 - 3000);
    server.player(7).energy = 1000;
    server.serverTime = '2026-03-02T00:00:00Z';
    await pass(1000);
    expect(root.energy.value?.current_energy).toBe(0);
    await pass(60_000);
    expect(root.energy.value?.current_energy).toBe(1000);
    const before = server.requests.length;
    await pass(120_000);
    expect(server.requests.length).toBe(before);
  });

  it.each([
    ['looked at', document, 'visibilitychange'],
    ['back in the network', window, 'online'],
  ])('a new day that was not told is asked for once the page is %s', async (_, place, event) => {
    const { root } = await ready();
    server.player(7).energy = 0;
    await root.energy.load();
    await pass(12 * 3_600_000 - 3000);
    server.online = false;
    await pass(60_000);
    server.online = true;
    server.player(7).energy = 1000;
    server.serverTime = '2026-03-02T00:01:00Z';
    place.dispatchEvent(new Event(event));
    await pass(10);
    expect(root.energy.value?.current_energy).toBe(1000);
  });

  it('a new day whose tasks alone were not told is asked for, too', async () => {
    const { root } = await ready();
    await pass(12 * 3_600_000 - 3000);
    const asked = () => requestsTo('tasks').length;
    const before = asked();
    server.weatherOf['/api/tasks'] = [{ status: 503, code: 'overloaded' }];
    server.serverTime = '2026-03-02T00:00:00Z';
    await pass(60_000);
    expect(asked()).toBe(before + 2);
    expect(root.tasks.tasks.is).toBe('known');
  });

  it('a new day that the server has not come to yet is asked for once it has', async () => {
    const { root } = await ready();
    server.player(7).energy = 0;
    await root.energy.load();
    server.serverTime = '2026-03-01T23:59:58Z';
    await pass(12 * 3_600_000 - 2000);
    expect(root.energy.value?.current_energy).toBe(0);
    server.player(7).energy = 1000;
    server.serverTime = '2026-03-02T00:00:00Z';
    await pass(3000);
    expect(root.energy.value?.current_energy).toBe(1000);
  });

  it('the season that began while nobody looked is asked for with the next look', async () => {
    server.seasonStart = '2026-03-01T18:00:00Z';
    const { root } = await ready();
    vi.setSystemTime('2026-03-01T18:00:01Z');
    server.serverTime = '2026-03-01T18:00:01Z';
    document.dispatchEvent(new Event('visibilitychange'));
    await pass(10);
    expect(root.settings.wasRunning).toBe(true);
  });

  it('midnight comes in time for a phone whose timers slept with it', async () => {
    const { root } = await ready();
    vi.setSystemTime('2026-03-01T20:00:00Z');
    server.serverTime = '2026-03-01T20:00:00Z';
    document.dispatchEvent(new Event('visibilitychange'));
    await pass(0);
    server.player(7).energy = 500;
    server.serverTime = '2026-03-02T00:00:00Z';
    await pass(4 * 3_600_000);
    expect(root.energy.value?.current_energy).toBe(500);
  });
});

describe('the clock', () => {
  it('is the server’s, whatever the device thinks', async () => {
    vi.setSystemTime('2031-01-01T03:00:00Z');
    server.serverTime = '2026-03-01T23:00:00Z';
    const { root } = await ready();
    expect(root.clock.untilNextDay).toBe(3_600_000 - 2500);
  });

  it('is the server’s again once somebody looks, though the device’s was set meanwhile', async () => {
    const { root } = await ready();
    vi.setSystemTime('2026-03-01T15:00:00Z');
    document.dispatchEvent(new Event('visibilitychange'));
    await pass(10);
    expect(root.clock.untilNextDay).toBe(12 * 3_600_000 - 10);
  });

  it('that was set back does not hide the new day that has begun meanwhile', async () => {
    vi.setSystemTime('2026-03-01T15:00:00Z'); // three hours ahead
    const { root } = await ready();
    vi.setSystemTime('2026-03-02T00:05:00Z');
    server.serverTime = '2026-03-02T00:05:00Z';
    server.player(7).energy = 500;
    document.dispatchEvent(new Event('visibilitychange'));
    await pass(10);
    expect(root.energy.value?.current_energy).toBe(500);
    expect(root.settings.settings?.server_time).toBe(server.serverTime);
  });

  it('that was never set costs nothing to look at', async () => {
    await ready();
    await pass(3_600_000);
    const asked = () => requestsTo('settings').length;
    document.dispatchEvent(new Event('visibilitychange'));
    await pass(10);
    expect(asked()).toBe(1);
  });

  it('brings midnight in time after the device’s was set', async () => {
    const { root } = await ready();
    vi.setSystemTime('2026-03-01T15:00:00Z');
    document.dispatchEvent(new Event('visibilitychange'));
    await pass(12 * 3_600_000 - 10);
    server.player(7).energy = 500;
    server.serverTime = '2026-03-02T00:00:00Z';
    await pass(10);
    expect(root.energy.value?.current_energy).toBe(500);
  });
});

describe('the back button', () => {
  it('shows off the five roots and leads to the parent screen', async () => {
    const { root, host } = await ready();
    expect(host.back).toBeNull();
    root.route.go('/mines-rules');
    host.back?.();
    expect(root.route.path).toBe('/mines');
    host.back?.();
    expect(root.route.path).toBe('/');
    expect(host.back).toBeNull();
    for (const path of tabs.map(({ path }) => path)) {
      root.route.go(path);
      expect(host.back).toBeNull();
    }
  });

  it('closes a drawer first', async () => {
    const { root, host } = await ready();
    root.modals.openSheet('profile');
    host.back?.();
    expect(root.modals.sheet).toBe('none');
    expect(root.route.path).toBe('/');
  });

  it('of the device closes one thing at a time: the modal, then the drawer under it', async () => {
    const { root } = await ready();
    const back = async () => {
      const before = [root.modals.shown, root.modals.sheet];
      window.history.back();
      await vi.waitFor(() => expect([root.modals.shown, root.modals.sheet]).not.toEqual(before));
    };
    root.modals.openSheet('tasks');
    root.modals.enqueue({ is: 'daily' });
    await back();
    expect([root.modals.shown, root.modals.sheet]).toEqual([null, 'tasks']);
    await back();
    expect([root.modals.shown, root.modals.sheet]).toEqual([null, 'none']);
    expect(root.route.path).toBe('/');
  });

  it('closes a modal that a link has left over another screen', async () => {
    const { root } = await ready();
    root.modals.enqueue({ is: 'daily' });
    root.route.go('/wallet');
    window.history.back();
    await vi.waitFor(() => expect(root.modals.shown).toBeNull());
    expect(root.route.path).toBe('/wallet');
  });

  it('has nothing to close once the game is closed', async () => {
    const { root, host } = await ready();
    root.modals.openSheet('tasks');
    root.modals.enqueue({ is: 'daily' });
    root.route.go('/mines');
    root.shell.become({ is: 'maintenance' });
    expect(root.modals.sheet).toBe('none');
    expect(host.back).toBeNull();
    root.shell.become({ is: 'ready' });
    expect(host.back).not.toBeNull();
  });

  it('does not close the age gate', async () => {
    const { root, host } = await ready();
    root.modals.enqueue({ is: 'age' });
    expect(host.back).toBeNull();
    root.back();
    expect(root.modals.shown?.is).toBe('age');
  });

  it('leads from the privacy policy to where it was opened', async () => {
    const { root, host } = await ready();
    root.route.go('/privacy?source=modal');
    host.back?.();
    expect(root.route.path).toBe('/');
    root.route.go('/privacy');
    host.back?.();
    expect(root.route.path).toBe('/market');
  });
});

describe('the age gate', () => {
  beforeEach(() => {
    changeUser({ age_consent_accepted: false });
  });

  it('stands until the server has the consent', async () => {
    const { root } = await ready();
    expect(root.modals.shown?.is).toBe('age');
    server.weather = [{ status: 503, code: 'try_again' }];
    expect(await root.user.acceptAge()).toBe(false);
    expect(root.modals.shown?.is).toBe('age');
    expect(root.toasts.shown?.text).toBe('errors.try_again');
    expect(await root.user.acceptAge()).toBe(true);
    expect(root.modals.shown).toBeNull();
  });

  it.each([
    ['/privacy?source=modal', '/'],
    ['/privacy', '/market'],
  ] as const)('is answered by accepting %s, which leads to %s', async (from, to) => {
    const { root } = await ready();
    root.route.go(from);
    await root.acceptPrivacy();
    expect(root.route.path).toBe(to);
    expect(root.modals.shown).toBeNull();
    expect(server.player(7).user.age_consent_accepted).toBe(true);
  });

  it.each([
    ['market', true],
    ['modal', false],
  ])('ticks the box of the market where the policy is accepted from the %s: %s', async (source, ticked) => {
    const { root } = await ready();
    root.route.go(`/privacy?source=${source}`);
    await root.acceptPrivacy();
    const { market } = await root.loadTrade();
    expect(market.agreed).toBe(ticked);
  });

  it('does not tick the box of who has gone back, or whose consent was not recorded', async () => {
    const { root, host } = await ready();
    root.route.go('/privacy?source=market');
    server.weather = [{ status: 503, code: 'try_again' }];
    await root.acceptPrivacy();
    host.back?.();
    const { market } = await root.loadTrade();
    expect([root.route.path, market.agreed]).toEqual(['/market', false]);
  });

  it('does not stand before a player who accepted', async () => {
    changeUser({ age_consent_accepted: true });
    const { root } = await ready();
    expect(root.modals.shown).toBeNull();
  });
});

describe('the profile', () => {
  it('changes the language on the server and on the screen', async () => {
    const { root, host } = await ready();
    await root.user.setLanguage('ru');
    expect(server.player(7).user.language).toBe('ru');
    expect(host.spoken.at(-1)).toBe('ru');
  });

  it('speaks a language whose texts did not come before, though it was the player’s already', async () => {
    changeUser({ language: 'ru' });
    const { root, host } = await ready();
    host.spoken.length = 0;
    await root.setLanguage('ru');
    expect(host.spoken).toEqual(['ru']);
  });

  it('says so when the texts of a language do not come', async () => {
    const { root, host } = await ready();
    host.texts = false;
    await root.setLanguage('ru');
    expect(server.player(7).user.language).toBe('ru');
    expect(root.toasts.shown?.text).toBe('errors.offline');
  });

  it('says so when a change did not arrive', async () => {
    const { root, host } = await ready();
    server.online = false;
    expect(await root.user.setLanguage('ru')).toBe(false);
    expect(root.toasts.shown?.text).toBe('errors.offline');
    expect(host.spoken.at(-1)).toBe('en');
  });
});
