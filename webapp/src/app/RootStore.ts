import { flow, makeAutoObservable } from 'mobx';
import type { Api } from '../api/client';
import type { EnergyInfo, MinesStatus } from '../api/types';
import { AdStore } from '../features/ads/AdStore';
import { AdviceStore } from '../features/advice/AdviceStore';
import { DailyStore } from '../features/daily/DailyStore';
import type { UnloadPath } from '../features/digging/flushOnUnload';
import { TapStorage } from '../features/digging/TapStorage';
import { LoyaltyStore } from '../features/loyalty/LoyaltyStore';
import { TapStore } from '../features/tap/TapStore';
import { TasksStore } from '../features/tasks/TasksStore';
import { WheelStore } from '../features/wheel/WheelStore';
import type { Language } from '../format';
import { once } from '../once';
import { Clock } from '../stores/Clock';
import { ModalStore } from '../stores/ModalStore';
import { Resource } from '../stores/Resource';
import { RouteStore } from '../stores/RouteStore';
import { SettingsStore } from '../stores/SettingsStore';
import { ShellStore } from '../stores/ShellStore';
import { SoundStore } from '../stores/SoundStore';
import { ToastStore } from '../stores/ToastStore';
import { UserStore } from '../stores/UserStore';
import { WriteAccessStore } from '../stores/WriteAccessStore';
import { wait } from '../stores/wait';
import { Boot } from './Boot';
import { Foreground } from './Foreground';
import type { Platform } from './Platform';
import type { Path } from './routes';
import { TabBadges } from './TabBadges';

/** Decision 0005: taps in one batch. */
const batchLimit = 10_000;
/** A day's last taps are sent at a random time before its end, so that not all players send at once; milliseconds. */
const lastSyncMinMs = 2000;
const lastSyncMaxMs = 10_000;
/** The storage key of unsent ore. */
export const minesRecord = 'mines_accumulated_taps';

export class RootStore {
  readonly clock: Clock;
  readonly route = new RouteStore();
  readonly shell = new ShellStore();
  readonly modals = new ModalStore();
  readonly toasts: ToastStore;
  readonly sounds: SoundStore;
  readonly user: UserStore;
  readonly settings: SettingsStore;
  readonly energy: Resource<EnergyInfo>;
  readonly tap: TapStore;
  readonly tasks: TasksStore;
  readonly writeAccess: WriteAccessStore;
  readonly ads: AdStore;
  readonly daily: DailyStore;
  readonly advice: AdviceStore;
  readonly loyalty: LoyaltyStore;
  readonly wheel: WheelStore;
  /** The mines as Home's card shows them; their own store comes with their code. */
  readonly minesSummary: Resource<MinesStatus>;

  readonly badges = new TabBadges(this);

  readonly boot: Boot;
  readonly foreground: Foreground;

  readonly api: Api;

  constructor(readonly platform: Platform) {
    const api = platform.connect(
      () => this.boot.initData,
      (error) => this.shell.handleError(error),
    );
    this.api = api;
    this.clock = new Clock(platform.now, platform.elapsed);
    this.toasts = new ToastStore((toast) => {
      if (toast.kind === 'error') platform.host.errorHaptic();
    });
    this.sounds = new SoundStore(platform.storage, this.toasts, platform.playSounds);
    this.user = new UserStore(api, this.toasts);
    this.settings = new SettingsStore(api, this.clock, platform.now);
    this.energy = new Resource(() => api.energy());
    this.minesSummary = new Resource(() => api.mines());
    this.writeAccess = new WriteAccessStore(platform.storage, (onAnswer) =>
      platform.host.requestWriteAccess(onAnswer),
    );
    this.ads = new AdStore(api, this.modals, this.toasts, this.user, platform.fetchNetwork, () =>
      this.tasks.markStale(),
    );
    this.daily = new DailyStore(this);
    this.advice = new AdviceStore(this);
    this.loyalty = new LoyaltyStore(this);
    this.tasks = new TasksStore(this);
    const { user, clock, settings, toasts } = this;
    const lastSync = lastSyncMaxMs + (lastSyncMinMs - lastSyncMaxMs) * platform.random();
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
      forgotten: () => void this.boot.load(),
    });
    this.wheel = new WheelStore(this);
    this.boot = new Boot(this);
    this.foreground = new Foreground(this);
    makeAutoObservable(this, {
      platform: false,
      api: false,
      badges: false,
      boot: false,
      foreground: false,
      loadTrade: false,
      loadMines: false,
    });
  }

  /** Everything about buying coins; its code is loaded at the first use. */
  readonly loadTrade = once(async () => {
    const { Trade } = await import('../features/market/Trade');
    const trade = new Trade(this);
    trade.start();
    return trade;
  });

  /** The mines; their code is loaded at the first use. */
  readonly loadMines = once(async () => {
    const { Mines } = await import('../features/mines/Mines');
    const mines = new Mines(this, minesRecord);
    mines.start();
    return mines;
  });

  /** The player has received a reward. */
  rewarded(): void {
    this.platform.host.rewardHaptic();
    this.writeAccess.rewarded();
  }

  /** Copies a text, and says so; false if the device refuses: then the player is asked to select it. */
  async copy(text: string, done: 'toast.copied' | 'toast.address_copied' = 'toast.copied'): Promise<boolean> {
    const copied = await this.platform.copy(text);
    if (copied) this.toasts.show('success', done);
    else this.toasts.show('info', 'toast.copy_failed');
    return copied;
  }

  /** Sends a batch from a page that is going away. */
  flushOnUnload(path: UnloadPath, batch: object): void {
    this.platform.flushOnUnload(path, batch, this.boot.initData);
  }

  /** The game is open on that screen. */
  isOn(path: Path): boolean {
    return this.shell.ready && this.route.path === path;
  }

  /** The player is not tapping, no taps are being saved, and no wallet window is open. */
  get canShowModal(): boolean {
    const { path } = this.route;
    return (
      this.shell.ready &&
      path !== '/tap' &&
      path !== '/mines' &&
      !this.tap.saving &&
      this.modals.closeExternal === null
    );
  }

  /** Besides, nothing lies over the screen. */
  get isIdle(): boolean {
    return this.canShowModal && this.modals.isClear;
  }

  /** The code of a drawer could not be fetched. */
  drawerMissing(): void {
    this.modals.closeSheet();
    this.toasts.show('error', 'errors.offline');
  }

  back(): void {
    if (this.modals.closeExternal) this.modals.closeExternal();
    else if (this.modals.closable) this.modals.closeTop();
    else this.route.back();
  }

  /**
   * Spec §2, privacy: accepting records the consent, then leads back to where the player came from. Who came from the market has
   * agreed to what its box asks for.
   */
  acceptPrivacy = flow(function* (this: RootStore) {
    const buying = this.route.privacySource === 'market';
    if (
      !this.user.user?.age_consent_accepted &&
      !(yield* wait(this.user.change({ age_consent_accepted: true })))
    )
      return;
    if (buying) void this.agree();
    this.route.go(buying ? '/market' : '/');
  });

  private async agree(): Promise<void> {
    try {
      (await this.loadTrade()).market.agree(true);
    } catch {
      // The code could not be loaded; the box can still be ticked.
    }
  }

  async connectWallet(): Promise<void> {
    try {
      await (await this.loadTrade()).connection.connect();
    } catch {
      this.toasts.show('error', 'errors.wallet_connect');
    }
  }

  async offerDiscount(): Promise<void> {
    try {
      await (await this.loadTrade()).discount.offer(() => this.isIdle);
    } catch {
      // The code could not be loaded; the market loads it again.
    }
  }

  /** Loads the texts even if the language is the same: they may have failed to load before. */
  async setLanguage(language: Language): Promise<void> {
    if (!(await this.user.change({ language })) || (await this.platform.speak(language))) return;
    this.toasts.show('error', 'errors.offline');
  }
}
