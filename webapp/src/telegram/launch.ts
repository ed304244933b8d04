import { session } from '../storage';

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
      /** The signed launch data, exactly as Telegram passed them; they authenticate the player. */
      readonly initData: string;
      /** A direct link brought them past the chat with the bot, which may not write to them. */
      readonly cannotBeMessaged: boolean;
      /** Of the client's Mini Apps API. */
      readonly version: string;
    }
  | { readonly is: 'outside' }
);

/** Reads the launch. Only launch data show that Telegram opened the app: clients differ in everything else. */
export function readLaunch(): Launch {
  const start = new URLSearchParams(window.location.search).get('start');
  const parameters = readParameters();
  const initData = parameters.get('tgWebAppData');
  const desktop = isDesktop(parameters.get('tgWebAppPlatform'));
  if (!initData)
    return { is: 'outside', referralCode: code(start), languageCode: navigator.language, desktop };
  const data = new URLSearchParams(initData);
  const user = parse(data.get('user')) as { language_code?: unknown; allows_write_to_pm?: unknown } | null;
  const version = parameters.get('tgWebAppVersion') ?? '';
  return {
    is: 'telegram',
    initData,
    // A direct link names the chat it was followed in, and its code; a button of the bot's does neither.
    cannotBeMessaged:
      (data.has('chat_instance') || data.has('start_param')) && user?.allows_write_to_pm !== true,
    referralCode: code(start ?? data.get('start_param')),
    languageCode: typeof user?.language_code === 'string' ? user.language_code : null,
    desktop,
    version: /^\d+(\.\d+)*$/.test(version) ? version : oldest,
  };
}

/** The assumed version of a client that sends none. */
const oldest = '6.0';
/** The storage key of the SDK's launch parameters, which TON Connect reads. */
const storageKey = 'tapps/launchParams';
/** Parameters that only this page knows, as session storage did not take them. */
let unstored: string | null = null;

/**
 * The launch parameters: from the address, else those of this visit. They are taken out of the address, which is copied and
 * handed on, to wallets for one, as launch data log the player in for a day.
 */
function readParameters(): URLSearchParams {
  const { hash, search } = window.location;
  // A route may precede them.
  const given = new URLSearchParams((hash + search).replace(/[?#]/g, '&'));
  if (!given.get('tgWebAppData')) {
    const stored = parse(session.get(storageKey));
    return typeof stored === 'string' ? new URLSearchParams(stored) : given;
  }
  const raw = given.toString();
  unstored = session.set(storageKey, JSON.stringify(raw)) ? null : raw;
  const address = new URL(window.location.href);
  address.hash = '';
  for (const name of given.keys()) if (name.startsWith('tgWebApp')) address.searchParams.delete(name);
  setAddress(address.href);
  return given;
}

/** Loads the page anew. Parameters that could not be stored go back into the address, only for that. */
export function reload(): void {
  if (unstored) setAddress(`#${unstored}`);
  window.location.reload();
}

function setAddress(address: string): void {
  try {
    window.history.replaceState(window.history.state, '', address);
  } catch {
    // A browser may limit how often the address changes.
  }
}

/** Null for what is no JSON. */
function parse(text: string | null): unknown {
  try {
    return JSON.parse(text ?? '');
  } catch {
    return null;
  }
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
