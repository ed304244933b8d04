import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { rain } from './rain';

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  Reflect.deleteProperty(Element.prototype, 'animate');
  document.body.replaceChildren();
});

const sky = () => document.body.querySelectorAll('div > img');

/** A browser that moves things; each is done when told to. */
function moving(reduced: boolean) {
  let end = () => {};
  const finished = new Promise<void>((done) => {
    end = done;
  });
  vi.stubGlobal('matchMedia', () => ({ matches: reduced }));
  Object.assign(Element.prototype, { animate: () => ({ finished }) });
  return () => end();
}

it('falls, and is taken out once all of it has fallen', async () => {
  const end = moving(false);
  rain(['/coin.svg', '/star.svg']);
  await vi.advanceTimersByTimeAsync(1000);
  const pictures = [...sky()].map((piece) => piece.getAttribute('src'));
  expect([pictures.length, new Set(pictures)]).toEqual([34, new Set(['/coin.svg', '/star.svg'])]);
  end();
  await vi.advanceTimersByTimeAsync(0);
  expect(sky()).toHaveLength(0);
});

it('leaves the task that begins it free for what it falls over', () => {
  moving(false);
  rain(['/coin.svg']);
  expect(sky()).toHaveLength(0);
});

it('does not fall for who asked for less motion', async () => {
  moving(true);
  rain(['/coin.svg']);
  await vi.advanceTimersByTimeAsync(1000);
  expect(sky()).toHaveLength(0);
});
