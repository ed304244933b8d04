import { perRoot } from '../../app/perRoot';
import { useRoot } from '../../app/RootContext';
import { FriendsStore } from './FriendsStore';

export const friendsOf = perRoot(
  ({ api, user, toasts, modals, platform }) =>
    new FriendsStore(api, user, toasts, {
      open: (link) => platform.host.openPage(link),
      copy: platform.copy,
      reading: () => modals.sheet === 'friends',
    }),
);

export const useFriends = () => friendsOf(useRoot());
