import type { KeyValueStorage } from '../../storage';

/** Taps on their way to the server. Once frozen a batch keeps its id and size until the server has answered it. */
export type Batch = { readonly batch_id: string; readonly taps: number };

/** `sending` is the frozen batch; `pending` are later taps, which join the next one. */
export type PendingTaps = { readonly sending: Batch | null; readonly pending: number };

const nothing: PendingTaps = { sending: null, pending: 0 };

/** Counts waiting on the device: how many taps, since when, for which batch. */
type Records = Record<string, { taps: number; sending: Batch | null; timestamp: number }>;

/**
 * One player's unsent taps, kept on the device so that a reload or a closed app loses none.
 *
 * The stored record is the truth: each step reads it, changes it and writes it back before anything is sent. So two
 * windows of one player share one count and one frozen batch, and sending that batch from both is counted once.
 */
export class TapStorage {
  constructor(
    private readonly box: KeyValueStorage,
    private readonly key: string,
    private readonly player: number,
    private readonly limit: number,
    private readonly newId: () => string,
    private readonly now: () => number,
  ) {}

  read(): PendingTaps {
    const found = this.records()[this.player];
    return found ? { sending: found.sending, pending: found.taps } : nothing;
  }

  add(): PendingTaps {
    const { sending, pending } = this.read();
    return this.write({ sending, pending: pending + 1 });
  }

  /** Freezes what is pending, at most `limit` taps. A batch already frozen stays as it is. */
  freeze(): PendingTaps {
    const { sending, pending } = this.read();
    if (sending || pending === 0) return { sending, pending };
    const taps = Math.min(pending, this.limit);
    return this.write({ sending: { batch_id: this.newId(), taps }, pending: pending - taps });
  }

  /** Forgets a batch the server has answered for good. */
  settle(batchId: string): PendingTaps {
    const { sending, pending } = this.read();
    if (sending?.batch_id !== batchId) return { sending, pending };
    return this.write({ sending: null, pending });
  }

  private write(taps: PendingTaps): PendingTaps {
    const records = this.records();
    if (taps.sending || taps.pending > 0) {
      records[this.player] = { taps: taps.pending, sending: taps.sending, timestamp: this.now() };
    } else {
      delete records[this.player];
    }
    // Whose key is there has something to send.
    if (Object.keys(records).length === 0) this.box.remove(this.key);
    else this.box.set(this.key, JSON.stringify(records));
    return taps;
  }

  private records(): Records {
    const text = this.box.get(this.key);
    if (!text) return {};
    try {
      const parsed: unknown = JSON.parse(text);
      if (!isObject(parsed)) return {};
      const records: Records = {};
      for (const [player, record] of Object.entries(parsed)) {
        if (isObject(record) && isCount(record.taps)) {
          records[player] = {
            // More than a batch holds was never tapped: no day has so much energy.
            taps: Math.min(record.taps, this.limit),
            sending: isBatch(record.sending) && record.sending.taps <= this.limit ? record.sending : null,
            timestamp: isCount(record.timestamp) ? record.timestamp : 0,
          };
        }
      }
      return records;
    } catch {
      return {};
    }
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

function isBatch(value: unknown): value is Batch {
  return isObject(value) && typeof value.batch_id === 'string' && isCount(value.taps) && value.taps > 0;
}
