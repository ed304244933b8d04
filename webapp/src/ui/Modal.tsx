import { lazy, type ReactNode } from 'react';
import { OnceOpen } from './OnceOpen';

const load = () => import('./ModalDialog');
const ModalDialog = lazy(load);

export type ModalProps = {
  open: boolean;
  /** The player tapped the scrim or the x, or pressed Escape. */
  onClose: () => void;
  /** Only its own buttons close it, as with the age gate. */
  lasting?: boolean;
  /** Shows an x in the corner. */
  closable?: boolean;
  /** A relic that stands on the upper edge. */
  art?: string;
  /** Above the title, in place of a relic: the 18+ ring, a clock, a burst. */
  head?: ReactNode;
  title: string;
  text?: ReactNode;
  /** Buttons, the one to press first. */
  actions?: ReactNode;
  className?: string | undefined;
  children?: ReactNode;
};

/** A card in the middle of the screen. Keep it rendered and change `open`, so that it can leave. */
export function Modal(props: ModalProps) {
  return (
    <OnceOpen open={props.open} load={load}>
      <ModalDialog {...props} />
    </OnceOpen>
  );
}
