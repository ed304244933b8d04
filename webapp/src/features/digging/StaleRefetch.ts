/** Figures that are stale are refetched at doubling intervals, from the first to the longest of these; seconds. */
const firstInterval = 30;
const longestInterval = 480;

/** Refetches stale figures with backoff until they are loaded. */
export class StaleRefetch {
  /** Seconds; 0 = nothing is stale. */
  #interval = 0;
  #requests = 0;

  /** `load` answers whether all figures have loaded. */
  constructor(readonly load: () => Promise<boolean>) {}

  get isStale(): boolean {
    return this.#interval > 0;
  }

  isDue(seconds: number): boolean {
    return this.#interval > 0 && seconds % this.#interval === 0;
  }

  /** Only the last request clears: an earlier one may answer with figures older than what made this one necessary. */
  async run(): Promise<void> {
    this.#interval = Math.min(this.#interval * 2 || firstInterval, longestInterval);
    this.#requests += 1;
    const request = this.#requests;
    if ((await this.load()) && request === this.#requests) this.clear();
  }

  clear(): void {
    this.#interval = 0;
  }
}
