import { makeAutoObservable } from 'mobx';
import { navigate } from 'wouter/use-browser-location';

/** The five screens of the tab bar. Everywhere else Telegram's back button shows. */
const roots: readonly string[] = ['/', '/roulette', '/market', '/referral', '/wallet'];

/** Where "back" leads; a screen not named here goes home. */
const parents: Readonly<Record<string, string>> = {
  '/mines-leaderboard': '/mines',
  '/mines-rules': '/mines',
  '/roulette/fairness': '/roulette',
};

/**
 * `over`: something lies over the screen, and `pushed` tells that it has its step in the history.
 * `closed`: it is gone, and the step is about to be taken back.
 * `leaving`: the browser has been asked to take it back and has not done so yet; `next` is where the player went meanwhile.
 */
type Cover =
  | { is: 'none' }
  | { is: 'over'; onBack: () => void; pushed: boolean }
  | { is: 'closed' }
  | { is: 'leaving'; next: string | null };

const coverStep = { cover: true };

/** Whether the history stands on a step that was made for what lies over a screen. */
function onCover(): boolean {
  return (window.history.state as { cover?: boolean } | null)?.cover === true;
}

/**
 * Which screen is open, and whether something lies over it. wouter announces its steps as window events, so links and
 * `go` both end up here.
 */
export class RouteStore {
  path = '/';
  search = '';

  private cover: Cover = { is: 'none' };

  constructor() {
    makeAutoObservable<this, 'cover'>(this, { cover: false });
  }

  start(): void {
    for (const event of ['popstate', 'pushState', 'replaceState']) {
      window.addEventListener(event, () => this.read());
    }
    for (const event of ['pushState', 'replaceState']) {
      window.addEventListener(event, () => this.went());
    }
    window.addEventListener('popstate', () => this.stepped());
    // A page loaded anew has nothing over it.
    if (onCover()) window.history.replaceState(null, '');
    this.read();
  }

  /**
   * Something lies over the screen now. It gets a step of its own in the history, so that the device's own "back",
   * Android's button or a swipe, takes it away instead of leaving the screen.
   */
  coverWith(onBack: () => void): void {
    // While the last cover's step is being taken back, no new one can be pushed: `stepped` does it.
    const pushed = this.cover.is !== 'leaving';
    this.cover = { is: 'over', onBack, pushed };
    if (pushed && !onCover()) window.history.pushState(coverStep, '');
  }

  /** It is gone, by whatever other way than back. */
  takeCover(): void {
    if (this.cover.is !== 'over') return;
    if (!this.cover.pushed) {
      this.cover = { is: 'leaving', next: null };
      return;
    }
    this.cover = { is: 'closed' };
    // Not at once: whoever closed it may go to another screen in the same turn, and must not be taken back from there.
    setTimeout(() => this.leaveCover());
  }

  private leaveCover(): void {
    if (this.cover.is !== 'closed') return;
    this.cover = onCover() ? { is: 'leaving', next: null } : { is: 'none' };
    if (this.cover.is === 'leaving') window.history.back();
  }

  /** The player went to another screen: a step that is being taken back would take them back from it. */
  private went(): void {
    if (this.cover.is === 'leaving') this.cover = { is: 'leaving', next: this.path + this.search };
  }

  /** The history has moved: back from what lies over the screen, or to another screen. */
  private stepped(): void {
    const { cover } = this;
    if (onCover()) {
      // Back from another screen, onto the step of what lay over this one before.
      if (cover.is === 'none') window.history.back();
      return;
    }
    if (cover.is === 'over' && !cover.pushed) {
      this.cover = { ...cover, pushed: true };
      window.history.pushState(coverStep, '');
      return;
    }
    this.cover = { is: 'none' };
    if (cover.is === 'over') cover.onBack();
    if (cover.is === 'leaving' && cover.next !== null) this.go(cover.next);
  }

  get isRoot(): boolean {
    return roots.includes(this.path);
  }

  /** The screen of the tab bar that this one belongs to; those that belong to none are Home's. */
  get root(): string {
    const adjacent = this.isRoot ? this.path : (parents[this.path] ?? '/');
    return roots.includes(adjacent) ? adjacent : '/';
  }

  go(to: string): void {
    if (to !== this.path + this.search) navigate(to);
  }

  back(): void {
    if (this.path === '/privacy') this.go(this.privacySource === 'modal' ? '/' : '/market');
    else this.go(parents[this.path] ?? '/');
  }

  /** Spec §2: which screen sent the player to the privacy policy, and so where accepting leads. */
  get privacySource(): 'modal' | 'market' {
    return new URLSearchParams(this.search).get('source') === 'modal' ? 'modal' : 'market';
  }

  private read(): void {
    this.path = window.location.pathname.replace(/\/+$/, '') || '/';
    this.search = window.location.search;
  }
}
