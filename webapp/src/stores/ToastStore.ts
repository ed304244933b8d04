import { compareStructural, makeAutoObservable, observableShallow } from 'mobx';
import { longToasts, type ToastText, type ToastValues, type Values } from '../i18n/toasts';

/** What a toast says: a key of the texts, so that it follows the language, and what fills its blanks. */
export type Toast = {
  readonly id: number;
  readonly kind: 'error' | 'success' | 'info' | 'wait';
  readonly text: ToastText;
  readonly values: ToastValues;
};

/** Spec §9. */
const limit = 20;

/** How long it stays, in milliseconds (spec §8, §9). */
function duration({ kind, text }: Toast): number {
  return kind === 'success' && !longToasts.has(text) ? 2000 : 4000;
}

/** One toast is shown, the others wait their turn. */
export class ToastStore {
  /** The one that is shown, and those that wait. A progress toast, if any, is the last. */
  queue: readonly Toast[] = [];
  #lastId = 0;

  readonly #onShow: (toast: Toast) => void;

  constructor(onShow: (toast: Toast) => void) {
    this.#onShow = onShow;
    makeAutoObservable(this, { queue: observableShallow });
  }

  get shown(): Toast | null {
    return this.queue[0] ?? null;
  }

  /** Queues a toast, unless the same is shown or queued already. With 20 queued it is dropped. */
  show<Text extends ToastText>(
    kind: Exclude<Toast['kind'], 'wait'>,
    text: Text,
    ...values: Values<Text>
  ): void {
    const toast = this.toast(kind, text, values);
    if (this.queue.length >= limit || this.queue.some((other) => isSame(other, toast))) return;
    this.queue = [...this.notices, toast, ...this.progress];
    if (this.shown?.id === toast.id) this.present();
  }

  /**
   * Shows a progress toast until it is dismissed by the returned id or replaced by the next one. Other toasts are shown
   * before it.
   */
  wait<Text extends ToastText>(text: Text, ...values: Values<Text>): number {
    const toast = this.toast('wait', text, values);
    this.queue = [...this.notices.slice(0, limit - 1), toast];
    return toast.id;
  }

  dismiss(id: number): void {
    const shown = this.shown?.id;
    this.queue = this.queue.filter((toast) => toast.id !== id);
    if (shown === id) this.present();
  }

  /** Removes a text that is no longer true, shown or queued. */
  retract(text: ToastText): void {
    for (const { id } of this.queue.filter((toast) => toast.text === text)) this.dismiss(id);
  }

  private get notices(): readonly Toast[] {
    return this.queue.filter((toast) => toast.kind !== 'wait');
  }

  private get progress(): readonly Toast[] {
    return this.queue.filter((toast) => toast.kind === 'wait');
  }

  private toast(kind: Toast['kind'], text: ToastText, [values = {}]: readonly Partial<ToastValues>[]): Toast {
    this.#lastId += 1;
    // `Values` has checked them against this text.
    return { id: this.#lastId, kind, text, values: values as ToastValues };
  }

  private present(): void {
    const toast = this.shown;
    if (!toast || toast.kind === 'wait') return;
    this.#onShow(toast);
    setTimeout(() => this.dismiss(toast.id), duration(toast));
  }
}

function isSame(one: Toast, other: Toast): boolean {
  return one.text === other.text && compareStructural(one.values, other.values);
}
