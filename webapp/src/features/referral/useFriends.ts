import { useRoot } from '../../app/RootContext';
import type { RootStore } from '../../stores/RootStore';
import { FriendsStore } from './FriendsStore';

const stores = new WeakMap<RootStore, FriendsStore>();

/** The screen's store, made when its code comes first: nothing else in the game needs it. */
export function friendsOf(root: RootStore): FriendsStore {
  let store = stores.get(root);
  if (!store) {
    const { api, user, toasts, world } = root;
    store = new FriendsStore(api, user, toasts, {
      open: (link) => world.host.openPage(link),
      copy: world.copy,
    });
    stores.set(root, store);
  }
  return store;
}

export const useFriends = () => friendsOf(useRoot());
