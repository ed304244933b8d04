import { useEffect, useState } from 'react';
import { cx } from './cx';
import { Icon } from './Icon';
import { milliseconds } from './milliseconds';
import { Spinner } from './Spinner';
import styles from './Toasts.module.css';

type ToastKind = 'info' | 'wait' | 'success' | 'error';
export type ToastNote = { id: number | string; kind: ToastKind; text: string };

type Props = {
  /** Those alive, oldest first. Only the newest is seen. */
  toasts: readonly ToastNote[];
  onDismiss: (id: ToastNote['id']) => void;
};

/** One line at the top of the screen. Whoever adds a toast also ends it: 4 s, a success 2 s, a wait when it is over. */
export function Toasts({ toasts, onDismiss }: Props) {
  const toast = toasts.at(-1);
  // The last one is rendered while it leaves; one that another follows is replaced at once.
  const [last, setLast] = useState(toast);
  if (toast && toast !== last) setLast(toast);
  const leaving = !toast && last !== undefined;
  useEffect(() => {
    if (!leaving) return;
    const length = milliseconds('--d-fast');
    if (length === 0) return setLast(undefined);
    const gone = setTimeout(() => setLast(undefined), length);
    return () => clearTimeout(gone);
  }, [leaving]);
  const shown = toast ?? last;
  return (
    <div className={styles.viewport} aria-live="polite">
      {shown && (
        <Toast
          key={shown.id}
          kind={shown.kind}
          text={shown.text}
          leaving={leaving}
          onPress={() => onDismiss(shown.id)}
        />
      )}
    </div>
  );
}

type ToastProps = { kind: ToastKind; text: string; leaving?: boolean; onPress: () => void };

export function Toast({ kind, text, leaving = false, onPress }: ToastProps) {
  return (
    <button
      type="button"
      className={cx(styles.toast, leaving && styles.leaving)}
      inert={leaving}
      onClick={onPress}
    >
      {kind === 'wait' ? (
        <Spinner />
      ) : (
        <Icon name={kind === 'success' ? 'done' : 'warning'} size={22} className={cx(styles[kind])} />
      )}
      <span>{text}</span>
    </button>
  );
}
