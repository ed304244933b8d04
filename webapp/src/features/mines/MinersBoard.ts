import { flow, makeAutoObservable, observableRef } from 'mobx';
import type { Api } from '../../api/client';
import type { Miner } from '../../api/types';
import { isVisible } from '../../stores/PageLifecycle';
import { Pages } from '../../stores/Pages';
import { RequestSequence } from '../../stores/RequestSequence';
import { wait } from '../../stores/wait';

/** How old the leaderboard may get while it is on screen; milliseconds. */
const refetchMs = 60_000;

export const minerKey = (miner: Miner): number => miner.user.id;

/** The leaderboard of the tournament. */
export class MinersBoard {
  readonly miners: Pages<Miner>;
  /** The player among the miners; null until loaded. */
  me: Miner | null = null;
  readonly #api: Api;
  readonly #requests = new RequestSequence();
  #watched = false;

  constructor(api: Api) {
    this.#api = api;
    this.miners = new Pages({ fetchPage: () => this.fetch(), keyOf: minerKey, size: 100 });
    makeAutoObservable(this, { me: observableRef });
  }

  /** Refetches the leaderboard until the returned function is called. */
  watch(): () => void {
    this.#watched = true;
    const timer = setInterval(() => {
      if (isVisible()) void this.miners.load();
    }, refetchMs);
    return () => {
      this.#watched = false;
      clearInterval(timer);
    };
  }

  /** What the player dug was counted. */
  onDug(): void {
    if (this.#watched) void this.miners.load();
  }

  private fetch = flow(function* (this: MinersBoard) {
    const request = this.#requests.next();
    const { leaderboard, me } = yield* wait(this.#api.miners());
    if (this.#requests.accept(request)) this.me = me;
    return { rows: leaderboard, hasMore: false };
  });
}
