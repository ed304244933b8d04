import { flow, makeAutoObservable, observableRef } from 'mobx';
import { ApiError, asApiError } from '../api/error';
import { wait } from './wait';

export type Page<Row> = { readonly rows: readonly Row[]; readonly hasMore: boolean };

/** What may follow the rows there are. */
type Next = { is: 'end' } | { is: 'more' } | { is: 'loading' } | { is: 'failed'; error: ApiError };

/** A list as far as it is known. */
export type Paged<Row> =
  | { is: 'unasked' }
  | { is: 'loading' }
  | { is: 'failed'; error: ApiError }
  | { is: 'rows'; rows: readonly Row[]; next: Next };

type Source<Row, P extends Page<Row>> = {
  readonly fetchPage: (offset: number, limit: number) => Promise<P>;
  /** Receives the rest of a page's answer. */
  onPage?(page: P): void;
  /** What is never the same for two rows. */
  readonly keyOf: (row: Row) => string | number;
  /** Rows a page. */
  readonly size: number;
};

/** A list that the server hands out page by page. */
export class Pages<Row, P extends Page<Row> = Page<Row>> {
  list: Paged<Row> = { is: 'unasked' };
  /** Rows received so far, which is where the next page begins on the server. A row that came twice counts twice. */
  #offset = 0;
  /** Counts loads, so that answers to earlier requests are ignored. */
  #age = 0;

  readonly #source: Source<Row, P>;

  constructor(source: Source<Row, P>) {
    this.#source = source;
    makeAutoObservable(this, { list: observableRef });
  }

  /** What an `<InfiniteList>` takes of them. */
  get shown() {
    return {
      list: this.list,
      keyOf: this.#source.keyOf,
      onMore: () => void this.more(),
      onRetry: () => this.retry(),
    };
  }

  /** Loads or reloads the first page. Known rows stay until it is loaded, and if it fails. */
  load = flow(function* (this: Pages<Row, P>) {
    this.#age += 1;
    const startedAt = this.#age;
    if (this.list.is !== 'rows') this.list = { is: 'loading' };
    // No further page of the old rows may be requested by now.
    else if (this.list.next.is !== 'end') this.list = { ...this.list, next: { is: 'loading' } };
    try {
      const page = yield* wait(this.#source.fetchPage(0, this.#source.size));
      if (startedAt === this.#age) this.take([], 0, page);
    } catch (error) {
      if (startedAt === this.#age) this.fail(error);
      asApiError(error);
    }
  });

  /** The next page, unless one is on its way, has failed, or there is none. */
  more = flow(function* (this: Pages<Row, P>) {
    if (this.list.is !== 'rows' || this.list.next.is !== 'more') return;
    const startedAt = this.#age;
    const { rows } = this.list;
    this.list = { is: 'rows', rows, next: { is: 'loading' } };
    try {
      const page = yield* wait(this.#source.fetchPage(this.#offset, this.#source.size));
      if (startedAt === this.#age) this.take(rows, this.#offset, page);
    } catch (error) {
      if (startedAt === this.#age)
        this.list = { is: 'rows', rows, next: { is: 'failed', error: shownError(error) } };
      asApiError(error);
    }
  });

  /** Asks again for the page that failed. */
  retry(): void {
    if (this.list.is === 'failed') void this.load();
    if (this.list.is !== 'rows' || this.list.next.is !== 'failed') return;
    this.list = { ...this.list, next: { is: 'more' } };
    void this.more();
  }

  /** The first page has failed. Known rows stay, with the failure shown at their end. */
  private fail(error: unknown): void {
    if (this.list.is === 'loading') this.list = { is: 'failed', error: shownError(error) };
    else if (this.list.is === 'rows' && this.list.next.is === 'loading')
      this.list = { ...this.list, next: { is: 'more' } };
  }

  private take(before: readonly Row[], offset: number, page: P): void {
    // The list may have moved between two pages, and then the second begins with rows of the first.
    const rows = new Map(before.map((row) => [this.#source.keyOf(row), row]));
    for (const row of page.rows) {
      const key = this.#source.keyOf(row);
      if (!rows.has(key)) rows.set(key, row);
    }
    this.#offset = offset + page.rows.length;
    // An empty page would be requested in a loop.
    const next = page.hasMore && page.rows.length > 0 ? ('more' as const) : ('end' as const);
    this.list = { is: 'rows', rows: [...rows.values()], next: { is: next } };
    this.#source.onPage?.(page);
  }
}

/** The error's code. A defect of our own is rethrown, but must not leave the list loading for ever. */
function shownError(error: unknown): ApiError {
  return error instanceof ApiError ? error : new ApiError({ code: 'internal', status: 0 });
}
