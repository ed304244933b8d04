import { makeAutoObservable, observableRef } from 'mobx';
import type { Api } from '../../api/client';
import type { Miner } from '../../api/types';
import { isVisible } from '../../stores/PageLifecycle';
import { Pages } from '../../stores/Pages';

/** How old the leaderboard may get while it is on screen; milliseconds. */
const refetchMs = 60_000;

/** The leaderboard of the tournament. */
export class MinersBoard {
  readonly miners: Pages<Miner>;
  /** The player among the miners; null until loaded. */
  me: Miner | null = null;
  #watched = false;

  constructor(api: Api) {
    this.miners = new Pages({
      fetchPage: async () => {
        const { leaderboard, me } = await api.miners();
        return { rows: leaderboard, hasMore: false, me };
      },
      onPage: ({ me }) => {
        this.me = me;
      },
      keyOf: ({ user }) => user.id,
      size: 100,
    });
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
}
