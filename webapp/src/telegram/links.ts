import { urlOf } from '../url';
import { post } from './bridge';

/** A payment that a wallet app on the phone takes, by a scheme that WALLET_LINK_BASE may be: nothing of it but what an order's link has. */
const payment = /^(ton|tonkeeper|keeper):\/\/transfer\/[\w-]{48}\?[^#]*$/;

/**
 * Opens a page outside of the game: a chat in Telegram itself, anything else in a browser. Only https is opened, or
 * what comes from this very host the way the game did, as the sandbox's wallet does. A payment without a page goes to
 * the phone's wallet app; this page stays open.
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
  const opened =
    hostname === 't.me'
      ? post('web_app_open_tg_link', { path_full: page.pathname + page.search })
      : post('web_app_open_link', { url: href });
  // A client that cannot leaves it to the browser.
  if (!opened) window.open(href, '_blank', 'noopener,noreferrer');
}
