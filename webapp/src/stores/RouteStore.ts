import { makeAutoObservable } from 'mobx';
import { navigate } from 'wouter/use-browser-location';

/** The five screens of the dock. Everywhere else Telegram's back button shows. */
const roots: readonly string[] = ['/', '/roulette', '/market', '/referral', '/wallet'];

/** Where "back" leads; a screen not named here goes home. */
const parents: Readonly<Record<string, string>> = {
  '/mines-leaderboard': '/mines',
  '/mines-rules': '/mines',
};

/** Which screen is open. wouter announces its steps as window events, so links and `go` both end up here. */
export class RouteStore {
  path = '/';
  search = '';

  constructor() {
    makeAutoObservable(this);
  }

  start(): void {
    for (const event of ['popstate', 'pushState', 'replaceState']) {
      window.addEventListener(event, () => this.read());
    }
    this.read();
  }

  get isRoot(): boolean {
    return roots.includes(this.path);
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
