import { LazyMount } from './LazyMount';
import type { SheetProps } from './SheetDrawer';

export type Drawer = typeof import('./SheetDrawer');

export const loadDrawer = (): Promise<Drawer> => import('./SheetDrawer');

type Props = SheetProps & { onMissing?: () => void };

/** A panel from the bottom edge; what is in it scrolls. Keep it rendered and change `open`, so that it can leave. */
export function Sheet({ onMissing, ...props }: Props) {
  return (
    <LazyMount open={props.open} load={loadDrawer} onMissing={onMissing}>
      {({ default: SheetDrawer }) => <SheetDrawer {...props} />}
    </LazyMount>
  );
}
