import { reaction, when } from 'mobx';
import { onPage } from '../stores/PageLifecycle';
import { whenBecomes } from '../stores/whenBecomes';
import type { RootStore } from './RootStore';

/** The discount is offered this long after the player could be asked something. */
const discountDelay = 1500;

/** Ties the stores to each other and to the page. Called once. */
export function startReactions(root: RootStore): void {
  followPage(root);
  followPlayer(root);
}

/** The screen, what lies over it, and the page's lifecycle. */
function followPage(root: RootStore): void {
  root.wheel.follow();
  reaction(
    () => root.route.path,
    (path, before) => {
      window.scrollTo(0, 0);
      root.modals.closeSheet();
      // A modal stays open over the next screen and needs a back handler there, too.
      if (root.modals.closable) cover(root);
      if (before === '/tap') root.tap.counter.leave();
      if (path === '/tap' && root.shell.ready) root.tap.counter.enter();
    },
  );
  whenBecomes(
    () => !root.shell.ready,
    () => root.modals.closeSheet(),
  );
  reaction(
    () => root.modals.closable,
    (covered) => {
      if (covered) cover(root);
      else root.route.backStack.pop();
    },
  );
  reaction(
    () =>
      root.modals.closeExternal !== null || (root.shell.open && (root.modals.closable || !root.route.isTab)),
    (needed) => root.platform.host.backButton(needed ? () => root.back() : null),
    { fireImmediately: true },
  );
  reaction(
    () => root.tap.batches.unsaved,
    (unsaved) => root.platform.host.confirmClosing(unsaved),
  );
  onPage('background', () => root.tap.batches.flushOnUnload());
  onPage('foreground', () => root.foreground.onForeground());
  onPage('online', () => root.foreground.online());
  onPage('focus', () => {
    if (root.shell.ready) root.foreground.checkDay();
    else root.foreground.checkInIfVisible();
  });
  window.addEventListener('storage', () => root.tap.batches.reread());
}

/** The device's own "back" closes what lies over the screen, one thing at a time. */
function cover(root: RootStore): void {
  root.route.backStack.push(() => {
    root.modals.closeTop();
    if (root.modals.closable) cover(root);
  });
}

/** Starts what each feature does by itself. */
function followPlayer(root: RootStore): void {
  const { user, modals } = root;
  const playing = () => root.shell.ready && user.user?.age_consent_accepted === true;

  whenBecomes(
    () => root.wheel.prize.spin === null, // the prize was claimed, or left to be paid later
    () => root.writeAccess.rewarded(),
  );
  whenBecomes(
    () => root.writeAccess.due && root.isIdle,
    () => root.writeAccess.request(),
  );
  whenBecomes(
    () => root.foreground.mayCheckIn,
    () => root.foreground.checkInIfVisible(),
  );
  whenBecomes(
    () => root.daily.isUnshown && root.isOn('/') && root.isIdle,
    () => root.daily.open(),
  );

  whenBecomes(
    () => root.loyalty.due && root.settings.season === 'running' && !root.wheel.spinning && root.isIdle,
    () => root.loyalty.open(),
  );
  // Taps are in these only once the server has counted them, so that tapping asks for nothing.
  reaction(
    () =>
      user.user?.age_consent_accepted && `${user.user.balance.game_mcbk} ${user.user.balance.game_points}`,
    (balance) => {
      if (balance) root.loyalty.scheduleReload();
    },
  );

  reaction(
    () => playing() && root.tap.tapped && root.isIdle, // nothing is offered before the first tap
    (now, _, offering) => {
      if (!now) return;
      offering.dispose(); // once a visit
      const offer = async () => (await root.loadTrade()).discount.offer(() => root.isIdle);
      offer().catch(() => {}); // the code could not be loaded; the market loads it again
    },
    { delay: discountDelay },
  );

  whenBecomes(
    () => root.wheel.prize.isUnshown && root.canShowModal,
    // The wheel that has stopped is drawn first; the modal is another task.
    () => setTimeout(() => root.wheel.prize.show()),
  );
  reaction(
    () => root.energy.value?.level_info.current_level ?? 0,
    (level, before = level) => {
      if (before === 0 || level <= before) return;
      // A spin reaches it, and what it has won comes first.
      when(
        () => !root.wheel.spinning && root.wheel.prize.spin === null && root.isIdle,
        () => modals.enqueue({ is: 'level', level }),
      );
    },
  );
  whenBecomes(
    () => root.isOn('/roulette'),
    () => void root.wheel.load(),
  );

  for (const [path, news] of [
    ['/referral', 'friends'],
    ['/mines', 'result'],
  ] as const)
    whenBecomes(
      () => root.isOn(path) && (news === 'friends' ? root.badges.friends : root.badges.mines === news),
      () => root.badges.markSeen(news),
    );

  whenBecomes(playing, () => void root.tasks.load());
  whenBecomes(
    () => root.isOn('/') && !root.tap.saving, // unsent taps are counted first
    () => void root.minesSummary.load(),
  );
  whenBecomes(
    () => root.isOn('/') && root.tasks.isStale,
    () => void root.tasks.load(),
  );
  whenBecomes(
    () => root.isOn('/'),
    () => {
      if (root.tasks.hasMissedChange) void root.tasks.load();
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
      if (before) void root.tasks.load(); // the server renders their texts
    },
  );
  reaction(
    () => root.user.user && !root.user.user.age_consent_accepted,
    (needed) => {
      if (needed) root.modals.enqueue({ is: 'age' });
      else {
        root.modals.close('age');
        root.tap.batches.resume();
      }
    },
  );
}
