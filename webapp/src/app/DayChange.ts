import { isVisible } from '../stores/PageLifecycle';
import type { RootStore } from './RootStore';

/** After midnight the clients' reloads are spread over this time, milliseconds. */
const spreadMs = 10_000;
/** Exponential backoff of a failed reload, milliseconds. */
const firstRetryMs = 5000;
const longestRetryMs = 60_000;

/** 00:00 UTC, when energy is full again and the season is a day older; also the season's start and end, which may come at another hour. */
export class DayChange {
  private timer: ReturnType<typeof setTimeout> | undefined;
  /** A reload has failed and will be retried. */
  private retryTimer: ReturnType<typeof setTimeout> | undefined;
  private isReloading = false;

  constructor(
    private readonly root: RootStore,
    /** Loads all that a day changes; true if all of it was loaded. */
    private readonly load: () => Promise<boolean>,
  ) {}

  /** Schedules the reload; called again when the page becomes visible, since timers are suspended and the clock may be set. */
  schedule(): void {
    clearTimeout(this.timer);
    const { clock, settings, shell, platform } = this.root;
    this.timer = setTimeout(
      () => {
        if (isVisible() && shell.ready) void this.reload();
        this.schedule();
      },
      Math.min(clock.untilNextDay, settings.untilTurn) + platform.random() * spreadMs,
    );
  }

  /** The loaded figures are of another day, or of before the season's start or end. */
  get isStale(): boolean {
    return this.retryTimer !== undefined || this.isClockAhead;
  }

  /** The day has changed, or the season begun or ended, by our clock, but not by the server's last answer. */
  get isClockAhead(): boolean {
    const { settings, season, wasRunning } = this.root.settings;
    if (!settings) return false;
    return (
      Date.parse(settings.server_time) < this.root.clock.dayStart || wasRunning !== (season === 'running')
    );
  }

  /** Loads the new day, and retries after a failure. */
  async reload(failures = 0): Promise<void> {
    if (this.isReloading) return;
    this.cancelRetry();
    this.isReloading = true;
    const loaded = await this.load();
    this.isReloading = false;
    this.schedule();
    if (loaded && !this.isClockAhead) return; // midnight may have overtaken the answers
    this.cancelRetry();
    this.retryTimer = setTimeout(
      () => {
        if (isVisible() && this.root.shell.ready) void this.reload(failures + 1);
      },
      Math.min(firstRetryMs * 2 ** failures, longestRetryMs) * (1 + this.root.platform.random()),
    );
  }

  cancelRetry(): void {
    clearTimeout(this.retryTimer);
    this.retryTimer = undefined;
  }
}
