import { flow } from 'mobx';
import type { RootStore } from '../../app/RootStore';
import { wait } from '../../stores/wait';

/**
 * Spec §2, privacy: accepting records the consent, then leads back to where the player came from. Who came from the market has
 * agreed to what its box asks for.
 */
export const acceptPrivacy = flow(function* (root: RootStore) {
  const { route, user } = root;
  const buying = route.privacySource === 'market';
  if (!user.user?.age_consent_accepted && !(yield* wait(user.change({ age_consent_accepted: true })))) return;
  const agree = async () => (await root.loadTrade()).market.agree(true);
  if (buying) agree().catch(() => {}); // the code could not be loaded; the box can still be ticked
  route.go(buying ? '/market' : '/');
});
