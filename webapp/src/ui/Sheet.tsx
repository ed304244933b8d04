import { lazy, type ReactNode } from 'react';
import { OnceOpen } from './OnceOpen';

const load = () => import('./SheetDrawer');
const SheetDrawer = lazy(load);

export type SheetProps = {
  open: boolean;
  /** The player dragged it down, tapped the scrim or the x, or pressed Escape. */
  onClose: () => void;
  title: string;
  /** Beside the title: a count, a badge. */
  end?: ReactNode;
  /** Stays below the part that scrolls, for its one action. */
  foot?: ReactNode;
  className?: string | undefined;
  children: ReactNode;
};

/** A panel from the bottom edge; what is in it scrolls. Keep it rendered and change `open`, so that it can leave. */
export function Sheet(props: SheetProps) {
  return (
    <OnceOpen open={props.open} load={load}>
      <SheetDrawer {...props} />
    </OnceOpen>
  );
}
