import { perRoot } from '../../app/perRoot';
import { useRoot } from '../../app/RootContext';
import { FriendsStore } from './FriendsStore';

export const friendsOf = perRoot((root) => new FriendsStore(root));

export const useFriends = () => friendsOf(useRoot());
