import { LazyMount } from './LazyMount';
import type { ModalProps } from './ModalDialog';

const load = () => import('./ModalDialog');

/** A card in the middle of the screen. Keep it rendered and change `open`, so that it can leave. */
export function Modal(props: ModalProps) {
  return (
    <LazyMount open={props.open} load={load}>
      {({ default: ModalDialog }) => <ModalDialog {...props} />}
    </LazyMount>
  );
}
