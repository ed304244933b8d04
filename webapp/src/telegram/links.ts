import { openLink, openTelegramLink } from '@telegram-apps/sdk-react';

/**
 * Opens a page outside of the game: a chat in Telegram itself, anything else in a browser. Only https is opened, or
 * what comes from this very host the way the game did, as the sandbox's wallet does.
 */
export function openPage(link: string): void {
  if (!URL.canParse(link)) return;
  const { protocol, hostname, href } = new URL(link);
  const ours = protocol === location.protocol && hostname === location.hostname;
  if (protocol !== 'https:' && !ours) return;
  try {
    const [opened] = hostname === 't.me' ? openTelegramLink.ifAvailable(href) : openLink.ifAvailable(href);
    if (opened) return;
  } catch {
    // A client that cannot leaves it to the browser.
  }
  window.open(href, '_blank', 'noopener,noreferrer');
}
