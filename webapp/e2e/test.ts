import { test as base, expect } from '@playwright/test';
import { mend } from './mend';
import { Phone } from './phone';
import { type Person, Sandbox } from './sandbox';

/** A tag of tests that share the machine and the game with no other: they measure, kill the server or close the game. */
export const alone = '@alone';

/** A tag of tests of the long form: what is rare, what takes long, what measures the machine too (`make test-long`). */
export const long = '@long';

type Stage = {
  sandbox: Sandbox;
  /** Puts the player's phone on the page. */
  phoneOf: (player: Person) => Phone;
  /** That of a new player who has played before. */
  phone: Phone;
  /** What the console may complain of in this test, such as a network that was cut on purpose. */
  forgiven: RegExp | null;
  /**
   * Whether the greeting takes its time, as where a test is about the way in. Everywhere else what it waits for is all
   * there already, and the wait alone is left out.
   */
  greeting: 'short' | 'whole';
  /** Whether today's check-in is still to be had, as where a test is about it. Everywhere else it was taken before. */
  checkIn: 'taken' | 'due';
  /** Whether the launch price is offered, as where a test is about that. Everywhere else it is over. */
  discount: 'over' | 'offered';
  /** Every test that has the game to itself: one that failed leaves it as the others, and its own second try, find it. */
  mended: undefined;
  /** Every test: that greeting, check-in and discount. */
  staged: undefined;
  /** Every test: no complaint in the console, and not one request to another machine. */
  quiet: undefined;
};

/** Spec §9: how long the greeting stays once everything is loaded, milliseconds. */
export const welcome = 2500;

/** In a page: the timer of the greeting, which carries its name, is over at once. */
function cutShort(): void {
  const wait = window.setTimeout;
  window.setTimeout = ((then: () => void, delay?: number, ...given: string[]) =>
    wait(then, given.includes('welcome') ? 0 : delay, ...given)) as typeof window.setTimeout;
}

/** In a page: the server says of the check-in what it says the second time of a day. */
function checkInTaken(): void {
  const fetch = window.fetch;
  window.fetch = async (request, init) => {
    const url = request instanceof Request ? request.url : String(request);
    return url.endsWith('/api/user/checkin') ? Response.json({}) : fetch(request, init);
  };
}

/** In a page: whatever the prices are, the launch price is over. */
function discountOver(): void {
  const fetch = window.fetch;
  window.fetch = async (request, init) => {
    const answer = await fetch(request, init);
    const url = request instanceof Request ? request.url : String(request);
    if (!url.endsWith('/api/token/price-info') || !answer.ok) return answer;
    const info = await answer.json();
    return Response.json({ ...info, discount: { ...info.discount, active: false } });
  };
}

export const test = base.extend<Stage>({
  // A route that is still at work when its test is over fails nobody. `quiet` has ended by then: what a test keeps from the
  // server may reach it now.
  context: async ({ context }, use) => {
    await use(context);
    for (const one of [context, ...context.pages()]) await one.unrouteAll({ behavior: 'ignoreErrors' });
  },
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the pattern
  sandbox: async ({}, use) => {
    const sandbox = new Sandbox();
    await use(sandbox);
    await sandbox.start(); // a test that failed between kill and start must not fail the next
  },
  mended: [
    async ({ sandbox }, use, info) => {
      await use(undefined);
      if (info.tags.includes(alone) && info.status !== info.expectedStatus) await mend(sandbox);
    },
    { auto: true },
  ],
  phoneOf: async ({ page }, use) => {
    await use((player) => new Phone(page, player));
  },
  phone: async ({ sandbox, phoneOf }, use) => {
    await use(phoneOf(await sandbox.regular()));
  },
  forgiven: [null, { option: true }],
  greeting: ['short', { option: true }],
  checkIn: ['taken', { option: true }],
  discount: ['over', { option: true }],
  staged: [
    async ({ context, greeting, checkIn, discount }, use) => {
      if (greeting === 'short') await context.addInitScript(cutShort);
      if (checkIn === 'taken') await context.addInitScript(checkInTaken);
      if (discount === 'over') await context.addInitScript(discountOver);
      await use(undefined);
    },
    { auto: true },
  ],
  quiet: [
    async ({ context, forgiven }, use) => {
      const complaints: string[] = [];
      const strangers: string[] = [];
      context.on('console', (message) => {
        if (message.type() === 'error') complaints.push(message.text());
      });
      context.on('weberror', (error) => complaints.push(String(error.error())));
      context.on('request', (request) => {
        const { protocol, hostname } = new URL(request.url());
        if (/^(https?|wss?):$/.test(protocol) && hostname !== 'localhost') strangers.push(request.url());
      });
      await use(undefined);
      expect(strangers, 'requests to other machines').toEqual([]);
      expect(
        complaints.filter((text) => !forgiven?.test(text)),
        'complaints in the console',
      ).toEqual([]);
    },
    { auto: true },
  ],
});

export { expect } from '@playwright/test';

/** What Chromium writes when a request gets no answer. */
export const cutNetwork = /net::ERR_/;

/** What it writes when a request is refused as a closed or broken game refuses it, or gets no answer. */
export const refusals = /status of (401|403|500|503)|net::ERR_/;
