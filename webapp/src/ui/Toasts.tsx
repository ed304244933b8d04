import { cx } from './cx';
import { Icon } from './Icon';
import { Spinner } from './Spinner';
import styles from './Toasts.module.css';

export type ToastKind = 'info' | 'wait' | 'success' | 'error';
export type ToastNote = { id: number | string; kind: ToastKind; text: string };

type Props = {
  /** Those alive, oldest first. Only the newest is seen. */
  toasts: readonly ToastNote[];
  onDismiss: (id: ToastNote['id']) => void;
};

/** One line at the top of the screen. Whoever adds a toast also ends it: 4 s, a success 2 s, a wait when it is over. */
export function Toasts({ toasts, onDismiss }: Props) {
  const toast = toasts.at(-1);
  return (
    <div className={styles.viewport} aria-live="polite">
      {toast && (
        <Toast key={toast.id} kind={toast.kind} text={toast.text} onPress={() => onDismiss(toast.id)} />
      )}
    </div>
  );
}

export function Toast({ kind, text, onPress }: { kind: ToastKind; text: string; onPress: () => void }) {
  return (
    <button type="button" className={styles.toast} onClick={onPress}>
      {kind === 'wait' ? (
        <Spinner />
      ) : (
        <Icon name={kind === 'success' ? 'done' : 'warning'} size={22} className={cx(styles[kind])} />
      )}
      <span>{text}</span>
    </button>
  );
}
