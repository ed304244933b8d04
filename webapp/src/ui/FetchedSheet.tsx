import type { ComponentType } from 'react';
import { LazyMount } from './LazyMount';
import { type Drawer, loadDrawer } from './Sheet';
import type { SheetProps } from './SheetDrawer';

type Content = { default: ComponentType };
export type DrawerWith = readonly [Drawer, Content];

/** Fetches a drawer together with what is in it, so that it does not grow while it rises. One for each drawer. */
export const drawerWith = (content: () => Promise<Content>) => (): Promise<DrawerWith> =>
  Promise.all([loadDrawer(), content()]);

type Props = Omit<SheetProps, 'children'> & {
  /** Made once by `drawerWith`. */
  load: () => Promise<DrawerWith>;
  onMissing: () => void;
};

/** A Sheet whose content is fetched like the sheet itself. */
export function FetchedSheet({ load, onMissing, ...props }: Props) {
  return (
    <LazyMount open={props.open} load={load} onMissing={onMissing}>
      {([{ default: SheetDrawer }, { default: Content }]) => (
        <SheetDrawer {...props}>
          <Content />
        </SheetDrawer>
      )}
    </LazyMount>
  );
}
