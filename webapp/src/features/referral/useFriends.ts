import { perRoot } from '../../app/perRoot';
import { useRoot } from '../../app/RootContext';
import { FriendsStore } from './FriendsStore';

export const friendsOf = perRoot(
  ({ api, user, toasts, modals, world }) =>
    new FriendsStore(api, user, toasts, {
      open: (link) => world.host.openPage(link),
      copy: world.copy,
      reading: () => modals.sheet === 'friends',
    }),
);

export const useFriends = () => friendsOf(useRoot());
