import type { Api } from '../../api/client';
import { asApiError } from '../../api/error';
import type { Order, ProofPayload } from '../../api/types';
import type { Transfer } from '../../wallet';
import { addressIn } from '../market/link';

export type Payload = ProofPayload;

/** A wallet signs nothing later than this after it was asked, milliseconds: its bridge keeps a request no longer. */
const requestLife = 300_000;
/** A proof is asked for anew so long before it ends, milliseconds: a player needs a moment to say yes. */
const proofMargin = 60_000;

/** What a wallet is to sign; null when the server gives none, and then the address is connected without a proof. */
export async function payloadOf(api: Api): Promise<Payload | null> {
  try {
    return await api.proofPayload();
  } catch (error) {
    asApiError(error);
    return null;
  }
}

/** Milliseconds until a new payload is due. */
export function proofEnds({ expires_at }: Payload, now: number): number {
  return Math.max(0, Date.parse(expires_at) - proofMargin - now);
}

/**
 * The payment of an order, as its link has it: the same treasury, amount and comment. Null where it cannot be paid any
 * more at `now`, the server's time in milliseconds: a device whose clock is wrong would have it signed too late.
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
