/**
 * `over`: an overlay is open; `pushed`: it has an entry in the browser's history.
 * `closed`: it is gone, and its entry is about to be removed.
 * `leaving`: history.back() was called and popstate has not fired yet; `next` is where the player went meanwhile.
 */
type State =
  | { is: 'none' }
  | { is: 'over'; onBack: () => void; pushed: boolean }
  | { is: 'closed' }
  | { is: 'leaving'; next: string | null };

const entry = { cover: true };

function onEntry(): boolean {
  return (window.history.state as { cover?: boolean } | null)?.cover === true;
}

type Callbacks = {
  /** The path of the screen with its query. */
  readonly current: () => string;
  readonly go: (to: string) => void;
};

/**
 * An overlay gets an entry in the browser's history, so that the device's own "back", Android's button or a
 * swipe, closes it instead of leaving the screen.
 */
export class BackStack {
  #state: State = { is: 'none' };
  readonly #callbacks: Callbacks;

  constructor(callbacks: Callbacks) {
    this.#callbacks = callbacks;
  }

  start(): void {
    for (const event of ['pushState', 'replaceState'])
      window.addEventListener(event, () => this.#navigated());
    window.addEventListener('popstate', () => this.#popped());
    // A page loaded anew has nothing over it.
    if (onEntry()) window.history.replaceState(null, '');
  }

  /** Makes the device's "back" call `onBack` instead of leaving the screen. */
  push(onBack: () => void): void {
    // While the last entry is being removed no new one can be pushed: `#popped` does it.
    const pushed = this.#state.is !== 'leaving';
    this.#state = { is: 'over', onBack, pushed };
    if (pushed && !onEntry()) window.history.pushState(entry, '');
  }

  /** What lay over the screen was closed by other means than "back". */
  pop(): void {
    if (this.#state.is !== 'over') return;
    if (!this.#state.pushed) {
      this.#state = { is: 'leaving', next: null };
      return;
    }
    this.#state = { is: 'closed' };
    // Deferred: the caller may navigate in the same task, and that must not be undone.
    setTimeout(() => this.#removeEntry());
  }

  #removeEntry(): void {
    if (this.#state.is !== 'closed') return;
    this.#state = onEntry() ? { is: 'leaving', next: null } : { is: 'none' };
    if (this.#state.is === 'leaving') window.history.back();
  }

  /** The player went to another screen: removing the entry would take them back from it. */
  #navigated(): void {
    if (this.#state.is === 'leaving') this.#state = { is: 'leaving', next: this.#callbacks.current() };
  }

  #popped(): void {
    const state = this.#state;
    if (onEntry()) {
      // Back from another screen, onto the entry of what lay over this one before.
      if (state.is === 'none') window.history.back();
      return;
    }
    if (state.is === 'over' && !state.pushed) {
      this.#state = { ...state, pushed: true };
      window.history.pushState(entry, '');
      return;
    }
    this.#state = { is: 'none' };
    if (state.is === 'over') state.onBack();
    if (state.is === 'leaving' && state.next !== null) this.#callbacks.go(state.next);
  }
}
