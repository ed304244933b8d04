import { expect, type Frame, type FrameLocator, type Locator, type Page } from '@playwright/test';
import { en } from '../src/i18n/en';
import { ru } from '../src/i18n/ru';
import type { LaunchOptions, Person } from './sandbox';

export type Words = { readonly [Key in keyof typeof en]: (typeof en)[Key] | (typeof ru)[Key] };

/** A value that flies off the bag. CSS modules write _name_hash_line. */
export const float = '[class*="_float_"]';

/** One Mini Apps event the game sent to Telegram. */
type HostEvent = { player: number; eventType: string; eventData?: Record<string, unknown> };

declare global {
  interface Window {
    /** sandbox/README.md: the phone's own names for tests. */
    __events: HostEvent[];
    __phone: { launch(options: object): Promise<void> };
  }
}

/** One player's phone: the chat with the bot, and the game over it. */
export class Phone {
  /** The texts the player should see. */
  readonly words: Words;

  constructor(
    readonly page: Page,
    readonly player: Person,
  ) {
    this.words = player.language_code === 'ru' ? ru : en;
  }

  // --- Telegram ---

  /** `start=CODE` opens the chat by a start link, `startapp=CODE` the game by a direct link. */
  async open(query = ''): Promise<void> {
    await this.page.goto(`/phone/${this.player.id}${query && `?${query}`}`);
  }

  /** Opens the game by a direct link and waits until it can be played. */
  async openGame(query = 'startapp='): Promise<void> {
    await this.open(query);
    await this.playable();
  }

  /** Opens the game and, once it can be played, this screen of it. */
  async visit(path: string): Promise<void> {
    await this.openGame();
    await this.go(path);
  }

  /** Opens the game over the chat as a button would, with the launch data asked for. */
  async launch(options: LaunchOptions): Promise<void> {
    await this.page.waitForFunction(() => window.__phone !== undefined);
    await this.page.evaluate((wanted) => window.__phone.launch(wanted), options);
  }

  /** From now on this phone is another client of Telegram's, such as "tdesktop". */
  async pretendPlatform(platform: string): Promise<void> {
    await this.page.route('**/sandbox/launch?*', async (route) => {
      const answer = await route.fetch();
      const opened = await answer.json();
      opened.url = opened.url.replace('tgWebAppPlatform=android', `tgWebAppPlatform=${platform}`);
      await route.fulfill({ response: answer, json: opened });
    });
  }

  get start(): Locator {
    return this.page.getByRole('button', { name: 'START' });
  }

  /** Writes to the bot in an open chat. */
  async write(text: string): Promise<void> {
    await this.page.getByRole('textbox', { name: 'Message' }).fill(text);
    await this.page.keyboard.press('Enter');
  }

  /** The bot's messages, oldest first. */
  get messages(): Locator {
    return this.page.locator('.chat [data-message-id]:not(.me)');
  }

  /** Telegram's button left above the game: Close, or Back where the game asks for it. */
  get corner(): Locator {
    return this.sheet.locator('.app-close');
  }

  /** Everything the game has told Telegram since the page opened. */
  async events(eventType: string): Promise<Record<string, unknown>[]> {
    const all = await this.page.evaluate(() => window.__events);
    return all.filter((event) => event.eventType === eventType).map((event) => event.eventData ?? {});
  }

  // --- the game ---

  /** The game with Telegram's header over it; a closed one may still be sliding away. */
  get sheet(): Locator {
    return this.page.locator('.app').last();
  }

  get app(): FrameLocator {
    return this.sheet.locator('iframe').contentFrame();
  }

  async frame(): Promise<Frame> {
    const element = await this.sheet.locator('iframe').elementHandle();
    const frame = await element?.contentFrame();
    if (!frame) throw new Error('the game is not open');
    return frame;
  }

  get loading(): Locator {
    return this.app.getByText(this.words.loading.welcome);
  }

  get dock(): Locator {
    return this.app.getByRole('navigation');
  }

  /** Waits until the loading screen has given way to the game. */
  async playable(): Promise<void> {
    await expect(this.app.locator('main').first()).toBeVisible();
    await expect(this.dock.or(this.app.getByRole('dialog')).first()).toBeVisible();
    await expect(this.loading).toHaveCount(0);
  }

  /** The large figure of Home or the tap screen, as drawn. */
  get total(): Locator {
    return this.app
      .locator('section')
      .filter({ hasText: this.words.home.total })
      .locator('div > span[aria-hidden="true"]')
      .first();
  }

  /** From the next opening on, notes every total the player gets to see; the answer reads the notes. */
  async watchTotal(): Promise<() => Promise<string[]>> {
    await this.page.addInitScript((label) => {
      const notes: string[] = [];
      Object.assign(window, { __totals: notes });
      requestAnimationFrame(function look() {
        const covered = document
          .elementFromPoint(innerWidth / 2, innerHeight / 2)
          ?.closest('[role="status"]');
        const section = [...document.querySelectorAll('section')].find((one) =>
          one.textContent.includes(label),
        );
        const text = section?.querySelector('div > span[aria-hidden="true"]')?.textContent;
        if (!covered && text && text !== notes.at(-1)) notes.push(text);
        requestAnimationFrame(look);
      });
    }, this.words.home.total);
    return async () => {
      const frame = await this.frame();
      return frame.evaluate(() => (window as unknown as { __totals: string[] }).__totals);
    };
  }

  /** Whether the device keeps taps, of whichever player, that no answer has settled. */
  async hasUnsent(): Promise<boolean> {
    const frame = await this.frame();
    return frame.evaluate(
      () => Object.keys(JSON.parse(localStorage.getItem('accumulated_taps') ?? '{}')).length > 0,
    );
  }

  get bag(): Locator {
    return this.app.getByRole('button', { name: this.words.tap.bag });
  }

  get floats(): Locator {
    return this.app.locator(float);
  }

  /** The pretend ad over the game, whose buttons choose how it ends (sandbox/README.md). */
  get ad(): Locator {
    return this.app.getByRole('dialog', { name: 'Sandbox ad' });
  }

  /** Above the tab bar: it opens the screen's drawer. */
  get handle(): Locator {
    return this.app.locator('main ~ button[aria-haspopup=dialog]');
  }

  modal(title: string): Locator {
    return this.app.getByRole('dialog', { name: title });
  }

  /** Closes the drawer or modal that is open by the keyboard, and waits until it is gone. */
  async closeDialog(): Promise<void> {
    await this.page.keyboard.press('Escape');
    await expect(this.app.getByRole('dialog')).toHaveCount(0);
  }

  get saving(): Locator {
    return this.app.getByText(this.words.loading.saving);
  }

  get toTap(): Locator {
    return this.app.getByRole('link', { name: this.words.home.bag });
  }

  async openTap(): Promise<void> {
    await this.toTap.tap();
    await expect(this.bag).toBeVisible();
    await expect(this.energyBar).not.toHaveAttribute('aria-valuenow', '0');
  }

  /** Plays a little: before that nothing is offered. */
  async tapAndLeave(): Promise<void> {
    await this.openTap();
    await this.tap(1);
    await this.leaveTap();
  }

  /** Leaves for Home by the dock, where for 2 s progress is said to be saved. */
  async leaveTap(): Promise<void> {
    // Watched from before the tap: on a busy machine the 2 s may pass between two looks.
    await Promise.all([
      this.saving.waitFor({ timeout: 15_000 }),
      this.dock.getByRole('link', { name: this.words.nav.home }).tap(),
    ]);
  }

  get energyBar(): Locator {
    return this.app.getByRole('progressbar');
  }

  async energy(): Promise<number> {
    return Number(await this.energyBar.getAttribute('aria-valuenow'));
  }

  /** Touches the bag until it has counted this often; a touch within 100 ms of the last does not count. */
  async tap(times: number): Promise<void> {
    const target = (await this.energy()) - times;
    const box = await this.bag.boundingBox();
    if (!box) throw new Error('there is no bag to tap');
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    await expect(async () => {
      for (let left = await this.energy(); left > target; left = await this.energy()) {
        await this.page.touchscreen.tap(x, y);
      }
    }).toPass();
    expect(await this.energy()).toBe(target);
  }

  /** One finger comes down, moves up or down in steps, and lifts. */
  async drag(x: number, from: number, to: number): Promise<void> {
    const finger = await this.page.context().newCDPSession(this.page);
    const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', y?: number) =>
      finger.send('Input.dispatchTouchEvent', { type, touchPoints: y === undefined ? [] : [{ x, y }] });
    await touch('touchStart', from);
    for (let step = 1; step <= 10; step += 1) await touch('touchMove', from + ((to - from) * step) / 10);
    await touch('touchEnd');
    await finger.detach();
  }

  /** Android's button, or a swipe: one step back in the history. */
  async deviceBack(): Promise<void> {
    await this.page.evaluate(() => window.history.back());
  }

  /** Where in the game the player is. */
  async path(): Promise<string> {
    const frame = await this.frame();
    return new URL(frame.url()).pathname;
  }

  /** Opens a screen inside the running game, as one of its links would. */
  async go(path: string): Promise<void> {
    const frame = await this.frame();
    await frame.evaluate((to) => window.history.pushState(null, '', to), path);
  }
}
