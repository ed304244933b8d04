import { emitEvent } from '@telegram-apps/sdk-react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { isDesktop } from './launch';
import { launchData, pretendTelegram } from './pretend';

/** The SDK keeps state, so each test has its own. */
async function inTelegram(data?: string) {
  return { posted: pretendTelegram(data), telegram: await import('./index') };
}

afterEach(() => {
  vi.resetModules();
  window.history.replaceState(null, '', '/');
});

describe('starting inside Telegram', () => {
  it('reads the launch, dresses the frame and says it is ready', async () => {
    window.history.replaceState(null, '', '/?start=FRIEND');
    const { posted, telegram } = await inTelegram();
    const launch = telegram.readLaunch();
    await telegram.startTelegram(launch);
    expect(launch).toEqual({
      is: 'telegram',
      initData: launchData(),
      cannotBeMessaged: true,
      referralCode: 'FRIEND',
      languageCode: 'ru',
      desktop: false,
      version: '8.0',
    });
    expect(posted).toContain('web_app_set_header_color {"color":"#17110C"}');
    expect(posted).toContain('web_app_set_background_color {"color":"#17110C"}');
    expect(posted).toContain('web_app_set_bottom_bar_color {"color":"#231A12"}');
    expect(posted).toContain('web_app_setup_swipe_behavior {"allow_vertical_swipe":false}');
    expect(posted).toContain('web_app_expand');
    expect(posted.at(-1)).toBe('web_app_ready');
    const css = document.documentElement.style;
    expect(css.getPropertyValue('--tg-viewport-stable-height')).toBe('700px');
    expect(css.getPropertyValue('--tg-viewport-safe-area-inset-top')).toBe('40px');
  });

  it('opens an invoice over the game, and hears how that one ended', async () => {
    const { posted, telegram } = await inTelegram();
    await telegram.startTelegram(telegram.readLaunch());
    const statuses: unknown[] = [];
    void telegram.openInvoice('https://t.me/$a-B_9').then((status) => statuses.push(status));
    expect(posted.at(-1)).toBe('web_app_open_invoice {"slug":"a-B_9"}');
    emitEvent('invoice_closed', { slug: 'other', status: 'paid' });
    emitEvent('invoice_closed', { slug: 'a-B_9', status: 'failed' });
    await Promise.resolve();
    expect(statuses).toEqual(['failed']);
    const odd = telegram.openInvoice('https://t.me/invoice/b');
    emitEvent('invoice_closed', { slug: 'b', status: 'odd' as 'paid' });
    expect([await odd, await telegram.openInvoice('https://t.me/bot')]).toEqual([null, null]);
  });

  it('shows the back button only while there is something to do', async () => {
    const { posted, telegram } = await inTelegram();
    await telegram.startTelegram(telegram.readLaunch());
    const back = vi.fn();
    telegram.backButton(back);
    expect(posted.at(-1)).toBe('web_app_setup_back_button {"is_visible":true}');
    emitEvent('back_button_pressed');
    expect(back).toHaveBeenCalledTimes(1);
    telegram.backButton(null);
    expect(posted.at(-1)).toBe('web_app_setup_back_button {"is_visible":false}');
    emitEvent('back_button_pressed');
    expect(back).toHaveBeenCalledTimes(1);
  });
});

describe('the phone’s turning', () => {
  /** A window of that shape, and what turns it. */
  function aWindow(upright: boolean) {
    const shape = Object.assign(new EventTarget(), { matches: upright });
    vi.stubGlobal('matchMedia', (query: string) => {
      expect(query).toBe('(orientation: portrait)');
      return shape;
    });
    return () => shape.dispatchEvent(new Event('change'));
  }
  const lock = 'web_app_toggle_orientation_lock {"locked":true}';

  it('is stopped while the phone is upright', async () => {
    aWindow(true);
    const { posted, telegram } = await inTelegram();
    await telegram.startTelegram(telegram.readLaunch());
    expect(posted.filter((event) => event === lock)).toHaveLength(1);
  });

  it('is stopped once a phone that was on its side is upright', async () => {
    const requests = aWindow(false);
    const { posted, telegram } = await inTelegram();
    await telegram.startTelegram(telegram.readLaunch());
    expect(posted).not.toContain(lock);
    requests();
    requests();
    expect(posted.filter((event) => event === lock)).toHaveLength(1);
  });
});

describe('a turn', () => {
  it('is felt once, as its outcome', async () => {
    const { posted, telegram } = await inTelegram();
    await telegram.startTelegram(telegram.readLaunch());
    const before = posted.length;
    telegram.haptics.impact('medium');
    telegram.haptics.notify('error');
    await Promise.resolve();
    telegram.haptics.select();
    await Promise.resolve();
    expect(posted.slice(before)).toEqual([
      'web_app_trigger_haptic_feedback {"type":"notification","notification_type":"error"}',
      'web_app_trigger_haptic_feedback {"type":"selection_change"}',
    ]);
  });

  it('is told of as it is felt, and where nothing is felt', async () => {
    const { haptics } = await import('./index');
    const loaded: string[] = [];
    haptics.tell((felt) => loaded.push(felt));
    haptics.press();
    haptics.notify('error');
    await Promise.resolve();
    haptics.peg();
    await Promise.resolve();
    expect(loaded).toEqual(['error', 'peg']);
    haptics.tell(null);
    haptics.press();
    await Promise.resolve();
    expect(loaded).toHaveLength(2);
  });
});

describe('a player the bot cannot message', () => {
  it.each([
    ['by a direct link with a code', { way: { start_param: 'SIGNED' } }, true],
    ['by a direct link', { way: { chat_instance: '-5', chat_type: 'sender' } }, true],
    ['by a direct link, and allows the bot to write', { allows: true }, false],
    ['by a button of the bot', { way: { query_id: 'AAE' } }, false],
  ])('comes %s', async (_, how, cannotBeMessaged) => {
    const { telegram } = await inTelegram(launchData(how));
    expect(telegram.readLaunch()).toMatchObject({ is: 'telegram', cannotBeMessaged });
  });

  it('is asked by Telegram, whatever they answer', async () => {
    const { posted, telegram } = await inTelegram();
    await telegram.startTelegram(telegram.readLaunch());
    expect(telegram.requestWriteAccess()).toBe(true);
    expect(posted.at(-1)).toBe('web_app_request_write_access');
    emitEvent('write_access_requested', { status: 'cancelled' });
  });
});

describe('closing', () => {
  it('is Telegram’s to do', async () => {
    const { posted, telegram } = await inTelegram();
    await telegram.startTelegram(telegram.readLaunch());
    telegram.closeApp()?.();
    expect(posted.at(-1)).toMatch(/^web_app_close/);
  });
});

describe('starting elsewhere', () => {
  it('in a plain tab is outside, with the language of the browser', async () => {
    window.history.replaceState(null, '', '/?start=FRIEND');
    const telegram = await import('./index');
    const launch = telegram.readLaunch();
    expect(launch).toMatchObject({ is: 'outside', referralCode: 'FRIEND' });
    await telegram.startTelegram(launch);
    telegram.backButton(() => {});
    telegram.confirmClosing(true);
    telegram.haptics.impact('light');
  });

  it('sends no referral code that could only be refused', async () => {
    window.history.replaceState(null, '', '/?start=a%20b');
    const telegram = await import('./index');
    expect(telegram.readLaunch().referralCode).toBeNull();
  });
});

describe('a desktop', () => {
  it.each([
    ['tdesktop', { touches: 0, inner: 400, screen: 1920 }, true],
    ['macos', { touches: 0, inner: 400, screen: 1920 }, true],
    ['unigram', { touches: 10, inner: 400, screen: 1920 }, true],
    ['weba', { touches: 0, inner: 400, screen: 1920 }, true],
    ['webk', { touches: 5, inner: 400, screen: 1920 }, true],
    ['weba', { touches: 5, inner: 400, screen: 412 }, false],
    ['android', { touches: 5, inner: 412, screen: 412 }, false],
    ['ios', { touches: 5, inner: 1024, screen: 1024 }, false],
    ['android', { touches: 0, inner: 400, screen: 1920 }, false],
    [null, { touches: 0, inner: 1280, screen: 1920 }, true],
    [null, { touches: 0, inner: 390, screen: 1920 }, false],
  ])('%s with %o: %s', (platform, { touches, inner, screen }, expected) => {
    vi.stubGlobal('navigator', { maxTouchPoints: touches });
    vi.stubGlobal('innerWidth', inner);
    vi.stubGlobal('screen', { width: screen });
    expect(isDesktop(platform)).toBe(expected);
    vi.unstubAllGlobals();
  });
});
