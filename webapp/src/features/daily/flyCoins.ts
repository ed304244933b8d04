import coin from '../../art/coin.svg';
import styles from './flyCoins.module.css';

const coins = 9;
/** Milliseconds: of one flight, and between two starts. */
const flightMs = 520;
const apartMs = 45;

/** Coins fly from one picture to another, above everything; resolves when the first has arrived. */
export async function flyCoins(from: Element | null, to: Element | null): Promise<void> {
  if (!from?.animate || !to || matchMedia('(prefers-reduced-motion: reduce)').matches) return;
  const [start, end] = [from, to].map((element) => {
    const { left, top, width, height } = element.getBoundingClientRect();
    return { x: left + width / 2, y: top + height / 2 };
  });
  if (!start || !end) return;
  await Promise.race(Array.from({ length: coins }, (_, n) => fly(start, end, n)));
}

type Point = { readonly x: number; readonly y: number };

async function fly(start: Point, end: Point, n: number): Promise<void> {
  const piece = document.createElement('img');
  piece.src = coin;
  piece.alt = '';
  piece.className = styles.coin ?? '';
  document.body.append(piece);
  // Each leaves the chest in another direction; all end in one place.
  const side = (n / (coins - 1)) * 2 - 1;
  const at = (x: number, y: number, scale: number) => `translate(${x}px, ${y}px) scale(${scale})`;
  const flight = piece.animate(
    [
      { transform: at(start.x, start.y, 0.4), opacity: 0, easing: 'ease-out' },
      {
        transform: at(start.x + side * 90, start.y - 60 - ((n * 37) % 40), 1),
        opacity: 1,
        offset: 0.4,
        easing: 'ease-in',
      },
      { transform: at(end.x, end.y, 0.7), opacity: 1 },
    ],
    { duration: flightMs, delay: n * apartMs, fill: 'backwards' },
  );
  try {
    await flight.finished;
  } finally {
    piece.remove();
  }
}
