import { flow, makeAutoObservable } from 'mobx';
import { asApiError } from '../../api/error';
import type { Referral } from '../../api/types';
import type { RootStore } from '../../app/RootStore';
import { errorKey } from '../../i18n/errors';
import { onPage } from '../../stores/PageLifecycle';
import { Pages } from '../../stores/Pages';
import { wait } from '../../stores/wait';
import { whenBecomes } from '../../stores/whenBecomes';

/** A friend with their number, in order of joining from 1. */
export type Friend = Referral & { readonly number: number };

/** Spec §9: friends a page. */
const pageSize = 20;

const keyOf = (friend: Friend): number => friend.number;

/** Whom the player has invited, and the link that invites. */
export class FriendsStore {
  readonly friends: Pages<Friend>;
  /** How many were invited, and how many rewarded; null until loaded. */
  total: number | null = null;
  completed: number | null = null;
  /** The last question for the completed ones got no answer. */
  uncounted = false;
  /** The bot's name without `@`; null until loaded. */
  private bot: string | null = null;
  inviting = false;
  /** The link as a text to mark, where it could not be copied for the player. */
  plain: string | null = null;

  readonly #root: RootStore;

  constructor(root: RootStore) {
    this.#root = root;

    this.friends = new Pages({
      fetchPage: async (offset, limit) => {
        const { referrals, total_referrals: total, hasMore } = await root.api.referrals('all', limit, offset);
        const rows = referrals.map((friend, place) => ({ ...friend, number: total - offset - place }));
        return { rows, hasMore, total };
      },
      onPage: ({ total }) => {
        this.total = total;
      },
      keyOf,
      size: pageSize,
    });
    makeAutoObservable(this, { friends: false });
  }

  /**
   * The player looks, until the answer is called. They invite in their chats: who came meanwhile is there when they come back,
   * but the list they are reading is not cut to its first page before they close it.
   */
  enter(): () => void {
    void this.friends.load();
    this.refetch();
    const stopListening = onPage('foreground', () => {
      if (this.#root.modals.sheet !== 'friends') void this.friends.load();
      this.refetch();
    });
    const read = whenBecomes(
      () => this.#root.modals.sheet !== 'friends',
      () => void this.friends.load(),
    );
    return () => {
      stopListening();
      read();
    };
  }

  /** Reloads the figures beside the list. */
  private refetch(): void {
    void this.count();
    void this.findBot();
  }

  /** Opens Telegram's own list of chats with the link and a text to send. */
  invite = flow(function* (this: FriendsStore, text: string) {
    const link: string | null = yield* wait(this.link());
    if (link === null) return;
    this.#root.platform.host.openPage(
      `https://t.me/share/url?url=${encodeURIComponent(link)}&text=${encodeURIComponent(text)}`,
    );
  });

  copy = flow(function* (this: FriendsStore) {
    const link: string | null = yield* wait(this.link());
    if (link === null) return;
    if (!(yield* wait(this.#root.copy(link)))) this.plain = link;
  });

  /** What the player sends; null, and said, while it cannot be known. */
  private link = flow(function* (this: FriendsStore) {
    let failed: string | null = null;
    if (this.bot === null) {
      this.inviting = true;
      failed = yield* wait(this.findBot());
      this.inviting = false;
    }
    const code = this.#root.user.user?.referral_code;
    if (this.bot !== null && code) return `https://t.me/${this.bot}?start=${code}`;
    this.#root.toasts.show('error', failed === null ? 'referral.no_link' : errorKey(failed));
    return null;
  });

  /** The code of what went wrong. The server may not know the name yet itself. */
  private findBot = flow(function* (this: FriendsStore) {
    if (this.bot !== null) return null;
    try {
      this.bot =
        (yield* wait(this.#root.api.config())).bot_username ??
        (yield* wait(this.#root.api.config(true))).bot_username;
      return null;
    } catch (error) {
      return asApiError(error).code; // shown when the link is wanted
    }
  });

  /** Rewarded friends are counted by a call of their own. */
  private count = flow(function* (this: FriendsStore) {
    this.uncounted = false;
    try {
      this.completed = (yield* wait(this.#root.api.referrals('completed', 1, 0))).total_referrals;
    } catch {
      this.uncounted = true;
    }
  });
}
