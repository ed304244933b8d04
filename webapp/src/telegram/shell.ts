import { type EventName, type MethodName, supports } from '@telegram-apps/sdk-react';
import { connectBridge, isConnected, listen, post } from './bridge';
import { reload } from './launch';

/** `--c-ground` and `--c-surface-1` of tokens.css: what Telegram draws around the app joins its edges. */
const ground = '#17110C';
const surface = '#231A12';
/** For the client's answers, milliseconds. */
const answerTimeout = 1000;

/** Dresses Telegram's frame around the app, in the one order that works. Any step may fail in some client. */
export async function openShell(version: string): Promise<void> {
  connectBridge(version);
  listen('reload_iframe', () => {
    post('iframe_will_reload');
    reload();
  });
  listen('back_button_pressed', () => onBack?.());
  post('iframe_ready', { reload_supported: true });
  // The swipe would close the app under a tapping finger.
  post('web_app_setup_swipe_behavior', { allow_vertical_swipe: false });
  if (supports('web_app_set_header_color', 'color', version))
    post('web_app_set_header_color', { color: ground });
  post('web_app_set_background_color', { color: ground });
  post('web_app_set_bottom_bar_color', { color: surface });
  await Promise.race([followViewport(), new Promise((done) => setTimeout(done, answerTimeout))]);
  post('web_app_expand');
  lockPortrait();
  post('web_app_ready');
}

type Insets = { readonly [Edge in 'top' | 'bottom' | 'left' | 'right']?: unknown } | null | undefined;

/** Keeps the app clear of what Telegram draws over it, from Telegram's first answer on. */
function followViewport(): Promise<unknown> {
  const follow = (area: string) => (insets: Insets) => {
    for (const edge of ['top', 'bottom', 'left', 'right'] as const)
      setSize(`${area}-inset-${edge}`, insets?.[edge]);
  };
  return Promise.all([
    request('web_app_request_viewport', 'viewport_changed', (size) => {
      if (size.is_state_stable && size.height > 0) setSize('stable-height', size.height);
    }),
    request('web_app_request_safe_area', 'safe_area_changed', follow('safe-area')),
    request('web_app_request_content_safe_area', 'content_safe_area_changed', follow('content-safe-area')),
  ]);
}

/** Without an answer the CSS falls back to the window's own size. */
function setSize(name: string, pixels: unknown): void {
  if (typeof pixels === 'number')
    document.documentElement.style.setProperty(`--tg-viewport-${name}`, `${pixels}px`);
}

/** Resolves with the first answer, or at once if there can be none. */
function request<Event extends EventName>(
  method: MethodName,
  event: Event,
  onAnswer: Parameters<typeof listen<Event>>[1],
): Promise<void> {
  return new Promise((settle) => {
    listen(event, (payload) => {
      onAnswer(payload);
      settle();
    });
    if (!post(method)) settle();
  });
}

/**
 * Keeps the app upright from when it is first held so: a bag and its energy do not fit a phone on its side, and the window that
 * connects a wallet would begin anew at each turn.
 */
function lockPortrait(): void {
  const lock = () => post('web_app_toggle_orientation_lock', { locked: true });
  try {
    const portrait = matchMedia('(orientation: portrait)');
    if (portrait.matches) lock();
    else portrait.addEventListener('change', lock, { once: true });
  } catch {
    // A browser without the orientation API.
  }
}

let onBack: (() => void) | null = null;

/** Shows Telegram's back button for as long as there is something to do when it is pressed. */
export function backButton(onPress: (() => void) | null): void {
  onBack = onPress;
  post('web_app_setup_back_button', { is_visible: onPress !== null });
}

/** Whether Telegram asks before it closes the app. */
export function confirmClosing(on: boolean): void {
  post('web_app_setup_closing_behavior', { need_confirmation: on });
}

/** Lets Telegram ask the player whether the bot may write to them; the bot hears the answer, too. False where the client cannot ask. */
export function requestWriteAccess(onAnswer: (allowed: boolean) => void = () => {}): boolean {
  const stop = listen('write_access_requested', ({ status }) => {
    stop();
    onAnswer(status === 'allowed');
  });
  if (post('web_app_request_write_access')) return true;
  stop();
  return false;
}

/** Closes the app; null if that is impossible. */
export function closeApp(): (() => void) | null {
  return isConnected() ? () => post('web_app_close') : null;
}
