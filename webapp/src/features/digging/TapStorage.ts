import type { Platform } from '../../app/Platform';
import { isObject, readRecords } from '../../storage';

/** Storage keys of unsent taps, on the bag and in the mines. */
export const bagKey = 'accumulated_taps';
export const minesKey = 'mines_accumulated_taps';

/** Taps on their way to the server. Once frozen a batch keeps its id and size until the server has answered it. */
export type Batch = { readonly batch_id: string; readonly taps: number };

/** `sending` is the frozen batch; `pending` are later taps, which join the next one. */
export type PendingTaps = { readonly sending: Batch | null; readonly pending: number };

const nothing: PendingTaps = { sending: null, pending: 0 };

/** By player: pending taps, the frozen batch, and when they changed. */
type Records = Record<string, { taps: number; sending: Batch | null; timestamp: number }>;

/**
 * One player's unsent taps, kept on the device so that a reload or a closed app loses none.
 *
 * The stored record is the truth: each step reads it, changes it and writes it back before anything is sent. So two
 * windows of one player share one count and one frozen batch, and sending that batch from both is counted once.
 */
export class TapStorage {
  constructor(
    private readonly platform: Platform,
    private readonly key: string,
    private readonly player: number,
    private readonly limit: number,
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
    return this.write({ sending: { batch_id: this.platform.newId(), taps }, pending: pending - taps });
  }

  /** Removes a batch that the server has answered for good. */
  settle(batchId: string): PendingTaps {
    const { sending, pending } = this.read();
    if (sending?.batch_id !== batchId) return { sending, pending };
    return this.write({ sending: null, pending });
  }

  private write(taps: PendingTaps): PendingTaps {
    const records = this.records();
    if (taps.sending || taps.pending > 0) {
      records[this.player] = { taps: taps.pending, sending: taps.sending, timestamp: this.platform.now() };
    } else {
      delete records[this.player];
    }
    // The key is there only while something is unsent: `Boot` opens the mines for it.
    if (Object.keys(records).length === 0) this.platform.storage.remove(this.key);
    else this.platform.storage.set(this.key, JSON.stringify(records));
    return taps;
  }

  private records(): Records {
    const records: Records = {};
    for (const [player, record] of Object.entries(readRecords(this.platform.storage, this.key))) {
      if (!isObject(record) || !isCount(record.taps)) continue;
      records[player] = {
        // No day has the energy for more than one batch.
        taps: Math.min(record.taps, this.limit),
        sending: isBatch(record.sending) && record.sending.taps <= this.limit ? record.sending : null,
        timestamp: isCount(record.timestamp) ? record.timestamp : 0,
      };
    }
    return records;
  }
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

function isBatch(value: unknown): value is Batch {
  return isObject(value) && typeof value.batch_id === 'string' && isCount(value.taps) && value.taps > 0;
}
