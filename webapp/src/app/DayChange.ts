import type { Clock } from '../stores/Clock';
import { isVisible } from '../stores/PageLifecycle';
import type { SettingsStore } from '../stores/SettingsStore';

/** After midnight every player wants the new day; they ask spread over this time; milliseconds. */
const spread = 10_000;
/** A new day that was not told is asked for again after this, ever later, and at last each minute. */
const pause = 5000;
const longestPause = 60_000;

type Callbacks = {
  /** Somebody plays, and is not kept out. */
  readonly playing: () => boolean;
  /** At least 0, less than 1. */
  readonly random: () => number;
  /** Asks for all that a day changes; whether all of it was told. */
  readonly reload: () => Promise<boolean>;
};

/** 00:00 UTC, when energy is full again and the season is a day older; also the season's start and end, which may come at another hour. */
export class DayChange {
  private midnight: ReturnType<typeof setTimeout> | undefined;
  /** The new day was not told yet, and is asked for again. */
  private retryTimer: ReturnType<typeof setTimeout> | undefined;
  private asking = false;

  constructor(
    private readonly clock: Clock,
    private readonly settings: SettingsStore,
    private readonly callbacks: Callbacks,
  ) {}

  /** Timers sleep with the phone, and the clock may be set: it is awaited anew then. */
  wait(): void {
    clearTimeout(this.midnight);
    const { clock, settings, callbacks } = this;
    this.midnight = setTimeout(
      () => {
        if (isVisible() && callbacks.playing()) void this.come();
        this.wait();
      },
      Math.min(clock.untilNextDay, settings.untilTurn) + callbacks.random() * spread,
    );
  }

  /** What we know is of another day than this, or of the other side of the season's start or end. */
  get isStale(): boolean {
    return this.retryTimer !== undefined || this.early;
  }

  /** It is so by our clock, which may be ahead; the server has not told of this day, or side, yet. */
  get early(): boolean {
    const { settings, season, wasRunning } = this.settings;
    if (!settings) return false;
    return Date.parse(settings.server_time) < this.clock.dayStart || wasRunning !== (season === 'running');
  }

  /** It is here: all of it is asked for, again where not all was told. `failures` is how often that was so already. */
  async come(failures = 0): Promise<void> {
    if (this.asking) return;
    this.stopAsking();
    this.asking = true;
    const loaded = await this.callbacks.reload();
    this.asking = false;
    this.wait();
    if (loaded && !this.early) return; // midnight may have overtaken the answers
    this.stopAsking();
    // Else a bag that is empty would stay empty all day.
    this.retryTimer = setTimeout(
      () => {
        if (isVisible() && this.callbacks.playing()) void this.come(failures + 1);
      },
      Math.min(pause * 2 ** failures, longestPause) * (1 + this.callbacks.random()),
    );
  }

  /** Nothing needs to be asked for again. */
  stopAsking(): void {
    clearTimeout(this.retryTimer);
    this.retryTimer = undefined;
  }
}
