import { flow, makeAutoObservable, reaction } from 'mobx';
import type { Api } from '../api/client';
import { asApiError } from '../api/error';
import { AdStore } from '../features/ads/AdStore';
import { AdviceStore } from '../features/advice/AdviceStore';
import { DailyStore } from '../features/daily/DailyStore';
import type { UnloadPath } from '../features/digging/flushOnUnload';
import { TapStorage } from '../features/digging/TapStorage';
import { MinesSummary } from '../features/home/MinesSummary';
import { LoyaltyStore } from '../features/loyalty/LoyaltyStore';
import type { Trade } from '../features/market/Trade';
import type { Mines } from '../features/mines/Mines';
import { EnergyStore } from '../features/tap/EnergyStore';
import { TapStore } from '../features/tap/TapStore';
import { TasksStore } from '../features/tasks/TasksStore';
import { UnshownSpin } from '../features/wheel/unshown';
import { WheelStore } from '../features/wheel/WheelStore';
import type { Language } from '../format';
import { Clock } from '../stores/Clock';
import { ModalStore } from '../stores/ModalStore';
import { RouteStore } from '../stores/RouteStore';
import { SettingsStore } from '../stores/SettingsStore';
import { ShellStore } from '../stores/ShellStore';
import { SoundStore } from '../stores/SoundStore';
import { isSeen } from '../stores/seen';
import { ToastStore } from '../stores/ToastStore';
import { UserStore } from '../stores/UserStore';
import { WriteAccessStore } from '../stores/WriteAccessStore';
import { wait } from '../stores/wait';
import type { Launch } from '../telegram';
import { DayChange } from './DayChange';
import type { Platform } from './Platform';
import { startReactions } from './reactions';

/** Spec §9: the loading screen stays this long after user and settings have loaded. */
const welcome = 2500;
/** Telegram's language is waited for so long, in milliseconds; until it comes the game speaks English. */
const languageTimeoutMs = 3000;
/** Decision 0005: taps in one batch. */
const batchLimit = 10_000;
/** The day ends for everybody at once, so that each sends the last of it at a moment of their own: so long before, milliseconds. */
const latest = 2000;
const soonest = 10_000;
/** The device's record of what was dug and not sent. */
const minesRecord = 'mines_accumulated_taps';

export class RootStore {
  readonly clock: Clock;
  readonly route = new RouteStore();
  readonly shell = new ShellStore();
  readonly modals = new ModalStore();
  readonly toasts: ToastStore;
  readonly sounds: SoundStore;
  readonly user: UserStore;
  readonly settings: SettingsStore;
  readonly energy: EnergyStore;
  readonly tap: TapStore;
  readonly tasks: TasksStore;
  readonly writeAccess: WriteAccessStore;
  readonly ads: AdStore;
  readonly daily: DailyStore;
  readonly advice: AdviceStore;
  readonly loyalty: LoyaltyStore;
  readonly wheel: WheelStore;
  readonly minesSummary: MinesSummary;

  /** The bot's name without `@`, once asked for. */
  private bot: string | null = null;
  private launch: Launch = { is: 'outside', referralCode: null, languageCode: null, desktop: false };
  private readonly dayChange: DayChange;
  private loadedTrade: Trade | null = null;
  private loadedMines: Mines | null = null;

  readonly api: Api;

  constructor(readonly platform: Platform) {
    const api = platform.connect(
      () => this.initData,
      (error) => this.shell.hear(error),
    );
    this.api = api;
    this.clock = new Clock(platform.now, platform.elapsed);
    this.toasts = new ToastStore((toast) => {
      if (toast.kind === 'error') platform.host.errorHaptic();
    });
    this.sounds = new SoundStore(platform.storage, this.toasts, platform.playSounds);
    this.user = new UserStore(api, this.toasts);
    this.settings = new SettingsStore(api, this.clock, platform.now);
    this.dayChange = new DayChange(this.clock, this.settings, {
      playing: () => this.shell.ready,
      random: () => platform.random(),
      reload: () => this.reloadDay(),
    });
    this.energy = new EnergyStore(api);
    this.minesSummary = new MinesSummary(api);
    this.writeAccess = new WriteAccessStore(platform.storage, () => platform.host.requestWriteAccess());
    this.ads = new AdStore(api, this.modals, this.toasts, this.user, platform.fetchNetwork, () =>
      this.tasks.outdate(),
    );
    const { user, clock, settings, modals, toasts, ads } = this;
    this.daily = new DailyStore(api, user, clock, settings, modals, toasts, ads, platform.newId, () =>
      this.visit(),
    );
    this.advice = new AdviceStore(api, user, settings, modals, toasts, ads, {
      here: () => this.on('/'),
      onAdvised: () => this.tasks.outdate(),
    });
    this.loyalty = new LoyaltyStore(api, user, modals, toasts);
    this.tasks = new TasksStore(api, user, settings, toasts, {
      open: (link) => platform.host.openPage(link),
      rewarded: () => this.rewarded(),
    });
    const lastSync = soonest + (latest - soonest) * platform.random();
    this.tap = new TapStore(api, this.energy, user, settings, toasts, {
      now: platform.elapsed,
      lastSync,
      untilNextDay: () => clock.untilNextDay,
      random: platform.random,
      flushOnUnload: (batch) => this.flushOnUnload('/tap/perform-batch-tap', batch),
      storageOf: (player) =>
        new TapStorage(
          platform.storage,
          'accumulated_taps',
          player,
          batchLimit,
          platform.newId,
          platform.now,
        ),
      rewarded: () => {
        this.writeAccess.rewarded();
        void this.tasks.load(); // spec §4: after a sync
      },
      // Only the first call of a visit makes a player (decision 0007).
      forgotten: () => void this.load(),
    });
    this.wheel = new WheelStore(api, user, settings, modals, toasts, ads, {
      newId: platform.newId,
      random: platform.random,
      elapsed: platform.elapsed,
      prefersReducedMotion: platform.prefersReducedMotion,
      watched: () => this.route.path === '/roulette',
      unshownOf: (player) => new UnshownSpin(platform.storage, 'unshown_spin', player, platform.now),
      energy: (info) => {
        if (this.tap.count > 0) return; // the answer to these taps brings it
        if (info) this.energy.replace(info);
        else void this.energy.load();
      },
      spun: () => this.tasks.outdate(),
    });
    makeAutoObservable<this, 'platform' | 'api' | 'launch' | 'dayChange' | 'loadedTrade' | 'loadedMines'>(
      this,
      {
        platform: false,
        api: false,
        launch: false,
        dayChange: false,
        loadedTrade: false,
        loadTrade: false,
        loadedMines: false,
        loadMines: false,
      },
    );
  }

  start = flow(function* (this: RootStore) {
    this.route.start();
    this.launch = this.platform.host.launch();
    yield Promise.all([this.platform.host.start(this.launch), this.greet(this.launch.languageCode)]);
    if (this.launch.desktop || this.launch.is === 'outside') {
      this.shell.become({ is: this.launch.desktop ? 'desktop' : 'outside' });
      yield this.findBot();
      return;
    }
    this.follow();
    void this.sounds.start();
    yield this.load();
  });

  /** Says who it is in the player's language: nobody is greeted in one and read on in another. */
  private greet = flow(function* (this: RootStore, code: string | null) {
    yield Promise.race([
      this.platform.speak(this.platform.languageOf(code)),
      new Promise((later) => setTimeout(later, languageTimeoutMs)),
    ]);
    this.shell.speak();
  });

  /** Opens the game in Telegram, with the invitation that led here. */
  get telegramLink(): string {
    const code = this.launch.referralCode;
    if (this.bot === null) return 'https://t.me/';
    return `https://t.me/${this.bot}${code === null ? '' : `?start=${code}`}`;
  }

  /** Everything about buying coins: its code is fetched when it is first wanted, and it is made once. */
  readonly loadTrade = async (): Promise<Trade> => {
    const { Trade } = await import('../features/market/Trade');
    if (this.loadedTrade) return this.loadedTrade;
    const { api, user, clock, modals, toasts, route, shell } = this;
    const { host, storage: box, newId, copy, openWallet, walletName } = this.platform;
    this.loadedTrade = new Trade({
      api,
      user,
      clock,
      modals,
      toasts,
      route,
      shell,
      box,
      newId,
      copy,
      openWallet,
      walletName,
      open: (link) => host.openPage(link),
      rewarded: () => this.rewarded(),
    });
    this.loadedTrade.start();
    return this.loadedTrade;
  };

  /** The mines: their code is fetched when they are first wanted, and they are opened once. */
  readonly loadMines = async (): Promise<Mines> => {
    const { Mines } = await import('../features/mines/Mines');
    if (!this.loadedMines) {
      this.loadedMines = new Mines(this, minesRecord);
      this.loadedMines.start();
    }
    return this.loadedMines;
  };

  /** Something came in that the player feels, and that the bot may have more to say about. */
  private rewarded(): void {
    this.platform.host.rewardHaptic();
    this.writeAccess.rewarded();
  }

  /** What closes the app; null where only the player can. */
  get closeApp(): (() => void) | null {
    return this.platform.host.closeApp();
  }

  private get initData(): string {
    return this.launch.is === 'telegram' ? this.launch.initData : '';
  }

  /** Sends a batch from a page that is going away. */
  flushOnUnload(path: UnloadPath, batch: object): void {
    this.platform.flushOnUnload(path, batch, this.initData);
  }

  /** The game is open on that screen. */
  on(path: string): boolean {
    return this.shell.ready && this.route.path === path;
  }

  /** No finger is at work on the bag or in the mine, nor are its taps being saved, nor does the wallet ask: a modal may open. */
  get free(): boolean {
    const { path } = this.route;
    return (
      this.shell.ready &&
      path !== '/tap' &&
      path !== '/mines' &&
      !this.tap.saving &&
      this.modals.over === null
    );
  }

  /** Besides, nothing lies over the screen: the player may be asked something. */
  get quiet(): boolean {
    return this.free && this.modals.shown === null && this.modals.sheet === 'none';
  }

  /** Spec §4: user and age consent exist, and no request for the user is loading. */
  get mayCheckIn(): boolean {
    const { is } = this.shell.shell;
    const consent = this.user.user?.age_consent_accepted ?? false;
    return (is === 'welcome' || is === 'ready') && consent && !this.user.busy;
  }

  /** A player is here and looks: the day counts. Before the server has told it, the answer might be about the last one. */
  visit(): void {
    if (!this.mayCheckIn || !isSeen() || this.dayChange.early) return;
    void this.daily.checkIn();
  }

  private findBot = flow(function* (this: RootStore) {
    try {
      this.bot = (yield* wait(this.api.config())).bot_username;
    } catch (error) {
      asApiError(error); // the link leads to Telegram without the bot
    }
  });

  /** Loads what every screen needs, behind the loading screen; also the way back from an error. */
  load = flow(function* (this: RootStore) {
    if (this.launch.is !== 'telegram') return;
    this.shell.become({ is: 'loading' });
    try {
      yield Promise.all([this.user.load(this.launch.referralCode), this.settings.load()]);
    } catch (error) {
      this.shell.fail(asApiError(error));
      return;
    }
    this.dayChange.stopAsking();
    if (this.user.user) {
      if (this.launch.cannotBeMessaged) this.writeAccess.start(this.user.user.id);
      this.tap.start(this.user.user.id);
      this.tap.batches.resume();
      this.wheel.start(this.user.user.id);
      // What was dug and not sent must not wait until somebody looks into the mines again.
      if (this.platform.storage.get(minesRecord)) void this.loadMines().catch(() => {});
    }
    void this.energy.load();
    void this.ads.load();
    if (this.dayChange.early) void this.dayChange.come();
    else this.dayChange.wait();
    this.shell.become({ is: 'welcome' });
    yield new Promise((done) => setTimeout(done, welcome));
    // A call made meanwhile may have closed the game.
    if (this.shell.shell.is !== 'welcome') return;
    this.shell.become({ is: 'ready' });
    if (this.dayChange.early) void this.dayChange.come(); // midnight fell into the welcome
    if (this.route.path === '/tap') this.tap.enter();
    else this.tap.batches.resume();
  });

  /** Spec §2, maintenance: Restart. */
  restart = flow(function* (this: RootStore) {
    yield this.load();
    if (this.shell.ready && this.route.path === '/maintenance') this.route.go('/');
  });

  /** Spec §2, maintenance: Exit leads home, and finds out whether home is open again. */
  leaveMaintenance(): void {
    if (this.shell.shell.is === 'maintenance') void this.load();
  }

  /** The code of a drawer could not be fetched. */
  drawerMissing(): void {
    this.modals.closeSheet();
    this.toasts.show('error', 'errors.offline');
  }

  back(): void {
    if (this.modals.over) this.modals.over();
    else if (this.modals.closable) this.modals.closeTop();
    else this.route.back();
  }

  /**
   * Spec §2, privacy: accepting records the consent, then leads back to where the player came from. Who came from the market has
   * agreed to what its box asks for.
   */
  acceptPrivacy = flow(function* (this: RootStore) {
    const buying = this.route.privacySource === 'market';
    if (!this.user.user?.age_consent_accepted && !(yield* wait(this.user.acceptAge()))) return;
    if (buying) void this.agree();
    this.route.go(buying ? '/market' : '/');
  });

  private async agree(): Promise<void> {
    try {
      (await this.loadTrade()).market.agree(true);
    } catch {
      // Its code did not come; the box can still be ticked.
    }
  }

  async connectWallet(): Promise<void> {
    try {
      await (await this.loadTrade()).wallet.connect();
    } catch {
      this.toasts.show('error', 'errors.wallet_connect');
    }
  }

  async offerDiscount(): Promise<void> {
    try {
      await (await this.loadTrade()).discount.consider(() => this.free);
    } catch {
      // Its code did not come; the market fetches it again.
    }
  }

  /** Ties the stores to each other and to the page. Called once. */
  private follow(): void {
    this.wheel.follow();
    reaction(
      () => this.route.path,
      (path, before) => {
        window.scrollTo(0, 0);
        this.modals.closeSheet();
        // A modal stays over whatever screen comes: it needs a step of its own there too.
        if (this.modals.closable) this.cover();
        if (before === '/tap') this.tap.leave();
        if (path === '/tap' && this.shell.ready) this.tap.enter();
      },
    );
    reaction(
      () => this.shell.ready,
      (ready) => {
        if (!ready) this.modals.closeSheet();
      },
    );
    reaction(
      () => this.modals.closable,
      (covered) => {
        if (covered) this.cover();
        else this.route.takeCover();
      },
    );
    reaction(
      () => this.modals.over !== null || (this.shell.open && (this.modals.closable || !this.route.isRoot)),
      (needed) => this.platform.host.backButton(needed ? () => this.back() : null),
      { fireImmediately: true },
    );
    reaction(
      () => this.tap.batches.unsaved,
      (unsaved) => this.platform.host.confirmClosing(unsaved),
    );
    startReactions(this);
    reaction(
      () => this.user.user && !this.user.user.age_consent_accepted,
      (needed) => {
        if (needed) this.modals.enqueue({ is: 'age' });
        else {
          this.modals.close('age');
          this.tap.batches.resume();
        }
      },
    );
    document.addEventListener('visibilitychange', () => {
      if (!isSeen()) this.tap.batches.flushOnUnload();
      else this.onForeground();
    });
    window.addEventListener('focus', () => {
      if (this.shell.ready) this.checkDay();
      else this.visit();
    });
    window.addEventListener('pagehide', () => this.tap.batches.flushOnUnload());
    window.addEventListener('online', () => this.online());
    window.addEventListener('storage', () => this.tap.batches.reread());
  }

  /** The device's own "back" takes away what lies over the screen, one thing at a time. */
  private cover(): void {
    this.route.coverWith(() => {
      this.modals.closeTop();
      if (this.modals.closable) this.cover();
    });
  }

  /** Speaks it even where it was the player's before: its texts may not have come then. */
  async setLanguage(language: Language): Promise<void> {
    if (!(await this.user.setLanguage(language)) || (await this.platform.speak(language))) return;
    this.toasts.show('error', 'errors.offline');
  }

  private online(): void {
    if (this.shell.shell.is === 'offline') void this.load();
    else if (this.shell.ready) {
      this.tap.batches.onForeground();
      this.wheel.resume();
      this.checkDay();
    }
  }

  /** The page is looked at again, perhaps on another day. */
  private onForeground(): void {
    if (!this.shell.ready) {
      this.visit();
      return;
    }
    this.tap.batches.onForeground();
    if (this.ads.off) void this.ads.load();
    this.wheel.onForeground();
    if (this.clock.shifted && !this.dayChange.isStale) void this.setClock();
    else this.checkDay();
  }

  private checkDay(): void {
    this.dayChange.wait();
    // With the new day comes its check-in.
    if (this.dayChange.isStale) void this.dayChange.come();
    else this.visit();
  }

  private setClock = flow(function* (this: RootStore) {
    try {
      yield this.settings.setClock();
    } catch (error) {
      asApiError(error); // the next look asks again
    }
    this.checkDay();
  });

  /**
   * Asks for all that a day changes; whether all of it was told. What was on its way at midnight, such as the last taps, may tell of
   * the old day and still be newer than these questions.
   */
  private reloadDay = flow(function* (this: RootStore) {
    const { settings, energy, user, tasks, wheel } = this;
    try {
      const loaded = yield* wait(
        Promise.all([
          settings.load().then(() => {
            this.visit();
            return true;
          }),
          energy.load(),
          user.refresh(),
          tasks.load(),
          wheel.status ? wheel.load() : true,
        ]),
      );
      return loaded.every(Boolean);
    } catch (error) {
      asApiError(error);
      return false;
    }
  });
}
