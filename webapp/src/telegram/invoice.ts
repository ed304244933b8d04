import { urlOf } from '../url';
import { listen, post } from './bridge';
import { openPage } from './links';

/** How the payment of an invoice ended, by Telegram's event. It proves nothing: a page can be sent any event. */
export type InvoiceStatus = 'paid' | 'cancelled' | 'failed' | 'pending';
const statuses: ReadonlySet<string> = new Set<InvoiceStatus>(['paid', 'cancelled', 'failed', 'pending']);

/** Opens an invoice over the game and resolves with how it ended; null if the client leaves the game for it. */
export function openInvoice(link: string): Promise<InvoiceStatus | null> {
  const [, slug] = /^\/(?:\$|invoice\/)([\w=-]+)$/.exec(urlOf(link)?.pathname ?? '') ?? [];
  return new Promise((settle) => {
    if (slug === undefined) return settle(null);
    const stop = listen('invoice_closed', (closed) => {
      if (closed.slug !== slug) return;
      stop();
      settle(statuses.has(closed.status) ? (closed.status as InvoiceStatus) : null);
    });
    if (post('web_app_open_invoice', { slug })) return;
    stop();
    openPage(link);
    settle(null);
  });
}
