import { act, fireEvent, screen, within } from '@testing-library/react';
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { changeUser, createGame, server, setUpGame } from '../testing/playGame';
import { faults, pass, renderGame, showGame } from '../testing/showGame';

setUpGame({
  ticking: true,
  user: {
    balance: { game_mcbk: 12_000.253, referral_game_mcbk: 480, usdt_balance: 62.4 },
    stats: { leaderboard_rank: 1280, total_days_in_game: 42 },
  },
});

/** jsdom knows no pointers; a mouse event of the same name is what React makes of one. */
function touch(element: HTMLElement) {
  fireEvent(element, new MouseEvent('pointerdown', { bubbles: true, button: 0 }));
}

describe('the greeting', () => {
  it('stays one element while the game loads, so that its trail walks on', async () => {
    const { root } = createGame();
    renderGame(root);
    expect(root.shell.shell.is).toBe('loading');
    const first = screen.getByText('Welcome to MCBK');
    void root.boot.start();
    await pass(1000);
    expect(root.shell.shell.is).toBe('welcome');
    expect(screen.getByText('Welcome to MCBK')).toBe(first);
    await pass(1500);
    expect(screen.queryByText('Welcome to MCBK')).toBeNull();
  });
});

describe('home', () => {
  it('shows what the server knows of the player', async () => {
    await showGame();
    expect(screen.getByText('Marina')).toBeTruthy();
    expect(screen.getAllByText('12,480').length).toBeGreaterThan(0);
    expect(screen.getByText('#1,280')).toBeTruthy();
    expect(screen.getByText('42 days in the game')).toBeTruthy();
    expect(screen.getByText('48 days left')).toBeTruthy();
    expect(screen.getByText('1,000 of 1,000')).toBeTruthy();
    expect(screen.getByText('Connect')).toBeTruthy();
    expect(screen.queryByText('Premium')).toBeNull();
  });

  it('invents no rank', async () => {
    changeUser({ stats: { leaderboard_rank: null } });
    await showGame();
    expect(screen.getByText('calculating')).toBeTruthy();
  });

  it('shows a wallet by its first and last three characters, and Premium', async () => {
    changeUser({ wallet_address: 'UQBvQ8m1ttttttt7xK', is_premium: true });
    await showGame();
    expect(screen.getByText('UQB…7xK')).toBeTruthy();
    expect(screen.getByText('Premium')).toBeTruthy();
  });

  it('keeps closed what does not exist yet', async () => {
    await showGame();
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Join Community' }).disabled).toBe(true);
  });
});

describe('the tap screen', () => {
  it('counts a touch, floats its value and lowers the energy', async () => {
    await showGame({ path: '/tap' });
    await pass(100);
    const bag = screen.getByRole('button', { name: 'Tap the money bag' });
    expect(screen.getByText('Click on the money bag to earn coins!').className).not.toContain('seen');
    touch(bag);
    fireEvent.click(bag, { detail: 1 });
    await pass(100);
    touch(bag);
    expect(screen.getAllByText('+0.001')).toHaveLength(2);
    await pass(0);
    expect(screen.getByRole('main').textContent).toContain('.255');
    expect(screen.getByRole('progressbar', { name: 'Energy 998 of 1,000' })).toBeTruthy();
    expect(screen.getByText('Click on the money bag to earn coins!').className).toContain('seen');
  });

  it('counts one of two fingers that come down together, and every one of two that take turns', async () => {
    const { root } = await showGame({ path: '/tap' });
    await pass(100);
    const bag = screen.getByRole('button', { name: 'Tap the money bag' });
    touch(bag);
    touch(bag);
    expect(root.tap.batches.count).toBe(1);
    expect(screen.getAllByText('+0.001')).toHaveLength(1);
    expect(document.querySelectorAll('[class*="ripple"]')).toHaveLength(2);
    for (let finger = 2; finger <= 4; finger += 1) {
      await pass(100);
      touch(bag);
      expect(root.tap.batches.count).toBe(finger);
    }
  });

  it('can be played without a pointer', async () => {
    const { root } = await showGame({ path: '/tap' });
    await pass(100);
    fireEvent.click(screen.getByRole('button', { name: 'Tap the money bag' }), { detail: 0 });
    expect(root.tap.batches.count).toBe(1);
  });

  it('says when the energy is gone', async () => {
    server.player(7).energy = 0;
    await showGame({ path: '/tap' });
    expect(screen.getByText(/Your energy is depleted for today/)).toBeTruthy();
  });

  it('offers to load the energy again', async () => {
    server.weather = ['ok', 'ok', 'cut', 'cut'];
    await showGame({ path: '/tap' });
    expect(screen.getByText('Failed to load energy status')).toBeTruthy();
    fireEvent.click(screen.getByRole('button', { name: 'Retry' }));
    await pass(0);
    expect(screen.getByText(/of 1,000/)).toBeTruthy();
  });

  it('lists the levels also while nobody knows which is the player’s', async () => {
    server.weather = ['ok', 'ok', 'cut', 'cut'];
    const { root } = await showGame({ path: '/tap' });
    fireEvent.click(screen.getByRole('button', { name: /^Energy Progress/ }));
    const sheet = await screen.findByRole('dialog');
    expect(within(sheet).getAllByRole('listitem')).toHaveLength(5);
    expect(within(sheet).queryByRole('progressbar')).toBeNull();
    expect(sheet.textContent).not.toContain('Now');
    await act(() => root.energy.load());
    expect(within(sheet).getByRole('progressbar')).toBeTruthy();
  });

  it('asks again for the energy when the bag is touched without it, and invites no touch till then', async () => {
    server.weather = ['ok', 'ok', 'cut', 'cut'];
    await showGame({ path: '/tap' });
    expect(screen.queryByText('Click on the money bag to earn coins!')).toBeNull();
    server.delay = 5000;
    touch(screen.getByRole('button', { name: 'Tap the money bag' }));
    await pass(1000);
    expect(screen.queryByText('Click on the money bag to earn coins!')).toBeNull();
    await pass(4000);
    expect(screen.getByText(/of 1,000/)).toBeTruthy();
    expect(screen.getByText('Click on the money bag to earn coins!')).toBeTruthy();
  });

  it('says that progress is being saved when it is left', async () => {
    const { root } = await showGame({ path: '/tap' });
    await pass(100);
    touch(screen.getByRole('button', { name: 'Tap the money bag' }));
    await act(async () => root.route.go('/'));
    expect(screen.getByText('Saving your progress...')).toBeTruthy();
    await pass(2000);
    expect(screen.queryByText('Saving your progress...')).toBeNull();
  });
});

describe('the age gate', () => {
  beforeEach(() => {
    changeUser({ age_consent_accepted: false });
  });

  it('accepts only when ticked', async () => {
    const { root } = await showGame();
    const accept = await screen.findByRole<HTMLButtonElement>('button', { name: 'Accept' });
    expect(screen.getByText('Are you 18 years old?')).toBeTruthy();
    expect(accept.disabled).toBe(true);
    fireEvent.click(screen.getByRole('checkbox'));
    expect(accept.disabled).toBe(false);
    fireEvent.click(accept);
    await pass(0);
    expect(root.user.user?.age_consent_accepted).toBe(true);
    expect(root.modals.shown).toBeNull();
  });

  it('is not closed by Escape', async () => {
    await showGame();
    await screen.findByRole('button', { name: 'Accept' });
    fireEvent.keyDown(document.activeElement ?? document.body, { key: 'Escape' });
    await pass(500);
    expect(screen.getByRole('button', { name: 'Accept' })).toBeTruthy();
  });

  it('gives way to the privacy policy, which has no dock', async () => {
    await showGame();
    fireEvent.click(await screen.findByRole('link', { name: 'Privacy Policy' }));
    await pass(500);
    expect(await screen.findByRole('button', { name: 'Accept and Continue' })).toBeTruthy();
    expect(screen.queryByRole('navigation')).toBeNull();
  });
});

describe('another screen', () => {
  beforeAll(async () => {
    await Promise.all([import('../features/wheel/WheelScreen'), import('../features/fairness/Fairness')]);
  }, 30_000);

  it('takes the focus that went with the last, or stayed in the dock', async () => {
    await showGame();
    const wheel = screen.getByRole('link', { name: 'Wheel' });
    wheel.focus();
    fireEvent.click(wheel);
    await screen.findByRole('heading', { name: /Wheel of Fortune/ });
    expect(document.activeElement).toBe(screen.getByRole('main'));
    const fairness = screen.getByRole('link', { name: /fair/i });
    fairness.focus();
    fireEvent.click(fairness);
    await screen.findByRole('heading', { name: /fair/i });
    expect(document.activeElement).toBe(screen.getByRole('main'));
  });

  it('is not gone to from itself: back leads to the one before', async () => {
    await showGame();
    const steps = window.history.length;
    fireEvent.click(screen.getByRole('link', { name: 'Home' }));
    expect(window.history.length).toBe(steps);
    fireEvent.click(screen.getByRole('link', { name: 'Referral' }));
    expect(window.history.length).toBe(steps + 1);
  });
});

describe('the profile', () => {
  const opened = async () => {
    await showGame();
    fireEvent.click(screen.getByRole('button', { name: /profile/i }));
    return screen.findByRole<HTMLInputElement>('checkbox', { name: /Messages from the bot/ });
  };

  it('shows a choice at once, and the server’s word when that comes', async () => {
    const tick = await opened();
    const was = tick.checked;
    server.delay = 1000;
    fireEvent.click(tick);
    await pass(10);
    expect(tick.checked).toBe(!was);
    await pass(1000);
    expect([tick.checked, server.player(7).user.notifications]).toEqual([!was, !was]);
  });

  it('takes a choice back that was refused', async () => {
    const tick = await opened();
    const was = tick.checked;
    server.online = false;
    fireEvent.click(tick);
    await pass(10_000);
    expect(tick.checked).toBe(was);
  });
});

describe('other routes', () => {
  it('unknown ones lead home', async () => {
    const { root } = await showGame({ path: '/nowhere' });
    expect(root.route.path).toBe('/');
  });
});

describe('the language', () => {
  it('follows the player’s choice at once', async () => {
    const { root } = await showGame();
    await act(() => root.user.change({ language: 'ru' }));
    expect(await screen.findByText('Ваши MCBK')).toBeTruthy();
    expect(screen.getByText('Осталось 48 дней')).toBeTruthy();
  });
});

describe('a toast', () => {
  it('fills the blanks of its text, and follows the language', async () => {
    const { root } = await showGame();
    await act(async () => root.toasts.show('error', 'toast.failed', { message: 'Wallet <1>' }));
    expect(screen.getByText('Error: Wallet <1>')).toBeTruthy();
    await act(() => root.user.change({ language: 'ru' }));
    expect(await screen.findByText('Ошибка: Wallet <1>')).toBeTruthy();
  });
});

describe('everyone can use', () => {
  it.each(['/', '/tap', '/privacy', '/wallet', '/maintenance'])('%s', async (path) => {
    await showGame({ path });
    await pass(500);
    vi.useRealTimers();
    // jsdom draws nothing, so contrast is measured elsewhere; the page around #root is not rendered here.
    expect(await faults()).toEqual([]);
  });
});

describe('a closed game', () => {
  it.each([
    [{ status: 401, code: 'init_data_expired' }, 'Please reopen the game'],
    [{ status: 503, code: 'maintenance' }, 'Technical works'],
    [{ status: 403, code: 'user_blocked' }, 'This account is blocked'],
    [{ status: 403, code: 'user_blocked', params: { reason: '<b>a bot</b>' } }, '<b>a bot</b>'],
    [{ status: 500, code: 'internal' }, 'Something went wrong'],
    ['cut' as const, 'No connection'],
  ])('after %o says "%s"', async (weather, words) => {
    server.weather = [weather];
    await showGame();
    expect(await screen.findByText(words)).toBeTruthy();
  });

  it.each([
    [true, 'closes itself'],
    [false, 'leaves the closing to the player'],
  ])('with launch data too old, and closable %s, %s', async (closable) => {
    server.weather = [{ status: 401, code: 'init_data_expired' }];
    const { host } = await showGame({
      prepare: (device) => {
        device.closable = closable;
      },
    });
    expect(await screen.findByText('Please reopen the game')).toBeTruthy();
    const button = screen.queryByRole('button', { name: 'Close the game' });
    expect(button !== null).toBe(closable);
    if (button) fireEvent.click(button);
    expect(host.closed).toBe(closable);
  });

  it('opens for a player who was blocked by mistake, and tries again', async () => {
    server.weather = [{ status: 403, code: 'user_blocked' }];
    await showGame();
    fireEvent.click(await screen.findByRole('button', { name: 'Retry' }));
    expect(await screen.findByRole('navigation')).toBeTruthy();
  });

  it('outside of Telegram leads there', async () => {
    await showGame({ launch: { is: 'outside' } });
    expect(screen.getByRole('link', { name: 'Open Telegram' }).getAttribute('href')).toBe(
      'https://t.me/mcbk_bot',
    );
  });
});
