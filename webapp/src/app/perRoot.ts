import type { RootStore } from './RootStore';

/** The store of a screen whose code comes later: made when it is first asked for, as nothing else in the game needs it. */
export function perRoot<Store>(make: (root: RootStore) => Store): (root: RootStore) => Store {
  const made = new WeakMap<RootStore, Store>();
  return (root) => {
    let store = made.get(root);
    if (store === undefined) {
      store = make(root);
      made.set(root, store);
    }
    return store;
  };
}
