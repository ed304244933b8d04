import { makeAutoObservable, observableShallow } from 'mobx';
import type { ErrorKey } from '../i18n/errors';

/** What a toast says: a key of the texts, so that it follows the language. */
export type Toast = {
  readonly id: number;
  readonly kind: 'error' | 'success' | 'info';
  readonly text: ToastText;
};

export type ToastText = ErrorKey | 'toast.saved';

/** Spec §9. */
const limit = 20;
const duration = { error: 4000, info: 4000, success: 2000 } as const;

/** One toast is shown, the others wait their turn. */
export class ToastStore {
  private queue: Toast[] = [];
  private lastId = 0;

  constructor(private readonly onShow: (toast: Toast) => void) {
    makeAutoObservable<this, 'queue' | 'onShow' | 'lastId'>(this, {
      queue: observableShallow,
      onShow: false,
      lastId: false,
    });
  }

  get shown(): Toast | null {
    return this.queue[0] ?? null;
  }

  get waiting(): number {
    return Math.max(0, this.queue.length - 1);
  }

  /** Says it once: a text already shown or waiting is not repeated. With 20 in line the newest is left out. */
  show(kind: Toast['kind'], text: ToastText): void {
    if (this.queue.length >= limit || this.queue.some((toast) => toast.text === text)) return;
    this.lastId += 1;
    this.queue.push({ id: this.lastId, kind, text });
    if (this.queue.length === 1) this.present();
  }

  dismiss(id: number): void {
    const shown = this.shown?.id;
    this.queue = this.queue.filter((toast) => toast.id !== id);
    if (shown === id) this.present();
  }

  private present(): void {
    const toast = this.shown;
    if (!toast) return;
    this.onShow(toast);
    setTimeout(() => this.dismiss(toast.id), duration[toast.kind]);
  }
}
