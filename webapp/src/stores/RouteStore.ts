import { makeAutoObservable } from 'mobx';
import { navigate } from 'wouter/use-browser-location';
import { type Path, routeOf, tabOf } from '../app/routes';
import { BackStack } from './BackStack';

/** Which screen is open. wouter announces its steps as window events, so links and `go` both end up here. */
export class RouteStore {
  path = '/';
  search = '';
  readonly backStack = new BackStack({
    current: () => this.path + this.search,
    go: (to) => this.#navigate(to),
  });

  constructor() {
    makeAutoObservable(this, { backStack: false });
  }

  start(): void {
    for (const event of ['popstate', 'pushState', 'replaceState']) {
      window.addEventListener(event, () => this.read());
    }
    this.backStack.start();
    this.read();
  }

  /** Telegram's back button shows everywhere else. */
  get isTab(): boolean {
    return routeOf(this.path).tab !== undefined;
  }

  /** The tab that the screen belongs to. */
  get tab(): Path {
    return tabOf(this.path);
  }

  get hasTabBar(): boolean {
    return !routeOf(this.path).bare;
  }

  go(to: Path | `${Path}?${string}`): void {
    this.#navigate(to);
  }

  back(): void {
    if (this.path === '/privacy') this.go(this.privacySource === 'modal' ? '/' : '/market');
    else this.#navigate(routeOf(this.path).parent ?? '/');
  }

  /** Spec §2: which screen sent the player to the privacy policy, and so where accepting leads. */
  get privacySource(): 'modal' | 'market' {
    return new URLSearchParams(this.search).get('source') === 'modal' ? 'modal' : 'market';
  }

  private read(): void {
    this.path = window.location.pathname.replace(/\/+$/, '') || '/';
    this.search = window.location.search;
  }

  #navigate(to: string): void {
    if (to !== this.path + this.search) navigate(to);
  }
}
