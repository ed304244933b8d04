import { flow, makeAutoObservable } from 'mobx';
import { asApiError } from '../api/error';
import { wait } from '../stores/wait';
import type { Launch } from '../telegram';
import { minesRecord, type RootStore } from './RootStore';
import { startReactions } from './reactions';

/** Spec §9: the loading screen stays this long after user and settings have loaded. */
const welcome = 2500;
/** Telegram's language is waited for so long, in milliseconds; until it comes the game speaks English. */
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
    const dressed = Promise.all([
      this.#root.platform.host.start(this.#launch),
      this.greet(this.#launch.languageCode),
    ]);
    if (this.#launch.desktop || this.#launch.is === 'outside') {
      yield dressed;
      this.#root.shell.become({ is: this.#launch.desktop ? 'desktop' : 'outside' });
      yield this.findBot();
      return;
    }
    startReactions(this.#root);
    void this.#root.sounds.start();
    yield this.load(dressed);
  });

  /** Says who it is in the player's language: nobody is greeted in one and read on in another. */
  private greet = flow(function* (this: Boot, code: string | null) {
    yield Promise.race([
      this.#root.platform.speak(this.#root.platform.languageOf(code)),
      new Promise((later) => setTimeout(later, languageTimeoutMs)),
    ]);
    this.#root.shell.speak();
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
   * Loads what every screen needs, behind the loading screen; also the way back from an error. At the start Telegram's answers and the
   * texts, `dressed`, are waited for meanwhile.
   */
  load = flow(function* (this: Boot, dressed: Promise<unknown> = Promise.resolve()) {
    if (this.#launch.is !== 'telegram') return;
    this.#root.shell.become({ is: 'loading' });
    const [loaded] = yield* wait(
      Promise.allSettled([
        Promise.all([this.#root.user.load(this.#launch.referralCode), this.#root.settings.load()]),
        dressed,
      ]),
    );
    if (loaded.status === 'rejected') {
      this.#root.shell.fail(asApiError(loaded.reason));
      return;
    }
    this.#root.foreground.dayChange.stopAsking();
    if (this.#root.user.user) {
      if (this.#launch.cannotBeMessaged) this.#root.writeAccess.start(this.#root.user.user.id);
      this.#root.tap.start(this.#root.user.user.id);
      this.#root.tap.batches.resume();
      this.#root.wheel.start(this.#root.user.user.id);
      // What was dug and not sent must not wait until somebody looks into the mines again.
      if (this.#root.platform.storage.get(minesRecord)) void this.#root.loadMines().catch(() => {});
    }
    void this.#root.energy.load();
    void this.#root.ads.load();
    if (this.#root.foreground.dayChange.early) void this.#root.foreground.dayChange.come();
    else this.#root.foreground.dayChange.wait();
    this.#root.shell.become({ is: 'welcome' });
    yield new Promise((done) => setTimeout(done, welcome, 'welcome')); // tests find the timer by its name
    // A call made meanwhile may have closed the game.
    if (this.#root.shell.shell.is !== 'welcome') return;
    this.#root.shell.become({ is: 'ready' });
    if (this.#root.foreground.dayChange.early) void this.#root.foreground.dayChange.come(); // midnight fell into the welcome
    if (this.#root.route.path === '/tap') this.#root.tap.enter();
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
