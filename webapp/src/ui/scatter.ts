import { pause } from '../pause';

/** How far pieces fly, in pixels. */
const wide = 150;
const high = 120;

/**
 * Win particles: coins and stars that fly up from a point of the stage and fall. They are added and removed outside of
 * React, animate the transform alone, and fly the same way every time.
 */
export function scatter(
  stage: HTMLElement,
  pictures: readonly string[],
  pieces: number,
  delay: number,
): void {
  if (!stage.animate || matchMedia('(prefers-reduced-motion: reduce)').matches) return;
  for (let n = 0; n < pieces; n += 1) {
    const picture = pictures[n % pictures.length];
    if (picture !== undefined) void fly(stage, picture, n, pieces, delay);
  }
}

async function fly(stage: HTMLElement, picture: string, n: number, pieces: number, delay: number) {
  await pause(delay + ((n * 17) % 160));
  const piece = document.createElement('img');
  piece.src = picture;
  piece.alt = '';
  piece.setAttribute('aria-hidden', 'true');
  const side = (n / (pieces - 1)) * 2 - 1;
  const x = side * wide + (((n * 37) % 23) - 11);
  const up = high + ((n * 53) % 90);
  const turn = side * 200;
  stage.append(piece);
  const flight = piece.animate(
    [
      { transform: 'translate(0, 10px) scale(0.4)', opacity: 1, easing: 'cubic-bezier(0.2, 0.7, 0.4, 1)' },
      {
        transform: `translate(${x * 0.62}px, ${-up}px) scale(1) rotate(${turn / 2}deg)`,
        opacity: 1,
        offset: 0.42,
        easing: 'cubic-bezier(0.5, 0, 0.9, 0.5)',
      },
      {
        transform: `translate(${x}px, ${90 + ((n * 29) % 60)}px) scale(0.7) rotate(${turn}deg)`,
        opacity: 0,
      },
    ],
    { duration: 1000 + ((n * 41) % 300) },
  );
  const gone = () => piece.remove();
  flight.finished.then(gone, gone);
}
