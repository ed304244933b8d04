import { haptics } from '../../telegram';
import { easing, ticks } from './ticks';
import type { Path } from './turn';

/** The pointer is pushed aside by a peg and falls back; milliseconds. */
const flick = 140;
/** A peg that was passed so long ago makes no tick any more; milliseconds. */
const missed = 50;

/**
 * Plays a turn that began `late` milliseconds ago. One animation of one layer, so that the main thread has nothing to do
 * for it but the ticks. The answer stops it.
 */
export function play(disc: Element, pointer: Element, path: Path, late: number): () => void {
  return matchMedia('(prefers-reduced-motion: reduce)').matches
    ? fade(disc, path)
    : turn(disc, pointer, path, late);
}

function turn(disc: Element, pointer: Element, path: Path, late: number): () => void {
  const { from, to, duration } = path;
  const began = performance.now() - late;
  const animation = disc.animate([{ transform: `rotate(${from}deg)` }, { transform: `rotate(${to}deg)` }], {
    duration,
    easing,
  });
  animation.currentTime = late;
  const times = ticks(path).filter((time) => time >= late);
  let timer: ReturnType<typeof setTimeout> | undefined;
  const next = (first: number) => {
    // What a page that stood still has missed is not made up for in a rattle.
    const passed = performance.now() - began - missed;
    const tick = times.findIndex((time, at) => at >= first && time >= passed);
    const time = times[tick];
    if (time === undefined) return;
    timer = setTimeout(
      () => {
        haptics.peg();
        pointer.animate([{ transform: 'rotate(-13deg)' }, { transform: 'none' }], {
          duration: flick,
          easing: 'ease-out',
        });
        next(tick + 1);
      },
      began + time - performance.now(),
    );
  };
  next(0);
  return () => {
    clearTimeout(timer);
    animation.cancel();
  };
}

/** The wheel as it stood lies under the wheel as it stops, which comes over it. */
function fade(disc: Element, { from, duration }: Path): () => void {
  const before = disc.cloneNode(true) as SVGElement;
  before.style.transform = `rotate(${from}deg)`;
  disc.before(before);
  const animation = disc.animate([{ opacity: 0 }, { opacity: 1 }], { duration });
  const gone = () => before.remove();
  animation.finished.then(gone, gone);
  return () => animation.cancel();
}
