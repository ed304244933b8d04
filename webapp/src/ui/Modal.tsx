import { lazy } from 'react';
import type { ModalProps } from './ModalDialog';
import { OnceOpen } from './OnceOpen';

const load = () => import('./ModalDialog');
const ModalDialog = lazy(load);

/** A card in the middle of the screen. Keep it rendered and change `open`, so that it can leave. */
export function Modal(props: ModalProps) {
  return (
    <OnceOpen open={props.open} load={load}>
      <ModalDialog {...props} />
    </OnceOpen>
  );
}
