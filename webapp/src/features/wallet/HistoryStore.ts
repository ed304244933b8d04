import { makeAutoObservable } from 'mobx';
import type { Api } from '../../api/client';
import type { Transaction, TransactionFilter } from '../../api/types';
import { Pages } from '../../stores/Pages';

/** Spec §9. */
const size = 20;

/** What came and went, in three lists: everything, purchases, and what friends brought. */
export class HistoryStore {
  tab: TransactionFilter = 'all';
  private readonly lists: Readonly<Record<TransactionFilter, Pages<Transaction>>>;

  constructor(api: Api) {
    const pages = (type: TransactionFilter) =>
      new Pages<Transaction>({
        fetchPage: async (offset, limit) => {
          const { transactions, hasMore } = await api.transactions(type, limit, offset);
          return { rows: transactions, hasMore };
        },
        keyOf,
        size,
      });
    this.lists = { all: pages('all'), purchases: pages('purchases'), referrals: pages('referrals') };
    makeAutoObservable<this, 'lists'>(this, { lists: false });
  }

  get shown(): Pages<Transaction> {
    return this.lists[this.tab];
  }

  /** The newest of everything; null while none is known. */
  get last(): Transaction | null {
    const { list } = this.lists.all;
    return list.is === 'rows' ? (list.rows[0] ?? null) : null;
  }

  /** There may be newer transactions. */
  refresh(): void {
    void this.lists.all.load();
    if (this.tab !== 'all') void this.shown.load();
  }

  choose(tab: TransactionFilter): void {
    this.tab = tab;
    void this.shown.load();
  }
}

const keyOf = ({ id }: Transaction): number => id;
