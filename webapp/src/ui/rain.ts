import { pause } from '../pause';
import styles from './Burst.module.css';

/** How many pieces fall, and for how long one does at most, milliseconds. */
const pieces = 34;
const fallMs = 1500;
/** The last piece starts so much later than the first, milliseconds. */
const spreadMs = 900;

/**
 * Coins, stars or ore that fall over everything, for the largest wins. Like `scatter` they are added and removed outside of
 * React, animate the transform alone, and fall the same way every time. They cannot be touched.
 */
export function rain(pictures: readonly string[], delay = 0): void {
  const sky = document.createElement('div');
  if (!sky.animate || matchMedia('(prefers-reduced-motion: reduce)').matches) return;
  sky.className = styles.sky ?? '';
  sky.setAttribute('aria-hidden', 'true');
  const falls = Array.from({ length: pieces }, async (_, n) => {
    await pause(delay + ((n * 29) % pieces) * (spreadMs / pieces));
    const piece = document.createElement('img');
    piece.src = pictures[n % pictures.length] ?? '';
    piece.alt = '';
    piece.style.left = `${(n * 61 + 7) % 100}%`;
    const size = 0.55 + ((n * 37) % 10) / 12; // the near ones are larger, and faster
    const turn = n % 2 ? 1 : -1;
    sky.append(piece);
    const from = `translate(0, -60px) scale(${size}) rotate(${turn * 40}deg)`;
    const to = `translate(${turn * ((n * 13) % 40)}px, 105vh) scale(${size}) rotate(${turn * -320}deg)`;
    const fall = piece.animate([{ transform: from }, { transform: to }], {
      duration: fallMs - size * 450,
      easing: 'cubic-bezier(0.35, 0.1, 0.8, 0.7)',
      fill: 'both',
    });
    await fall.finished;
  });
  document.body.append(sky);
  const gone = () => sky.remove();
  Promise.all(falls).then(gone, gone);
}
