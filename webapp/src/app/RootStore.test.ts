import { beforeEach, describe, expect, it, vi } from 'vitest';
import { acceptPrivacy } from '../features/privacy/acceptPrivacy';
import { setLanguage } from '../features/profile/setLanguage';
import { changeUser, ready, server, setUpGame } from '../testing/playGame';
import { tabs } from './routes';

setUpGame();

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
    root.shell.set({ is: 'maintenance' });
    expect(root.modals.sheet).toBe('none');
    expect(host.back).toBeNull();
    root.shell.set({ is: 'ready' });
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
    expect(await root.user.change({ age_consent_accepted: true })).toBe(false);
    expect(root.modals.shown?.is).toBe('age');
    expect(root.toasts.shown?.text).toBe('errors.try_again');
    expect(await root.user.change({ age_consent_accepted: true })).toBe(true);
    expect(root.modals.shown).toBeNull();
  });

  it.each([
    ['/privacy?source=modal', '/'],
    ['/privacy', '/market'],
  ] as const)('is answered by accepting %s, which leads to %s', async (from, to) => {
    const { root } = await ready();
    root.route.go(from);
    await acceptPrivacy(root);
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
    await acceptPrivacy(root);
    const { market } = await root.loadTrade();
    expect(market.agreed).toBe(ticked);
  });

  it('does not tick the box of who has gone back, or whose consent was not recorded', async () => {
    const { root, host } = await ready();
    root.route.go('/privacy?source=market');
    server.weather = [{ status: 503, code: 'try_again' }];
    await acceptPrivacy(root);
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
    await root.user.change({ language: 'ru' });
    expect(server.player(7).user.language).toBe('ru');
    expect(host.spoken.at(-1)).toBe('ru');
  });

  it('speaks a language whose texts did not come before, though it was the player’s already', async () => {
    changeUser({ language: 'ru' });
    const { root, host } = await ready();
    host.spoken.length = 0;
    await setLanguage(root, 'ru');
    expect(host.spoken).toEqual(['ru']);
  });

  it('says so when the texts of a language do not come', async () => {
    const { root, host } = await ready();
    host.texts = false;
    await setLanguage(root, 'ru');
    expect(server.player(7).user.language).toBe('ru');
    expect(root.toasts.shown?.text).toBe('errors.offline');
  });

  it('says so when a change did not arrive', async () => {
    const { root, host } = await ready();
    server.online = false;
    expect(await root.user.change({ language: 'ru' })).toBe(false);
    expect(root.toasts.shown?.text).toBe('errors.offline');
    expect(host.spoken.at(-1)).toBe('en');
  });
});
