import type { ProofPayload, Transaction, User, WalletChange } from '../api/types';

/** A row of the history: coins bought, unless it says otherwise. */
export function aTransaction(change: Partial<Transaction> = {}): Transaction {
  return {
    id: 1,
    name: 'Coins bought',
    amount: 2500,
    amount_usd: '+12.50',
    asset: 'MCBK',
    type: 'other',
    kind: 'purchase',
    is_withdraw: false,
    created_at: '2026-03-01T11:00:00Z',
    ...change,
  };
}

/** The wallet of FakeServer's players, and what came and went. A proof is good when its payload was given out. */
export class FakePurse {
  /** TON that every wallet holds; null when the chain does not tell. */
  balance: number | null = 12.5;
  /** Minutes that a payload lives. */
  minutes = 5;
  /** The newest first. */
  history: readonly Transaction[] = [];
  private readonly payloads = new Map<string, 'open' | 'used'>();

  /** The answer to one of the wallet's calls; undefined to any other. */
  answer(call: string, url: URL, body: unknown, player: { user: User }): unknown {
    switch (call) {
      case 'GET /user/wallet': {
        const { wallet_address, wallet_proven } = player.user;
        const ton_balance = wallet_address === null ? null : this.balance;
        return { wallet_address, wallet_proven, ton_balance, balance_at: null };
      }
      case 'PUT /user/wallet':
        player.user = { ...player.user, ...this.connect(body as WalletChange, player.user) };
        return player.user;
      case 'POST /ton/proof-payload':
        return this.payload();
      case 'GET /user/transactions':
        return this.rows(url.searchParams);
      default:
        return undefined;
    }
  }

  /** A wallet that was proven stays so while the same one is named, also without a proof. */
  private connect({ wallet_address, proof }: WalletChange, before: User) {
    if (proof && !this.payloads.has(proof.payload)) throw { status: 400, code: 'wallet_proof_invalid' };
    if (proof && this.payloads.get(proof.payload) === 'used') throw { status: 409, code: 'nonce_used' };
    if (proof) this.payloads.set(proof.payload, 'used');
    const named = wallet_address && friendly(wallet_address);
    const still = before.wallet_proven && before.wallet_address === named;
    return { wallet_address: named, wallet_proven: proof !== undefined || still };
  }

  private payload(): ProofPayload {
    const payload = `payload-${this.payloads.size + 1}`;
    this.payloads.set(payload, 'open');
    return { payload, expires_at: new Date(Date.now() + this.minutes * 60_000).toISOString() };
  }

  private rows(query: URLSearchParams) {
    const type = query.get('type');
    const rows = this.history.filter(
      (row) =>
        type === 'all' || (type === 'referrals' ? row.type === 'referral' : String(row.kind) === 'purchase'),
    );
    const [limit, offset] = [Number(query.get('limit')), Number(query.get('offset'))];
    return { transactions: rows.slice(offset, offset + limit), hasMore: offset + limit < rows.length };
  }
}

/** As the server would write it, but easier to read. */
export const friendly = (raw: string): string => raw.replace(/^0:/, 'UQ').padEnd(48, 'A');
