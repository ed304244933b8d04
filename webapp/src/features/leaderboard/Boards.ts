import { makeAutoObservable, observableRef } from 'mobx';
import type { LeaderboardItem, LeaderboardType } from '../../api/types';
import type { RootStore } from '../../app/RootStore';
import { isVisible } from '../../stores/PageLifecycle';
import { Pages } from '../../stores/Pages';
import { whenBecomes } from '../../stores/whenBecomes';

/** Spec §9: players a page. */
const size = 100;
/** A shown board is reloaded after this, milliseconds. */
const fresh = 60_000;
/** The same while the server counts the ranks, which takes it seconds; milliseconds. */
const recount = 10_000;

const keyOf = ({ telegram_id }: LeaderboardItem): number => telegram_id;

/** The best players by one of their figures. */
class Board {
  readonly pages: Pages<LeaderboardItem>;
  /** The player's own row; null until loaded. */
  me: LeaderboardItem | null = null;
  /** When the first page was last requested; milliseconds since 1970. */
  private requestedAt = Number.NEGATIVE_INFINITY;

  readonly #type: LeaderboardType;
  readonly #root: RootStore;

  constructor(root: RootStore, type: LeaderboardType) {
    this.#root = root;
    this.#type = type;

    this.pages = new Pages({
      fetchPage: async (offset, limit) => {
        const { leaderboard, ...page } = await root.api.leaderboard(type, limit, offset);
        return { rows: leaderboard, ...page };
      },
      onPage: ({ me }) => this.takeOwn(me),
      keyOf,
      size,
    });
    makeAutoObservable(this, { pages: false, me: observableRef, old: false });
  }

  load(): void {
    this.requestedAt = this.#root.clock.now;
    void this.pages.load();
  }

  /** What is known may no longer be so. */
  get old(): boolean {
    return this.#root.clock.now - this.requestedAt >= (this.me?.rank === null ? recount : fresh);
  }

  /** The player has gone beyond the first page: the list may not begin anew under their eyes. */
  get deep(): boolean {
    const { list } = this.pages;
    return list.is === 'rows' && (list.rows.length > size || list.next.is === 'loading');
  }

  private takeOwn(me: LeaderboardItem): void {
    this.me = me;
    if (this.#type === 'coins' && me.rank !== null) this.#root.user.setRank(me.rank);
  }
}

/** The three leaderboards, of which one is on the screen. */
export class Boards {
  tab: LeaderboardType = 'coins';
  readonly #boards: Readonly<Record<LeaderboardType, Board>>;
  readonly #root: RootStore;

  constructor(root: RootStore) {
    this.#root = root;

    this.#boards = {
      coins: new Board(root, 'coins'),
      points: new Board(root, 'points'),
      purchased_coins: new Board(root, 'purchased_coins'),
    };
    makeAutoObservable(this);
  }

  get pages(): Pages<LeaderboardItem> {
    return this.#boards[this.tab].pages;
  }

  /** The player's own row; until the board is loaded, made of the player's figures. */
  get own(): LeaderboardItem | null {
    const { user } = this.#root.user;
    const { me } = this.#boards[this.tab];
    if (me || !user) return me;
    const { telegram_id, first_name, username, photo_url, balance, stats } = user;
    return {
      rank: this.tab === 'coins' ? stats.leaderboard_rank : null,
      telegram_id,
      first_name,
      username,
      photo_url,
      game_mcbk: balance.game_mcbk,
      game_points: balance.game_points,
      purchased_mcbk: balance.purchased_mcbk,
      total_days_in_game: stats.total_days_in_game,
    };
  }

  /** The server is still building the ranks. */
  get counting(): boolean {
    return this.#boards[this.tab].me?.rank === null;
  }

  /** The player looks, until the answer is called: the board comes anew, and is kept fresh. */
  watch(): () => void {
    this.#boards[this.tab].load();
    return whenBecomes(
      () => {
        const board = this.#boards[this.tab];
        return board.old && !board.deep && isVisible();
      },
      () => this.#boards[this.tab].load(),
    );
  }

  choose(tab: LeaderboardType): void {
    this.tab = tab;
    if (this.#boards[tab].old) this.#boards[tab].load();
  }
}
