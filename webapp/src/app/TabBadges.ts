import { makeAutoObservable, observable } from 'mobx';
import { mineState } from '../features/home/MineState';
import type { RootStore } from './RootStore';

type News = 'friends' | 'result';

/** What waits behind each tab, by figures that other answers have brought. */
export class TabBadges {
  /** What this visit has seen, by the device's key. */
  private readonly seen = observable.map<string, string>();
  readonly #root: RootStore;

  constructor(root: RootStore) {
    this.#root = root;
    makeAutoObservable(this);
  }

  /** Spins to be used now. */
  get spins(): number {
    const { wheel, settings } = this.#root;
    return wheel.closed || settings.season !== 'running' ? 0 : (this.newest?.daily_spins ?? 0);
  }

  get golden(): boolean {
    return this.spins > 0 && this.newest?.is_golden_spin_available === true;
  }

  /** What the newest of two answers says of the wheel. */
  private get newest() {
    const { user } = this.#root.user;
    const { status } = this.#root.wheel;
    return status && status.as_of >= (user?.as_of ?? 0) ? status : user?.balance;
  }

  /** Ore is full, or the result of a tournament has not been looked at. */
  get mines(): 'full' | 'result' | null {
    const { is } = mineState(this.#root);
    if (is === 'result') return this.isNews('result') ? is : null;
    return is === 'full' ? is : null;
  }

  /** Friends have brought something since the player last looked. */
  get friends(): boolean {
    return this.isNews('friends');
  }

  /** The player has looked at it. */
  markSeen(news: News): void {
    const [key, value] = [this.key(news), this.value(news)];
    if (value === null || !this.isNews(news)) return;
    this.seen.set(key, value);
    this.#root.platform.storage.set(key, value);
  }

  private isNews(news: News): boolean {
    const [key, value] = [this.key(news), this.value(news)];
    return value !== null && value !== (this.seen.get(key) ?? this.#root.platform.storage.get(key));
  }

  /** A device may be shared. */
  private key(news: News): string {
    return `${news}_seen:${this.#root.user.user?.id}`;
  }

  /** What is new once it is another than the last that was looked at; null where there is nothing. */
  private value(news: News): string | null {
    const { user, minesSummary } = this.#root;
    if (news === 'result') return minesSummary.value?.tournament.result ? `${minesSummary.value.id}` : null;
    const { referral_game_mcbk: coins = 0, referral_game_points: points = 0 } = user.user?.balance ?? {};
    return coins + points > 0 ? `${coins} ${points}` : null;
  }
}
