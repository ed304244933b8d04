import { openLink, openTelegramLink } from '@telegram-apps/sdk-react';
import { urlOf } from '../url';

/** A payment that a wallet app on the phone takes, by a scheme that WALLET_LINK_BASE may be: nothing of it but what an order's link has. */
const payment = /^(ton|tonkeeper|keeper):\/\/transfer\/[\w-]{48}\?[^#]*$/;

/**
 * Opens a page outside of the game: a chat in Telegram itself, anything else in a browser. Only https is opened, or
 * what comes from this very host the way the game did, as the sandbox's wallet does. A payment without a page goes to
 * the phone, which asks its wallet app; this page stays, as no page comes.
 */
export function openPage(link: string): void {
  if (payment.test(link)) {
    window.open(link, '_self');
    return;
  }
  const page = urlOf(link);
  if (!page) return;
  const { protocol, hostname, href } = page;
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
