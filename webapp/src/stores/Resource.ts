import { flow, makeAutoObservable, observableRef } from 'mobx';
import { type ApiError, asApiError } from '../api/error';
import { wait } from './wait';

type State<T> =
  | { readonly is: 'loading' }
  | { readonly is: 'ready'; readonly value: T }
  | { readonly is: 'failed'; readonly error: ApiError };

/** What shows the revision of the player's row. */
type Revised = { readonly as_of?: number };

/**
 * A value of the server. The newest request wins, whichever answer arrives last, and of values with a revision the newest;
 * after a failure the last value stays.
 */
export class Resource<T extends object> {
  state: State<T> = { is: 'loading' };
  readonly #fetch: () => Promise<T>;
  readonly #onLoad: ((value: T, before: T | null) => void) | undefined;
  /** Requests are numbered; `#accepted` is the newest whose answer was taken. */
  #started = 0;
  #accepted = 0;

  constructor(fetch: () => Promise<T>, onLoad?: (value: T, before: T | null) => void) {
    this.#fetch = fetch;
    this.#onLoad = onLoad;
    makeAutoObservable(this, { state: observableRef });
  }

  get value(): T | null {
    return this.state.is === 'ready' ? this.state.value : null;
  }

  /** True if this answer was taken: it came, and no newer one before it. */
  load = flow(function* (this: Resource<T>) {
    this.#started += 1;
    const request = this.#started;
    if (this.state.is === 'failed') this.state = { is: 'loading' };
    try {
      const value = yield* wait(this.#fetch());
      if (request <= this.#accepted || this.#revisionsAhead(value) < 0) return false;
      this.#accepted = request;
      const before = this.value;
      this.state = { is: 'ready', value };
      this.#onLoad?.(value, before);
      return true;
    } catch (error) {
      const failure = asApiError(error);
      if (request === this.#started && this.state.is === 'loading')
        this.state = { is: 'failed', error: failure };
      return false;
    }
  });

  /**
   * Takes a value from the answer to a write, unless what that did is known already. It is newer than whatever was requested
   * before: true if such a request is still on its way.
   */
  replace(value: T): boolean {
    if (this.#revisionsAhead(value) <= 0) return false;
    const isLoading = this.#started > this.#accepted;
    this.#accepted = this.#started;
    this.state = { is: 'ready', value };
    return isLoading;
  }

  /** How much newer a value is than the known one; without revisions the last to arrive is the newest. */
  #revisionsAhead({ as_of }: Revised): number {
    const current: Revised | null = this.value;
    return as_of === undefined || current?.as_of === undefined ? 1 : as_of - current.as_of;
  }
}
