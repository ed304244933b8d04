import { makeAutoObservable, observableRef, observableShallow } from 'mobx';

/** Every modal there is. A mine and a level reached carry their number, the others show what their stores hold. */
export type Modal =
  | { is: 'age' }
  | { is: 'ad' }
  | { is: 'advice' }
  | { is: 'win' }
  | { is: 'level'; level: number }
  | { is: 'daily' }
  | { is: 'loyalty' }
  | { is: 'discount' }
  | { is: 'mine'; level: number };

/**
 * Spec §2, modals: one at a time, the rest wait. What the player has asked for goes before what comes by itself, so that
 * nothing slips under their finger: the ad over the reward it doubles, the advice, and what the wheel has brought.
 */
const order: readonly Modal['is'][] = [
  'age',
  'ad',
  'advice',
  'win',
  'level',
  'mine',
  'daily',
  'loyalty',
  'discount',
];

/** Spec §2: only its own button closes it. */
const lasting: readonly Modal['is'][] = ['age'];

/** Until what leaves the screen is gone, milliseconds: the longest of these animations and a margin. */
const leavingMs = 500;

export type Sheet =
  | 'none'
  | 'profile'
  | 'levels'
  | 'tasks'
  | 'order'
  | 'friends'
  | 'mines'
  | 'wallet'
  | 'history';

/** The one owner of what lies over a screen: at most one modal, and at most one drawer. */
export class ModalStore {
  sheet: Sheet = 'none';
  /** Closes what a library has put over everything; null where nothing is. */
  over: (() => void) | null = null;
  private waiting: Modal[] = [];
  private isLeaving = false;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor() {
    makeAutoObservable<this, 'waiting'>(this, { waiting: observableShallow, over: observableRef });
  }

  get shown(): Modal | null {
    for (const is of order) {
      const modal = this.waiting.find((candidate) => candidate.is === is);
      if (modal) return modal;
    }
    return null;
  }

  /** Whether this modal is shown or waits. */
  holds(is: Modal['is']): boolean {
    return this.held(is) !== undefined;
  }

  /** The one of this kind that is shown or waits: another once it was closed and asked for again. */
  held(is: Modal['is']): Modal | undefined {
    return this.waiting.find((modal) => modal.is === is);
  }

  /** Puts a modal in line; the same kind waiting already is replaced. */
  enqueue(modal: Modal): void {
    this.waiting = [...this.waiting.filter((other) => other.is !== modal.is), modal];
  }

  close(is: Modal['is']): void {
    if (this.shown?.is === is) this.leave();
    this.waiting = this.waiting.filter((modal) => modal.is !== is);
  }

  /** Whether "back" takes something away: an open drawer or a modal, but never the age gate. */
  get closable(): boolean {
    return this.shown ? !lasting.includes(this.shown.is) : this.sheet !== 'none';
  }

  /** Takes away what lies on top: a modal before the drawer under it. */
  closeTop(): void {
    if (!this.closable) return;
    if (this.shown) this.close(this.shown.is);
    else this.closeSheet();
  }

  coverBy(close: (() => void) | null): void {
    this.over = close;
  }

  openSheet(sheet: Exclude<Sheet, 'none'>): void {
    this.sheet = sheet;
  }

  closeSheet(): void {
    if (this.sheet !== 'none') this.leave();
    this.sheet = 'none';
  }

  /** Nothing lies over the screen, nor is leaving it. */
  get isClear(): boolean {
    return this.shown === null && this.sheet === 'none' && !this.isLeaving;
  }

  private leave(): void {
    this.isLeaving = true;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.left(), leavingMs);
  }

  private left(): void {
    this.isLeaving = false;
  }
}
