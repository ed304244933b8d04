import { lazy } from 'react';
import { OnceOpen } from './OnceOpen';
import type { SheetProps } from './SheetDrawer';

const load = () => import('./SheetDrawer');
const SheetDrawer = lazy(load);

/** A panel from the bottom edge; what is in it scrolls. Keep it rendered and change `open`, so that it can leave. */
export function Sheet(props: SheetProps) {
  return (
    <OnceOpen open={props.open} load={load}>
      <SheetDrawer {...props} />
    </OnceOpen>
  );
}
