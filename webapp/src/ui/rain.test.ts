import { afterEach, expect, it, vi } from 'vitest';
import { rain } from './rain';

afterEach(() => {
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
  const [first, second] = sky();
  expect([first?.getAttribute('src'), second?.getAttribute('src')]).toEqual(['/coin.svg', '/star.svg']);
  end();
  await vi.waitFor(() => expect(sky()).toHaveLength(0));
});

it('does not fall for who asked for less motion', () => {
  moving(true);
  rain(['/coin.svg']);
  expect(sky()).toHaveLength(0);
});
