import { flow, makeAutoObservable } from 'mobx';
import { asApiError } from '../api/error';
import { minesKey } from '../features/digging/TapStorage';
import { languageOf } from '../i18n';
import { pause } from '../pause';
import { wait } from '../stores/wait';
import type { Launch } from '../telegram';
import type { RootStore } from './RootStore';
import { startReactions } from './reactions';

/** Spec §9: the loading screen stays this long after user and settings have loaded. */
const welcomeMs = 2500;
/** The texts of Telegram's language are awaited for this long, milliseconds; until they are loaded the game is in English. */
const languageTimeoutMs = 3000;

/** How the game is started, loaded, and loaded again after what kept the player out of it. */
export class Boot {
  /** The bot's name without `@`, once loaded. */
  private bot: string | null = null;
  #launch: Launch = { is: 'outside', referralCode: null, languageCode: null, desktop: false };
  readonly #root: RootStore;

  constructor(root: RootStore) {
    this.#root = root;
    makeAutoObservable(this);
  }

  start = flow(function* (this: Boot) {
    this.#root.route.start();
    this.#launch = this.#root.platform.host.launch();
    const platformReady = Promise.all([
      this.#root.platform.host.start(this.#launch),
      this.greet(this.#launch.languageCode),
    ]);
    if (this.#launch.desktop || this.#launch.is === 'outside') {
      yield platformReady;
      this.#root.shell.set({ is: this.#launch.desktop ? 'desktop' : 'outside' });
      yield this.findBot();
      return;
    }
    startReactions(this.#root);
    void this.#root.sounds.start();
    yield this.load(platformReady);
  });

  /** Loads the texts of the player's language before the greeting is shown. */
  private greet = flow(function* (this: Boot, code: string | null) {
    yield Promise.race([this.#root.platform.speak(languageOf(code)), pause(languageTimeoutMs)]);
    this.#root.shell.setHasLanguage();
  });

  /** Opens the game in Telegram, with the invitation that led here. */
  get telegramLink(): string {
    const code = this.#launch.referralCode;
    if (this.bot === null) return 'https://t.me/';
    return `https://t.me/${this.bot}${code === null ? '' : `?start=${code}`}`;
  }

  get initData(): string {
    return this.#launch.is === 'telegram' ? this.#launch.initData : '';
  }

  private findBot = flow(function* (this: Boot) {
    try {
      this.bot = (yield* wait(this.#root.api.config())).bot_username;
    } catch (error) {
      asApiError(error); // the link leads to Telegram without the bot
    }
  });

  /**
   * Loads what every screen needs, behind the loading screen; also after an error. At the start `platformReady`, Telegram's answers
   * and the texts, are awaited meanwhile.
   */
  load = flow(function* (this: Boot, platformReady: Promise<unknown> = Promise.resolve()) {
    if (this.#launch.is !== 'telegram') return;
    this.#root.shell.set({ is: 'loading' });
    const [loaded] = yield* wait(
      Promise.allSettled([
        Promise.all([this.#root.user.load(this.#launch.referralCode), this.#root.settings.load()]),
        platformReady,
      ]),
    );
    if (loaded.status === 'rejected') {
      this.#root.shell.fail(asApiError(loaded.reason));
      return;
    }
    this.#root.foreground.dayChange.cancelRetry();
    if (this.#root.user.user) {
      if (this.#launch.cannotBeMessaged) this.#root.writeAccess.start(this.#root.user.user.id);
      this.#root.tap.batches.start(this.#root.user.user.id);
      this.#root.tap.batches.resume();
      this.#root.wheel.start(this.#root.user.user.id);
      // Unsent ore is sent without waiting for the mines' screen.
      if (this.#root.platform.storage.get(minesKey)) void this.#root.loadMines().catch(() => {});
    }
    void this.#root.energy.load();
    void this.#root.ads.load();
    if (this.#root.foreground.dayChange.isClockAhead) void this.#root.foreground.dayChange.reload();
    else this.#root.foreground.dayChange.schedule();
    this.#root.shell.set({ is: 'welcome' });
    yield new Promise((done) => setTimeout(done, welcomeMs, 'welcome')); // tests find the timer by its name
    // A call made meanwhile may have closed the game.
    if (this.#root.shell.shell.is !== 'welcome') return;
    this.#root.shell.set({ is: 'ready' });
    if (this.#root.foreground.dayChange.isClockAhead) void this.#root.foreground.dayChange.reload(); // midnight fell into the welcome
    if (this.#root.route.path === '/tap') this.#root.tap.counter.enter();
    else this.#root.tap.batches.resume();
  });

  /** Spec §2, maintenance: Restart. */
  restart = flow(function* (this: Boot) {
    yield this.load();
    if (this.#root.shell.ready && this.#root.route.path === '/maintenance') this.#root.route.go('/');
  });

  /** Spec §2, maintenance: Exit leads home, and finds out whether home is open again. */
  leaveMaintenance(): void {
    if (this.#root.shell.shell.is === 'maintenance') void this.load();
  }
}
