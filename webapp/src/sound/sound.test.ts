import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { haptics } from '../telegram';
import { openSounds } from './index';

/** A device's speaker: notes what is struck, and whether it is awake. */
class FakeContext extends EventTarget {
  static made: FakeContext[] = [];
  static atOnce = false;
  state: 'suspended' | 'running' = 'suspended';
  currentTime = 0;
  sampleRate = 8000;
  destination = {};
  /** How many tones and noises were struck. */
  struck = 0;
  /** Whether the page was touched. */
  allowed = true;
  private granted: (() => void)[] = [];

  constructor() {
    super();
    FakeContext.made.push(this);
    // On a page that was touched it runs at once, and says so later.
    if (!FakeContext.atOnce) return;
    this.state = 'running';
    queueMicrotask(() => this.dispatchEvent(new Event('statechange')));
  }

  resume(): Promise<void> {
    if (this.allowed) {
      this.become('running');
      for (const done of this.granted.splice(0)) done();
      return Promise.resolve();
    }
    return new Promise((done) => this.granted.push(done));
  }

  suspend(): Promise<void> {
    return Promise.resolve(this.become('suspended'));
  }

  /** The page was touched: what is asked for from now on is granted, and all that was with it. */
  allow(): void {
    this.allowed = true;
  }

  /** The device has started. */
  start(): void {
    this.allow();
    void this.resume();
  }

  private become(state: 'suspended' | 'running'): void {
    this.state = state;
    this.dispatchEvent(new Event('statechange'));
  }

  private node() {
    const param = () => ({ value: 0, setValueAtTime() {}, exponentialRampToValueAtTime() {} });
    const node = {
      connect: (next: unknown) => next,
      disconnect: () => {},
      start: () => {
        this.struck += 1;
      },
      stop: () => {},
      gain: param(),
      frequency: param(),
      threshold: param(),
      knee: param(),
      ratio: param(),
      attack: param(),
    };
    return node;
  }

  createGain = () => this.node();
  createOscillator = () => this.node();
  createBufferSource = () => this.node();
  createBiquadFilter = () => this.node();
  createDynamicsCompressor = () => this.node();
  createBuffer = (_: number, length: number) => ({ getChannelData: () => new Float32Array(length) });
}

function hide(hidden: boolean): void {
  Object.defineProperty(document, 'visibilityState', {
    value: hidden ? 'hidden' : 'visible',
    configurable: true,
  });
  document.dispatchEvent(new Event('visibilitychange'));
}

const pass = (time: number) => vi.advanceTimersByTimeAsync(time);

/** Sounds that are on, and their speaker. */
async function on(allowed = true) {
  const play = openSounds();
  await play(true, false);
  const [context] = FakeContext.made;
  if (!context) throw new Error('no speaker was opened');
  context.allowed = allowed;
  return { play, context };
}

beforeEach(() => {
  vi.useFakeTimers();
  FakeContext.made = [];
  FakeContext.atOnce = false;
  vi.stubGlobal('AudioContext', FakeContext);
});

afterEach(() => {
  hide(false);
  haptics.tell(null);
});

it('opens no speaker until sounds are wanted, and then one', async () => {
  const play = openSounds();
  await play(false, true);
  expect(FakeContext.made).toHaveLength(0);
  await play(true, false);
  await play(false, true);
  await play(true, true);
  expect(FakeContext.made).toHaveLength(1);
});

it('lets be heard at once what was switched on, and nothing after it was switched off', async () => {
  const { play, context } = await on();
  await pass(0);
  expect(context.struck).toBe(0);
  await play(true, true);
  await pass(0);
  expect(context.struck).toBe(3);
  await play(false, true);
  haptics.impact('light');
  await pass(0);
  expect([context.struck, context.state]).toEqual([3, 'suspended']);
});

it('is awake for half a minute from the moment it was opened', async () => {
  FakeContext.atOnce = true;
  const play = openSounds();
  await play(true, true);
  await pass(29_000);
  const [context] = FakeContext.made;
  expect([context?.struck, context?.state]).toEqual([3, 'running']);
  await pass(1000);
  expect(context?.state).toBe('suspended');
});

it('stays off where that was wanted before its code came', async () => {
  const play = openSounds();
  const first = play(true, true);
  await play(false, true);
  await first;
  haptics.impact('light');
  await pass(0);
  expect(FakeContext.made).toHaveLength(0);
});

it.each([
  [100, 3],
  [1000, 0],
])('of a device that wakes in %i ms leaves out what would come too late', async (late, struck) => {
  const { context } = await on(false);
  haptics.impact('light');
  await pass(late);
  context.start();
  await pass(0);
  expect(context.struck).toBe(struck);
  haptics.impact('light');
  await pass(0);
  expect(context.struck).toBe(struck + 3);
});

it('may sound once the page was touched, whatever was asked for before', async () => {
  const { context } = await on(false);
  haptics.impact('light'); // as the finger comes down, which is no touch yet
  await pass(10);
  context.allow();
  dispatchEvent(new Event('pointerup'));
  await pass(0);
  expect([context.state, context.struck]).toEqual(['running', 3]);
});

it.each([
  ['played', () => haptics.impact('light')],
  ['touched', () => dispatchEvent(new Event('pointerup'))],
])('rests half a minute after it was %s', async (_, act) => {
  const { context } = await on();
  act();
  await pass(29_000);
  expect(context.state).toBe('running');
  await pass(1000);
  expect(context.state).toBe('suspended');
});

it('is silent in the background', async () => {
  const { context } = await on();
  haptics.impact('light');
  await pass(0);
  hide(true);
  haptics.notify('success');
  await pass(0);
  expect([context.struck, context.state]).toEqual([3, 'suspended']);
});

it.each([
  ['hidden', () => hide(true)],
  ['switched off', (play: Awaited<ReturnType<typeof on>>['play']) => play(false, false)],
])('is silent and rests where the page was %s while the device woke', async (_, away) => {
  const { play, context } = await on(false);
  haptics.impact('light');
  await pass(0);
  await away(play);
  await pass(100);
  context.start();
  await pass(0);
  expect([context.struck, context.state]).toEqual([0, 'suspended']);
});

it('stays awake where sounds were switched off and on again while the device woke', async () => {
  const { play, context } = await on(false);
  haptics.impact('light');
  await pass(0);
  await play(false, false);
  await play(true, true);
  context.start();
  await pass(0);
  expect([context.struck > 0, context.state]).toEqual([true, 'running']);
});

it('says where the device plays nothing', async () => {
  vi.stubGlobal('AudioContext', undefined);
  await expect(openSounds()(true, true)).rejects.toThrow();
});
