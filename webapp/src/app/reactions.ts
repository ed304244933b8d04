import { reaction } from 'mobx';
import type { RootStore } from './RootStore';

/** Spec §9: the discount is offered this long after the player could begin. */
const discountDelay = 1500;

/** Tells the features when their moment has come. A feature adds its lines; what they do is its own. */
export function startReactions(root: RootStore): void {
  const { user, modals } = root;
  const playing = () => root.shell.ready && user.user?.age_consent_accepted === true;

  whenBecomes(
    () => root.wheel.prize.spin === null, // what the wheel had brought was taken, or left to be paid later
    () => root.writeAccess.rewarded(),
  );
  whenBecomes(
    () => root.writeAccess.due && root.quiet,
    () => root.writeAccess.request(),
  );
  whenBecomes(
    () => root.mayCheckIn,
    () => root.visit(),
  );
  whenBecomes(
    () => root.daily.fresh && root.on('/') && root.free,
    () => root.daily.open(),
  );

  whenBecomes(
    () => root.loyalty.due && root.settings.season === 'running' && !root.wheel.spinning && root.free,
    () => root.loyalty.open(),
  );
  // Taps are in these only once the server has counted them, so that tapping asks for nothing.
  whenChanges(
    () =>
      user.user?.age_consent_accepted && `${user.user.balance.game_mcbk} ${user.user.balance.game_points}`,
    () => root.loyalty.scheduleReload(),
  );

  reaction(
    () => playing() && root.free,
    (now, _, offering) => {
      if (!now) return;
      offering.dispose(); // once a visit
      void root.offerDiscount();
    },
    { delay: discountDelay },
  );

  whenBecomes(
    () => root.wheel.prize.due && root.free,
    // The wheel that has stopped is drawn first; the modal is another task.
    () => setTimeout(() => root.wheel.prize.show()),
  );
  whenBecomes(
    () => root.on('/roulette'),
    () => void root.wheel.load(),
  );

  whenBecomes(playing, () => void root.tasks.load());
  whenBecomes(
    () => root.on('/') && !root.tap.saving, // what was dug is counted first
    () => void root.minesSummary.load(),
  );
  whenBecomes(
    () => root.on('/') && root.tasks.outdated,
    () => void root.tasks.load(),
  );
  whenBecomes(
    () => root.on('/'),
    () => {
      if (root.tasks.missed) void root.tasks.load();
    },
  );
  whenBecomes(
    () => modals.sheet === 'tasks',
    () => void root.tasks.load(),
  );
  reaction(
    () => user.user?.language,
    (language, before) => {
      if (language) void root.platform.speak(language);
      if (before) void root.tasks.load(); // the server words them
    },
  );
}

/** Each time that it becomes true. */
function whenBecomes(is: () => boolean, act: () => void): void {
  reaction(is, (now) => {
    if (now) act();
  });
}

/** Each time that it is another thing than before, if it is something. */
function whenChanges(what: () => unknown, act: () => void): void {
  reaction(what, (now) => {
    if (now) act();
  });
}
