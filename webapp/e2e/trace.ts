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
  const session = await browser.newBrowserCDPSession();
  const events: TraceEvent[] = [];
  session.on('Tracing.dataCollected', ({ value }) => events.push(...(value as unknown as TraceEvent[])));
  await session.send('Tracing.start', {
    transferMode: 'ReportEvents',
    traceConfig: { includedCategories: ['toplevel', 'devtools.timeline'] },
  });
  return async () => {
    await stop(session);
    return read(events);
  };
}

async function stop(session: CDPSession): Promise<void> {
  const complete = new Promise((resolve) => session.once('Tracing.tracingComplete', resolve));
  await session.send('Tracing.end');
  await complete;
  await session.detach();
}

function read(events: readonly TraceEvent[]): Traced {
  const touches = events.filter(
    ({ name, args }) => name === 'EventDispatch' && args.data?.type === 'pointerdown',
  );
  const first = touches[0];
  if (!first) throw new Error('nothing was tapped');
  const thread = events
    .filter(({ pid, tid }) => pid === first.pid && tid === first.tid)
    .sort((a, b) => a.ts - b.ts);
  // `wall` is by the clock, waiting for a processor included; `own` is what the thread itself computed.
  const tasks = thread
    .filter(({ name, dur }) => name === 'ThreadControllerImpl::RunTask' && dur !== undefined)
    .map(({ ts, dur = 0, tdur = 0, args }) => ({
      at: ts / 1000,
      wall: dur / 1000,
      own: tdur / 1000,
      frame: args.src_func === 'ScheduledActionSendBeginMainFrame',
    }));
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
