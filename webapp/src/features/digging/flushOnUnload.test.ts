import { expect, it, vi } from 'vitest';
import { flushOnUnload } from './flushOnUnload';

const batch = { total_taps: 6, batch_id: 'batch-1' };
const path = '/tap/perform-batch-tap';
const headers = { Authorization: 'tma user=7&hash=f+f', 'Content-Type': 'application/json' };

/** A browser whose requests outlive their page, or do not. */
function stubFetch(keepalive: boolean, answer = Promise.resolve(new Response())) {
  const fetch = vi.fn((_url: string, _init: RequestInit) => answer);
  vi.stubGlobal('fetch', fetch);
  vi.stubGlobal('Request', { prototype: keepalive ? { keepalive: true } : {} });
  return fetch;
}

it('outlives the page, with launch data in a header', () => {
  const fetch = stubFetch(true);
  flushOnUnload(path, batch, 'user=7&hash=f+f');
  expect(fetch.mock.calls).toEqual([
    ['/api/tap/perform-batch-tap', { method: 'POST', headers, body: JSON.stringify(batch), keepalive: true }],
  ]);
});

it('ignores a request that fails', async () => {
  stubFetch(true, Promise.reject(new TypeError('offline')));
  flushOnUnload(path, batch, 'x'); // an unhandled rejection would fail the run
  await Promise.resolve();
});

it('holds the page where requests do not outlive it', () => {
  const steps: unknown[] = [];
  const fetch = stubFetch(false);
  vi.stubGlobal(
    'XMLHttpRequest',
    class {
      open = (...step: unknown[]) => steps.push(step);
      setRequestHeader = (...step: unknown[]) => steps.push(step);
      send = (body: string) => steps.push(body);
    },
  );
  flushOnUnload(path, batch, 'user=7&hash=f+f');
  expect(fetch).not.toHaveBeenCalled();
  expect(steps).toEqual([
    ['POST', '/api/tap/perform-batch-tap', false],
    ...Object.entries(headers),
    JSON.stringify(batch),
  ]);
});

it('sends nothing without launch data', () => {
  const fetch = stubFetch(true);
  flushOnUnload(path, batch, '');
  expect(fetch).not.toHaveBeenCalled();
});
