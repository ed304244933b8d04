import {
  init,
  initDataChatInstance,
  initDataStartParam,
  initDataUser,
  restoreInitData,
  retrieveLaunchParams,
  retrieveRawInitData,
  targetOrigin,
} from '@telegram-apps/sdk-react';

/** How the app was opened. */
export type Launch = {
  /** Whose invitation brought the player, if any. */
  readonly referralCode: string | null;
  /** Such as "ru" or "pt-br". */
  readonly languageCode: string | null;
  readonly desktop: boolean;
} & (
  | {
      readonly is: 'telegram';
      /** The signed launch data, exactly as Telegram gave them; they prove who the player is. */
      readonly initData: string;
      /** A direct link brought them past the chat with the bot, which may not write to them. */
      readonly stranger: boolean;
    }
  | { readonly is: 'outside' }
);

/** Starts the SDK and reads the launch. Everything may throw here: another browser, blocked storage, an old client. */
export function readLaunch(): Launch {
  const start = new URLSearchParams(window.location.search).get('start');
  try {
    const parent = parentOrigin();
    if (parent) targetOrigin.set(parent);
    init({ acceptCustomStyles: false });
    restoreInitData();
    const initData = retrieveRawInitData();
    if (initData) {
      return {
        is: 'telegram',
        initData,
        stranger: isStranger(),
        referralCode: code(start ?? initDataStartParam()),
        languageCode: initDataUser()?.language_code ?? null,
        desktop: isDesktop(retrieveLaunchParams().tgWebAppPlatform),
      };
    }
  } catch {
    // Not in Telegram, or not in a way we can work with.
  }
  return {
    is: 'outside',
    referralCode: code(start),
    languageCode: navigator.language,
    desktop: isDesktop(null),
  };
}

/** A direct link names the chat it was followed in, and its code; a button of the bot's does neither. */
function isStranger(): boolean {
  const direct = initDataChatInstance() !== undefined || initDataStartParam() !== undefined;
  return direct && initDataUser()?.allows_write_to_pm !== true;
}

/**
 * In a browser Telegram is the page around us. The SDK would post to web.telegram.org only; the page's own origin, taken
 * at run time, also serves Telegram's other web clients and the sandbox. The frame-ancestors header of the server
 * allows no other parent, so nobody else can listen.
 */
function parentOrigin(): string | null {
  if (window.parent === window) return null;
  const origin = window.location.ancestorOrigins?.[0];
  if (origin) return origin;
  return document.referrer ? new URL(document.referrer).origin : null;
}

/** The widest screen that counts as a tablet (spec §9). */
const tablet = 1024;

/**
 * Spec §1: desktop users only see a notice. A desktop is
 * - Telegram's native desktop clients, whatever the width of their window;
 * - Telegram in a browser (web, weba, webk), unless the device is touched and its screen no wider than a tablet:
 *   the app's own frame says nothing, it is always as narrow as a phone;
 * - anything else that is not touched and wider than a tablet.
 * The sandbox opens the app as android in a frame the size of a phone, and so is none.
 */
export function isDesktop(platform: string | null): boolean {
  const touched = navigator.maxTouchPoints > 0;
  switch (platform) {
    case 'tdesktop':
    case 'macos':
    case 'unigram': // the client of Windows
      return true;
    case 'web':
    case 'weba':
    case 'webk':
      return !touched || window.screen.width > tablet;
    default:
      return !touched && window.innerWidth > tablet;
  }
}

/** A referral code worth sending; anything else would only be refused. */
function code(text: string | null | undefined): string | null {
  return text && /^[A-Za-z0-9_-]{1,64}$/.test(text) ? text : null;
}
