import { observer } from 'mobx-react-lite';
import type { ComponentProps } from 'react';
import type { Sheet as Name } from '../stores/ModalStore';
import { Sheet } from '../ui/Sheet';
import { useRoot } from './RootContext';

type Props = Omit<ComponentProps<typeof Sheet>, 'open' | 'loose' | 'onClose'> & { name: Name };

/** One of the game's drawers. */
export const GameSheet = observer(function GameSheet({ name, ...props }: Props) {
  const { modals } = useRoot();
  return (
    <Sheet
      {...props}
      open={modals.sheet === name}
      loose={modals.closeExternal !== null}
      onClose={() => modals.closeSheet()}
    />
  );
});
