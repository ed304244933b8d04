import type { Api } from '../../api/client';
import { asApiError } from '../../api/error';
import type { Order, ProofPayload } from '../../api/types';
import type { Transfer } from '../../wallet';
import { addressIn } from '../market/link';

/** The bridge keeps a request no longer, milliseconds. */
const requestLife = 300_000;
/** A payload is renewed so long before it expires, milliseconds: the player needs a moment to sign it. */
const proofMargin = 60_000;

/** What a wallet signs to prove its address; without one the address is connected unproven. */
export async function fetchPayload(api: Api): Promise<ProofPayload | null> {
  try {
    return await api.proofPayload();
  } catch (error) {
    asApiError(error);
    return null;
  }
}

/** Milliseconds until the payload has to be renewed. */
export function renewalDelay({ expires_at }: ProofPayload, now: number): number {
  return Math.max(0, Date.parse(expires_at) - proofMargin - now);
}

/**
 * The payment of an order: treasury, amount and comment as in its link. Null where it can no longer be paid at `now`,
 * the server's time in milliseconds: a device clock may be wrong.
 */
export function transferOf(
  { payable, paymentLink, payload, expires_at }: Order,
  now: number,
): Transfer | null {
  const to = addressIn(paymentLink);
  if (!payable || to === null || payload === undefined) return null;
  const nanotons = new URL(paymentLink).searchParams.get('amount') ?? '';
  const ends = Math.min(Date.parse(expires_at), now + requestLife);
  if (!/^[1-9]\d*$/.test(nanotons) || ends <= now) return null;
  return { to, nanotons, payload, validUntil: Math.floor(ends / 1000) };
}
