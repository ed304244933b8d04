import {
  bindViewportCssVars,
  closeMiniApp,
  disableClosingConfirmation,
  enableClosingConfirmation,
  expandViewport,
  hideBackButton,
  miniAppReady,
  mountBackButton,
  mountClosingBehavior,
  mountMiniAppSync,
  mountSwipeBehavior,
  mountThemeParamsSync,
  mountViewport,
  offBackButtonClick,
  onBackButtonClick,
  postEvent,
  requestWriteAccess,
  retrieveLaunchParams,
  setMiniAppBackgroundColor,
  setMiniAppBottomBarColor,
  setMiniAppHeaderColor,
  showBackButton,
  supports,
} from '@telegram-apps/sdk-react';

/** `--c-ground` and `--c-surface-1` of tokens.css: what Telegram draws around the app joins its edges. */
const ground = '#17110C';
const surface = '#231A12';
/** A client that has not answered keeps the player waiting this long, milliseconds. */
const patience = 1000;

/** Dresses Telegram's frame around the app, in the one order that works. Any step may be missing in an old client. */
export async function openShell(): Promise<void> {
  attempt(() => mountMiniAppSync.ifAvailable());
  attempt(() => mountThemeParamsSync.ifAvailable());
  attempt(() => mountBackButton.ifAvailable());
  attempt(() => mountClosingBehavior.ifAvailable());
  // Mounting also forbids the vertical swipe that would close the app under a tapping finger.
  attempt(() => mountSwipeBehavior.ifAvailable());
  attempt(() => setMiniAppHeaderColor.ifAvailable(ground));
  attempt(() => setMiniAppBackgroundColor.ifAvailable(ground));
  attempt(() => setMiniAppBottomBarColor.ifAvailable(surface));
  await Promise.race([followEdges(), new Promise((done) => setTimeout(done, patience))]);
  attempt(() => expandViewport.ifAvailable());
  attempt(stayUpright);
  attempt(() => miniAppReady.ifAvailable());
}

/** Keeps the app clear of what Telegram draws over it, from its first answer on: on a busy phone that comes after the start. */
async function followEdges(): Promise<void> {
  try {
    const [, mounting] = mountViewport.ifAvailable();
    await mounting;
    bindViewportCssVars.ifAvailable();
  } catch {
    // Without an answer the CSS falls back to the window's own size.
  }
}

const turnLock = 'web_app_toggle_orientation_lock';

/**
 * Keeps the app upright from when it is first held so: a bag and its energy do not fit a phone on its side, and the window that
 * connects a wallet would begin anew at each turn.
 */
function stayUpright(): void {
  if (!supports(turnLock, retrieveLaunchParams().tgWebAppVersion)) return;
  const lock = () => postEvent(turnLock, { locked: true });
  const upright = matchMedia('(orientation: portrait)');
  if (upright.matches) lock();
  else upright.addEventListener('change', lock, { once: true });
}

let pressed: (() => void) | null = null;

/** Shows Telegram's back button for as long as there is something to do when it is pressed. */
export function backButton(onPress: (() => void) | null): void {
  attempt(() => {
    if (pressed) offBackButtonClick.ifAvailable(pressed);
    pressed = onPress;
    if (onPress) {
      onBackButtonClick.ifAvailable(onPress);
      showBackButton.ifAvailable();
    } else {
      hideBackButton.ifAvailable();
    }
  });
}

/** Whether Telegram asks before it closes the app. */
export function confirmClosing(on: boolean): void {
  attempt(() => (on ? enableClosingConfirmation : disableClosingConfirmation).ifAvailable());
}

/** Lets Telegram ask the player whether the bot may write to them. False where the client is too old to ask. */
export function askToWrite(): boolean {
  try {
    const [asked, answer] = requestWriteAccess.ifAvailable();
    // What they say the bot hears from Telegram.
    answer?.catch(() => undefined);
    return asked;
  } catch {
    return false;
  }
}

/** Closes the app; null where nobody can. */
export function closer(): (() => void) | null {
  try {
    return closeMiniApp.isAvailable() ? () => attempt(() => closeMiniApp.ifAvailable()) : null;
  } catch {
    return null;
  }
}

function attempt(step: () => unknown): void {
  try {
    step();
  } catch {
    // The app works without it.
  }
}
