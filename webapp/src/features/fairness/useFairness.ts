import { useRoot } from '../../app/RootContext';
import type { RootStore } from '../../stores/RootStore';
import { FairnessStore } from './FairnessStore';

const stores = new WeakMap<RootStore, FairnessStore>();

/** The page's store, made when its code comes first: nothing else in the game needs it. */
export function fairnessOf(root: RootStore): FairnessStore {
  let store = stores.get(root);
  if (!store) {
    store = new FairnessStore(root.api, root.toasts, root.world);
    stores.set(root, store);
  }
  return store;
}

export const useFairness = () => fairnessOf(useRoot());
