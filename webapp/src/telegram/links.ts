import { openLink, openTelegramLink } from '@telegram-apps/sdk-react';

/** Opens a page outside of the game: a chat in Telegram itself, anything else in a browser. Only https is opened. */
export function openPage(link: string): void {
  if (!URL.canParse(link)) return;
  const { protocol, hostname, href } = new URL(link);
  if (protocol !== 'https:') return;
  try {
    const [opened] = hostname === 't.me' ? openTelegramLink.ifAvailable(href) : openLink.ifAvailable(href);
    if (opened) return;
  } catch {
    // A client that cannot leaves it to the browser.
  }
  window.open(href, '_blank', 'noopener,noreferrer');
}
