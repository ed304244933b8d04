import type { ModalProps } from './ModalDialog';
import { OnceOpen } from './OnceOpen';

const load = () => import('./ModalDialog');

/** A card in the middle of the screen. Keep it rendered and change `open`, so that it can leave. */
export function Modal(props: ModalProps) {
  return (
    <OnceOpen open={props.open} load={load}>
      {({ default: ModalDialog }) => <ModalDialog {...props} />}
    </OnceOpen>
  );
}
