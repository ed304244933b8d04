/** Where sounds are played: what they go out through, noise for what is knocked, and chance, so that no two are the same. */
export type Stage = { context: BaseAudioContext; out: AudioNode; noise: AudioBuffer; random: () => number };

export type Instrument = 'clink' | 'wood' | 'tick' | 'pour' | 'bell';

/** Of what the device can. */
const volume = 0.8;

/** How long a struck thing takes to be as loud as it gets, seconds. */
const rise = 0.002;
/** An inaudible gain; an exponential ramp cannot reach 0. */
const silence = 0.0001;

/** Sounds that fall together stay below this, decibels. */
const loudest = -6;

export function tuned(context: BaseAudioContext, random: () => number): Stage {
  const limiter = context.createDynamicsCompressor();
  limiter.threshold.value = loudest;
  limiter.knee.value = 0;
  limiter.ratio.value = 20;
  limiter.attack.value = 0.001;
  const out = context.createGain();
  out.gain.value = volume;
  out.connect(limiter).connect(context.destination);
  return { context, out, noise: hiss(context, random), random };
}

/** Makes a sound begin at a moment of the context's clock, in seconds. */
export const instruments: Readonly<Record<Instrument, (stage: Stage, at: number) => void>> = {
  clink,
  wood(stage, at) {
    knock(stage, at, { hertz: 850, loud: 0.5, fades: 0.05 });
    ring(stage, at, { hertz: 210, loud: 0.16, fades: 0.08 });
  },
  tick(stage, at) {
    knock(stage, at, { hertz: 2600, loud: 0.3, fades: 0.025 });
  },
  pour(stage, at) {
    let drops = at;
    for (let coin = 0; coin < poured; coin += 1) {
      clink(stage, drops);
      drops += about(stage, 0.055, 0.4);
    }
  },
  bell(stage, at) {
    for (const { times, loud, fades } of bell) {
      ring(stage, at, { hertz: 147 * times, loud, fades });
    }
    knock(stage, at, { hertz: 400, loud: 0.2, fades: 0.03 });
  },
};

/** Coins that are heard to fall. */
const poured = 8;

/** A bell’s partials: its hum, its prime, a minor third, a fifth, its octave. The higher, the sooner they are gone. */
const bell = [
  { times: 1, loud: 0.18, fades: 1.8 },
  { times: 2, loud: 0.2, fades: 1.4 },
  { times: 2.4, loud: 0.1, fades: 1 },
  { times: 3, loud: 0.07, fades: 0.7 },
  { times: 4, loud: 0.08, fades: 0.5 },
];

/** Metal on metal. */
function clink(stage: Stage, at: number): void {
  const hertz = about(stage, 2350, 0.06);
  ring(stage, at, { hertz, loud: 0.13, fades: 0.14 });
  ring(stage, at, { hertz: hertz * 1.52, loud: 0.07, fades: 0.09 });
  knock(stage, at, { hertz: 5200, loud: 0.1, fades: 0.015 });
}

type Blow = { hertz: number; loud: number; fades: number };

/** One tone that dies away. */
function ring({ context, out }: Stage, at: number, blow: Blow): void {
  const tone = context.createOscillator();
  tone.frequency.value = blow.hertz;
  tone.connect(fading(context, at, blow)).connect(out);
  tone.start(at);
  tone.stop(at + blow.fades);
}

/** A short noise around one pitch. */
function knock({ context, out, noise }: Stage, at: number, blow: Blow): void {
  const source = context.createBufferSource();
  source.buffer = noise;
  const band = context.createBiquadFilter();
  band.type = 'bandpass';
  band.frequency.value = blow.hertz;
  source
    .connect(band)
    .connect(fading(context, at, blow))
    .connect(out);
  source.start(at);
  source.stop(at + blow.fades);
}

/** Lets through what it is fed as loud as a blow: at once, then less and less. */
function fading(context: BaseAudioContext, at: number, { loud, fades }: Blow): GainNode {
  const node = context.createGain();
  node.gain.setValueAtTime(silence, at);
  node.gain.exponentialRampToValueAtTime(loud, at + rise);
  node.gain.exponentialRampToValueAtTime(silence, at + fades);
  return node;
}

function hiss(context: BaseAudioContext, random: () => number): AudioBuffer {
  const buffer = context.createBuffer(1, context.sampleRate / 10, context.sampleRate);
  const samples = buffer.getChannelData(0);
  for (let i = 0; i < samples.length; i += 1) samples[i] = random() * 2 - 1;
  return buffer;
}

/** Near a value: at most a part of it away. */
function about({ random }: Stage, value: number, part: number): number {
  return value * (1 + part * (random() * 2 - 1));
}
