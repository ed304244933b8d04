import { useRoot } from '../../app/RootContext';
import type { RootStore } from '../../stores/RootStore';
import { Boards } from './Boards';

const stores = new WeakMap<RootStore, Boards>();

/** The screen's store, made when its code comes first: nothing else in the game needs it. */
export function boardsOf(root: RootStore): Boards {
  let store = stores.get(root);
  if (!store) {
    store = new Boards(root);
    stores.set(root, store);
  }
  return store;
}

export const useBoards = () => boardsOf(useRoot());
