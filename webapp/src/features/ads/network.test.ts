import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { type AdNetwork, fetchNetwork } from './network';

const url = 'https://ads.test/sdk.js';
const network: AdNetwork = { init: () => ({ show: () => Promise.resolve({ done: true }) }) };
const scripts = () => [...document.head.querySelectorAll('script')];

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  delete window.Adsgram;
  for (const script of scripts()) script.remove();
});

/** Takes the network once it is there, a frame later. */
async function framed(network: Promise<AdNetwork>): Promise<AdNetwork> {
  await vi.advanceTimersByTimeAsync(16);
  return network;
}

/** Puts the script on the page as the browser would, or fails to. */
function load(event: 'load' | 'error') {
  const script = scripts()[0];
  if (event === 'load') window.Adsgram = network;
  script?.dispatchEvent(new Event(event));
}

it('fetches the script when it is wanted, and once', async () => {
  expect(scripts()).toHaveLength(0);
  const first = fetchNetwork(url);
  expect(scripts().map(({ src }) => src)).toEqual([url]);
  load('load');
  expect(await framed(first)).toBe(network);
  expect(await framed(fetchNetwork(url))).toBe(network);
  expect(scripts()).toHaveLength(1);
});

it('lets the modal under the ad take the focus first, which comes a frame after it opens', async () => {
  window.Adsgram = network;
  const order: string[] = [];
  requestAnimationFrame(() => order.push('focus'));
  await framed(fetchNetwork(url).finally(() => order.push('network')));
  expect(order).toEqual(['focus', 'network']);
});

it('gives up a script that is blocked, and fetches it again the next time', async () => {
  const first = expect(fetchNetwork(url)).rejects.toThrow();
  load('error');
  await first;
  expect(scripts()).toHaveLength(0);
  const second = fetchNetwork(url);
  load('load');
  expect(await framed(second)).toBe(network);
});

it('gives up a script that does not come within ten seconds', async () => {
  const first = expect(fetchNetwork(url)).rejects.toThrow();
  await vi.advanceTimersByTimeAsync(9999);
  expect(scripts()).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(1);
  await first;
  expect(scripts()).toHaveLength(0);
});

it('gives up a script that brings something else', async () => {
  const first = expect(fetchNetwork(url)).rejects.toThrow();
  scripts()[0]?.dispatchEvent(new Event('load'));
  await first;
});
