import type { Browser, CDPSession } from '@playwright/test';

/** What a tap cost the main thread of the page that was tapped, in milliseconds of its own computing. */
export type Cost = {
  /** From the touch to the frame that shows it. */
  toPaint: number;
  /** The longest task from this touch to the next. */
  task: number;
};

export type Traced = {
  costs: Cost[];
  /** The share of the tasks' time in which others had the processor. */
  waited: number;
};

type TraceEvent = {
  name: string;
  pid: number;
  tid: number;
  /** Microseconds. `tdur` is of the thread's own clock. */
  ts: number;
  dur?: number;
  tdur?: number;
  args: { data?: { type?: string }; src_func?: string };
};

/** Traces the browser until the answer is called. */
export async function trace(browser: Browser): Promise<() => Promise<Traced>> {
  const stop = await record(browser);
  return async () => read(await stop());
}

/**
 * Traces the browser until the answer is called, which tells of each task of the tapped page's main thread when it began
 * after the first touch, and what it computed; milliseconds.
 */
export async function computing(browser: Browser): Promise<() => Promise<{ at: number; own: number }[]>> {
  const stop = await record(browser);
  return async () => {
    const events = await stop();
    const touched = (events.find(isTouch)?.ts ?? 0) / 1000;
    return tasksOf(events).map(({ at, own }) => ({ at: at - touched, own }));
  };
}

async function record(browser: Browser): Promise<() => Promise<TraceEvent[]>> {
  const session = await browser.newBrowserCDPSession();
  const events: TraceEvent[] = [];
  session.on('Tracing.dataCollected', ({ value }) => events.push(...(value as unknown as TraceEvent[])));
  await session.send('Tracing.start', {
    transferMode: 'ReportEvents',
    traceConfig: { includedCategories: ['toplevel', 'devtools.timeline'] },
  });
  return async () => {
    await stop(session);
    return events;
  };
}

async function stop(session: CDPSession): Promise<void> {
  const complete = new Promise((resolve) => session.once('Tracing.tracingComplete', resolve));
  await session.send('Tracing.end');
  await complete;
  await session.detach();
}

const isTouch = ({ name, args }: TraceEvent) => name === 'EventDispatch' && args.data?.type === 'pointerdown';

/** The tasks of the main thread that the touches came to. */
function tasksOf(events: readonly TraceEvent[]) {
  const first = events.find(isTouch);
  if (!first) throw new Error('nothing was tapped');
  const thread = events
    .filter(({ pid, tid }) => pid === first.pid && tid === first.tid)
    .sort((a, b) => a.ts - b.ts);
  // `wall` is by the clock, waiting for a processor included; `own` is what the thread itself computed.
  return thread
    .filter(({ name, dur }) => name === 'ThreadControllerImpl::RunTask' && dur !== undefined)
    .map(({ ts, dur = 0, tdur = 0, args }) => ({
      at: ts / 1000,
      wall: dur / 1000,
      own: tdur / 1000,
      frame: args.src_func === 'ScheduledActionSendBeginMainFrame',
    }));
}

function read(events: readonly TraceEvent[]): Traced {
  const touches = events.filter(isTouch);
  const tasks = tasksOf(events);
  // These names are Chromium's own affair. Where it has changed them, a tap must not pass for one that costs nothing.
  const starts = touches.map(({ ts }, tap) =>
    indexOf(tasks, ({ at, wall }) => at + wall > ts / 1000, `task of tap ${tap + 1}`),
  );
  const costs = starts.map((start, tap) => {
    const own = tasks.slice(start, starts[tap + 1]).map((task) => task.own);
    const frame = indexOf(tasks, (task, at) => at > start && task.frame, `frame after tap ${tap + 1}`);
    return {
      toPaint: sum(tasks.slice(start, frame + 1).map((task) => task.own)),
      task: Math.max(tasks[start]?.own ?? 0, ...own),
    };
  });
  const [own, wall] = [sum(tasks.map((task) => task.own)), sum(tasks.map((task) => task.wall))];
  if (own === 0) throw new Error('the trace shows nothing of the thread’s own clock');
  return { costs, waited: 1 - own / wall };
}

function indexOf<T>(all: readonly T[], is: (one: T, at: number) => boolean, what: string): number {
  const at = all.findIndex(is);
  if (at < 0) throw new Error(`the trace shows no ${what}`);
  return at;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
