import { setTimeout as pause } from 'node:timers/promises';
import type { Locator, Page } from '@playwright/test';

type Point = { x: number; y: number };

/** Eight taps a second. */
const beat = 125;

/**
 * Taps in a steady rhythm, the fingers in turn: each comes down while those before it still rest on the glass, then all
 * are lifted. Nothing is asked of the page meanwhile, so that what is measured is the game alone.
 */
export async function tapInRhythm(page: Page, fingers: readonly Point[], taps: number): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const points = fingers.map((point, id) => ({ ...point, id }));
  const began = performance.now();
  for (let tap = 0; tap < taps; tap += 1) {
    // The rhythm itself, not a wait for something.
    await page.waitForTimeout(Math.max(0, began + tap * beat - performance.now()));
    const down = (tap % fingers.length) + 1;
    await session.send('Input.dispatchTouchEvent', {
      type: 'touchStart',
      touchPoints: points.slice(0, down),
    });
    if (down === fingers.length) {
      await session.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
    }
  }
  await session.detach();
}

/**
 * How far apart to tap twice, milliseconds: each of these, and then more for as long as nothing is proved, since a busy machine
 * makes many a second tap too late.
 */
export function* gaps(each: readonly number[], proved: () => boolean): Generator<number> {
  yield* each;
  for (let round = 0; round < 4; round += 1) for (const gap of [120, 180, 250]) if (!proved()) yield gap;
}

/** Two touches so near each other are one tap to who makes them, milliseconds. */
const quick = 300;

/**
 * One finger taps twice on the same spot, so many milliseconds apart, whatever stands there by then. Returns the text of what the
 * second tap has met; null where a busy machine made it as late as one that is meant, so that it proves nothing.
 */
export async function tapTwice(page: Page, target: Locator, apart: number): Promise<string | null> {
  await target.tap({ trial: true }); // it stands still, and can be touched
  const touched = await target.evaluateHandle(() => {
    const all: { text: string; at: number }[] = [];
    const note = ({ target, timeStamp }: Event) => {
      if (target instanceof Element) all.push({ text: target.textContent, at: timeStamp });
    };
    addEventListener('touchstart', note, true);
    return all;
  });
  const box = await target.boundingBox();
  if (!box) throw new Error('there is nothing to tap');
  const touchPoints = [{ x: box.x + box.width / 2, y: box.y + box.height / 2 }];
  const session = await page.context().newCDPSession(page);
  const tap = () => [
    session.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints }),
    session.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] }),
  ];
  // The page's answer to the first is not waited for.
  const first = tap();
  await pause(apart);
  await Promise.all([...first, ...tap()]);
  await session.detach();
  const [one, other] = await touched.jsonValue();
  return one && other && other.at - one.at <= quick ? other.text : null;
}
