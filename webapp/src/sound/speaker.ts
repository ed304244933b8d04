import { isVisible, onPage } from '../stores/PageLifecycle';
import type { Felt } from '../telegram';
import { type Instrument, instruments, tuned } from './instruments';

/** Spec §2, Home: the sound of each haptic; the others have none. */
const heard: Readonly<Partial<Record<Felt, Instrument>>> = {
  light: 'clink',
  medium: 'wood',
  peg: 'tick',
  success: 'pour',
  heavy: 'bell',
};

/** A sound that its device starts to play later than this is left out: it would not go with anything; milliseconds. */
const resumeTimeoutMs = 150;
/** The maximum delay of a sound, milliseconds. */
const sampleTimeoutMs = 1000;
/** After so long a silence the device need not keep its speaker ready, milliseconds. */
const idleMs = 30_000;
/** What a device takes for a touch. */
const touchEvents = ['pointerup', 'touchend', 'keydown'];

export type Speaker = {
  /** Plays the sound of a haptic. */
  readonly play: (felt: Felt) => void;
  /** Lets be heard what sounds are like. */
  readonly sample: () => void;
  /** Lets the device rest until there is something to play again. */
  readonly rest: () => void;
};

/** Throws where the device plays nothing. Opened once: devices let a page have few. */
export function open(random: () => number): Speaker {
  const context = new AudioContext({ latencyHint: 'interactive' });
  let stage = tuned(context, random);
  let waking: Promise<boolean> | null = null;
  /** What was wanted last: a device that is waking cannot be put to rest yet. */
  let resting = false;
  let idle: ReturnType<typeof setTimeout> | undefined;

  function rest(): void {
    resting = true;
    clearTimeout(idle);
    context.suspend().catch(() => {});
  }

  function restLater(): void {
    clearTimeout(idle);
    idle = setTimeout(rest, idleMs);
  }

  /** Whether the device lets the page sound; it does not answer before the page may. */
  function resume(): Promise<boolean> {
    waking ??= context
      .resume()
      .then(
        () => true,
        () => false,
      )
      .finally(() => {
        waking = null;
      });
    return waking;
  }

  async function sound(instrument: Instrument, within: number): Promise<void> {
    if (!isVisible()) return;
    resting = false;
    if (waking) return;
    try {
      if (context.state !== 'running') {
        const requestedAt = performance.now();
        if (!(await resume()) || resting || performance.now() - requestedAt > within) return;
      }
      restLater();
      instruments[instrument](stage, context.currentTime);
    } catch {
      // Nothing depends on it.
    }
  }

  onPage('background', () => {
    // What sounds is cut off, or the rest of it would be heard when the page is back.
    stage.out.disconnect();
    stage = tuned(context, random);
    rest();
  });
  unlock(
    context,
    () => {
      resting = false;
      // On each call: resume() before the first touch is answered only when it is called again.
      context.resume().catch(() => {});
    },
    () => (resting ? rest() : restLater()),
  );
  return {
    play: (felt) => {
      const instrument = heard[felt];
      if (instrument) void sound(instrument, resumeTimeoutMs);
    },
    sample: () => void sound('clink', sampleTimeoutMs),
    rest,
  };
}

/** Devices let a page sound only once it was touched. */
function unlock(context: AudioContext, resume: () => void, onRunning: () => void): void {
  for (const touch of touchEvents) addEventListener(touch, resume);
  context.addEventListener('statechange', () => {
    if (context.state !== 'running') return;
    for (const touch of touchEvents) removeEventListener(touch, resume);
    onRunning();
  });
}
