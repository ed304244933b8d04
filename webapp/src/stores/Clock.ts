import { createAtom, type IAtom } from 'mobx';

const day = 86_400_000;
/** By less than this a device may correct its clock by itself, milliseconds. */
const drift = 5000;
/** No call takes longer; the phone has slept meanwhile, or its clock was set; milliseconds. */
const longest = 30_000;

/** The server's time, as far as we know it. Reading `now` in a component ticks it once a second while it is on screen. */
export class Clock {
  private offset = 0;
  /** The device's time minus `elapsed` when the server's time was loaded. */
  private shown = 0;
  private timer: ReturnType<typeof setInterval> | undefined;
  private readonly tick: IAtom;

  constructor(
    private readonly device: () => number,
    /** Milliseconds that only ever grow. */
    private readonly elapsed: () => number,
  ) {
    this.tick = createAtom(
      'second',
      () => {
        this.timer = setInterval(() => this.tick.reportChanged(), 1000);
      },
      () => clearInterval(this.timer),
    );
  }

  /** `requestedAt` and `answered` are device times around the call that brought `serverTime`. */
  set(serverTime: string, requestedAt: number, answered: number): void {
    const server = Date.parse(serverTime);
    if (Number.isNaN(server) || Math.abs(answered - requestedAt) > longest) return;
    this.offset = server - (requestedAt + answered) / 2;
    this.shown = this.device() - this.elapsed();
  }

  /** The device's clock was set since the server's time was loaded, or the phone was suspended, and `elapsed` with it. */
  get shifted(): boolean {
    return Math.abs(this.device() - this.elapsed() - this.shown) > drift;
  }

  get now(): number {
    this.tick.reportObserved();
    return this.device() + this.offset;
  }

  /** Milliseconds until 00:00 UTC, when the game's next day begins. */
  get untilNextDay(): number {
    return day - (this.now % day);
  }

  /** When the present UTC day began. */
  get dayStart(): number {
    const { now } = this; // read once: it may change between two reads
    return now - (now % day);
  }
}
