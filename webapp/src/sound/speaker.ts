import type { Felt } from '../telegram';
import { type Instrument, instruments, type Stage, tuned } from './instruments';

/** Spec §2, Home: what goes with what. The rest is felt only. */
const heard: Readonly<Partial<Record<Felt, Instrument>>> = {
  light: 'clink',
  medium: 'wood',
  peg: 'tick',
  success: 'pour',
  heavy: 'bell',
};

/** A sound that its device starts to play later than this is left out: it would not go with anything; milliseconds. */
const patience = 150;
/** After so long a silence the device need not keep its speaker ready, milliseconds. */
const rest = 30_000;
/** What a device takes for a touch. */
const touches = ['pointerup', 'touchend', 'keydown'];

let opened: ((felt: Felt) => void) | null = null;

/** Plays what is felt. Throws where the device plays nothing. Opened once: devices let a page have few. */
export function speaker(): (felt: Felt) => void {
  opened ??= open(new AudioContext({ latencyHint: 'interactive' }));
  return opened;
}

function open(context: AudioContext): (felt: Felt) => void {
  const stage = tuned(context);
  unlock(context);
  const sleep = () => void context.suspend().catch(() => {});
  document.addEventListener('visibilitychange', () => {
    if (document.hidden) sleep();
  });
  let idle: ReturnType<typeof setTimeout> | undefined;
  return (felt) => {
    const instrument = heard[felt];
    if (!instrument || document.hidden) return;
    clearTimeout(idle);
    idle = setTimeout(sleep, rest);
    void play(stage, context, instrument);
  };
}

/** Devices let a page sound only once it was touched. */
function unlock(context: AudioContext): void {
  const wake = () => void context.resume().catch(() => {});
  for (const touch of touches) addEventListener(touch, wake);
  context.addEventListener('statechange', () => {
    if (context.state === 'running') for (const touch of touches) removeEventListener(touch, wake);
  });
}

async function play(stage: Stage, context: AudioContext, instrument: Instrument): Promise<void> {
  if (context.state !== 'running' && !(await woken(context))) return;
  instruments[instrument](stage, context.currentTime);
}

/** Whether the device lets the page sound in time. It does not answer before the page may. */
async function woken(context: AudioContext): Promise<boolean> {
  const asked = performance.now();
  try {
    await context.resume();
  } catch {
    return false;
  }
  return performance.now() - asked <= patience;
}
