import { reaction } from 'mobx';
import type { RootStore } from './RootStore';

/** Spec §9: the discount is offered this long after the player could begin. */
const discountDelay = 1500;

/** Tells the features when their moment has come. A feature adds its lines; what they do is its own. */
export function followMoments(root: RootStore): void {
  const { user, modals } = root;
  const playing = () => root.shell.ready && user.user?.age_consent_accepted === true;

  eachTime(
    () => root.wheel.prize.spin === null, // what the wheel had brought was taken, or left to be paid later
    () => root.writeAccess.rewarded(),
  );
  eachTime(
    () => root.writeAccess.due && root.quiet,
    () => root.writeAccess.ask(),
  );
  eachTime(
    () => root.mayCheckIn,
    () => root.visit(),
  );
  eachTime(
    () => root.daily.fresh && root.on('/') && root.free,
    () => root.daily.open(),
  );

  eachTime(
    () => root.loyalty.due && root.settings.season === 'running' && !root.wheel.spinning && root.free,
    () => root.loyalty.open(),
  );
  // Taps are in these only once the server has counted them, so that tapping asks for nothing.
  eachChange(
    () =>
      user.user?.age_consent_accepted && `${user.user.balance.game_mcbk} ${user.user.balance.game_points}`,
    () => root.loyalty.stir(),
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

  eachTime(
    () => root.wheel.prize.due && root.free,
    // The wheel that has stopped is drawn first; the modal is another task.
    () => setTimeout(() => root.wheel.prize.show()),
  );
  eachTime(
    () => root.on('/roulette'),
    () => void root.wheel.load(),
  );

  eachTime(playing, () => void root.tasks.load());
  eachTime(
    () => root.on('/') && !root.tap.saving, // what was dug is counted first
    () => void root.minesSummary.load(),
  );
  eachTime(
    () => root.on('/') && root.tasks.outdated,
    () => void root.tasks.load(),
  );
  eachTime(
    () => root.on('/'),
    () => {
      if (root.tasks.missed) void root.tasks.load();
    },
  );
  eachTime(
    () => modals.sheet === 'tasks',
    () => void root.tasks.load(),
  );
  reaction(
    () => user.user?.language,
    (language, before) => {
      if (language) void root.world.speak(language);
      if (before) void root.tasks.load(); // the server words them
    },
  );
}

/** Each time that it becomes true. */
function eachTime(is: () => boolean, act: () => void): void {
  reaction(is, (now) => {
    if (now) act();
  });
}

/** Each time that it is another thing than before, if it is something. */
function eachChange(what: () => unknown, act: () => void): void {
  reaction(what, (now) => {
    if (now) act();
  });
}
