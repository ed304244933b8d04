import { compareStructural, makeAutoObservable, observableShallow } from 'mobx';
import { type Filling, longNews, type ToastText, type Values } from '../i18n/toasts';

/** What a toast says: a key of the texts, so that it follows the language, and what fills its blanks. */
export type Toast = {
  readonly id: number;
  readonly kind: 'error' | 'success' | 'info' | 'wait';
  readonly text: ToastText;
  readonly values: Filling;
};

/** Spec §9. */
const limit = 20;

/** How long it stays, in milliseconds (spec §8, §9). */
function duration({ kind, text }: Toast): number {
  return kind === 'success' && !longNews.has(text) ? 2000 : 4000;
}

/** One toast is shown, the others wait their turn. */
export class ToastStore {
  /** The one that says what is being done, if any, is the last. */
  private queue: readonly Toast[] = [];
  #lastId = 0;

  readonly #onShow: (toast: Toast) => void;

  constructor(onShow: (toast: Toast) => void) {
    this.#onShow = onShow;
    makeAutoObservable<this, 'queue'>(this, { queue: observableShallow });
  }

  get shown(): Toast | null {
    return this.queue[0] ?? null;
  }

  get waiting(): number {
    return Math.max(0, this.queue.length - 1);
  }

  /** Says it once: what is already shown or in line is not repeated. With 20 in line the newest is left out. */
  show<Text extends ToastText>(
    kind: Exclude<Toast['kind'], 'wait'>,
    text: Text,
    ...values: Values<Text>
  ): void {
    const toast = this.toast(kind, text, values);
    if (this.queue.length >= limit || this.queue.some((other) => saysTheSame(other, toast))) return;
    this.queue = [...this.news, toast, ...this.doing];
    if (this.shown?.id === toast.id) this.present();
  }

  /**
   * Says what is being done, until it is dismissed by the id given back or the next wait takes its place. It gives way
   * to whatever else there is to say, and is seen again after that.
   */
  wait<Text extends ToastText>(text: Text, ...values: Values<Text>): number {
    const toast = this.toast('wait', text, values);
    this.queue = [...this.news.slice(0, limit - 1), toast];
    return toast.id;
  }

  dismiss(id: number): void {
    const shown = this.shown?.id;
    this.queue = this.queue.filter((toast) => toast.id !== id);
    if (shown === id) this.present();
  }

  /** What was said, or is about to be, is no longer true. */
  retract(text: ToastText): void {
    for (const { id } of this.queue.filter((toast) => toast.text === text)) this.dismiss(id);
  }

  private get news(): readonly Toast[] {
    return this.queue.filter((toast) => toast.kind !== 'wait');
  }

  private get doing(): readonly Toast[] {
    return this.queue.filter((toast) => toast.kind === 'wait');
  }

  private toast(kind: Toast['kind'], text: ToastText, [values = {}]: readonly Partial<Filling>[]): Toast {
    this.#lastId += 1;
    // Whoever said it was asked for the blanks this text has; it reads no others.
    return { id: this.#lastId, kind, text, values: values as Filling };
  }

  private present(): void {
    const toast = this.shown;
    if (!toast || toast.kind === 'wait') return;
    this.#onShow(toast);
    setTimeout(() => this.dismiss(toast.id), duration(toast));
  }
}

function saysTheSame(one: Toast, other: Toast): boolean {
  return one.text === other.text && compareStructural(one.values, other.values);
}
