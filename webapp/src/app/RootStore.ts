import { makeAutoObservable } from 'mobx';
import type { Api } from '../api/client';
import type { EnergyInfo, MinesStatus } from '../api/types';
import { AdStore } from '../features/ads/AdStore';
import { AdviceStore } from '../features/advice/AdviceStore';
import { DailyStore } from '../features/daily/DailyStore';
import type { UnloadPath } from '../features/digging/flushOnUnload';
import { LoyaltyStore } from '../features/loyalty/LoyaltyStore';
import { TapStore } from '../features/tap/TapStore';
import { TasksStore } from '../features/tasks/TasksStore';
import { WheelStore } from '../features/wheel/WheelStore';
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
import { Boot } from './Boot';
import { Foreground } from './Foreground';
import type { Platform } from './Platform';
import type { Path } from './routes';
import { TabBadges } from './TabBadges';

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
    this.sounds = new SoundStore(this);
    this.user = new UserStore(this);
    this.settings = new SettingsStore(this);
    this.energy = new Resource(() => api.energy());
    this.minesSummary = new Resource(() => api.mines());
    this.writeAccess = new WriteAccessStore(this);
    this.ads = new AdStore(this);
    this.daily = new DailyStore(this);
    this.advice = new AdviceStore(this);
    this.loyalty = new LoyaltyStore(this);
    this.tasks = new TasksStore(this);
    this.tap = new TapStore(this);
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
    const mines = new Mines(this);
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

  back(): void {
    if (this.modals.closeExternal) this.modals.closeExternal();
    else if (this.modals.closable) this.modals.closeTop();
    else this.route.back();
  }

  async connectWallet(): Promise<void> {
    try {
      await (await this.loadTrade()).connection.connect();
    } catch {
      this.toasts.show('error', 'errors.wallet_connect');
    }
  }
}
