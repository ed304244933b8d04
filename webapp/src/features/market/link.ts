import { urlOf } from '../../url';

/** The address a payment link pays to, as wallets write it; null where the link has none that we know. */
export function addressIn(link: string): string | null {
  const last = urlOf(link)?.pathname.split('/').at(-1) ?? '';
  return /^[A-Za-z0-9_-]{48}$/.test(last) ? last : null;
}
