import { expect, it, vi } from 'vitest';
import { RouteStore } from './RouteStore';

// One store for the whole file, as in the app: each hears the steps of the same history.
const route = new RouteStore();
window.history.replaceState({ cover: true }, '', '/tap');
route.start();
const stepped = () =>
  new Promise<void>((done) => window.addEventListener('popstate', () => done(), { once: true }));
const back = () => {
  const done = stepped();
  window.history.back();
  return done;
};

it('forgets what lay over the screen before a reload', () => {
  expect(window.history.state).toBeNull();
  expect(route.path).toBe('/tap');
});

it('gives what lies over the screen a step that the device’s "back" takes', async () => {
  const close = vi.fn();
  route.backStack.push(close);
  await back();
  expect(close).toHaveBeenCalledTimes(1);
  expect(route.path).toBe('/tap');
  expect(window.history.state).toBeNull();
});

it('takes that step itself when what lay there is closed another way', async () => {
  const close = vi.fn();
  route.backStack.push(close);
  route.backStack.pop();
  await vi.waitFor(() => expect(window.history.state).toBeNull());
  expect(close).not.toHaveBeenCalled();
});

it('holds on to what opens while the last step is still being taken back', async () => {
  const close = vi.fn();
  route.backStack.push(vi.fn());
  route.backStack.pop();
  await new Promise((done) => setTimeout(done));
  route.backStack.push(close);
  await stepped();
  expect(window.history.state).toEqual({ cover: true });
  expect(close).not.toHaveBeenCalled();
  await back();
  expect(close).toHaveBeenCalledTimes(1);
});

it('goes where the one who closed it goes in the same turn', async () => {
  route.backStack.push(vi.fn());
  route.backStack.pop();
  route.go('/roulette');
  await new Promise((done) => setTimeout(done, 50));
  expect(route.path).toBe('/roulette');
  const close = vi.fn();
  route.backStack.push(close);
  await back();
  expect(close).toHaveBeenCalledTimes(1);
  expect(route.path).toBe('/roulette');
  route.go('/tap');
});

it('goes where a link leads while the step is being taken back', async () => {
  route.backStack.push(vi.fn());
  route.backStack.pop();
  await new Promise((done) => setTimeout(done));
  // The browser has been asked and has not answered yet.
  expect(window.history.state).toEqual({ cover: true });
  route.go('/market');
  await vi.waitFor(() => expect(window.location.pathname).toBe('/market'));
  await new Promise((done) => setTimeout(done, 50));
  expect(route.path).toBe('/market');
  route.go('/tap');
});

it('steps over what a link inside a drawer left behind', async () => {
  route.backStack.push(vi.fn());
  route.go('/roulette');
  route.backStack.pop();
  expect(route.path).toBe('/roulette');
  await back();
  expect(route.path).toBe('/tap');
  await vi.waitFor(() => expect(window.history.state).toBeNull());
  expect(route.path).toBe('/tap');
});
