import { afterEach, expect, it, vi } from 'vitest';
import { sayFarewell } from './farewell';

const batch = { total_taps: 6, batch_id: 'batch-1' };

afterEach(() => {
  vi.unstubAllGlobals();
});

it('is a beacon of plain text, with the launch data in the address', async () => {
  const sendBeacon = vi.fn((_url: string, _body: Blob) => true);
  vi.stubGlobal('navigator', { sendBeacon });
  sayFarewell('/tap/perform-batch-tap', batch, 'user=7&hash=f+f');
  const [url, body] = sendBeacon.mock.calls[0] ?? [];
  expect(url).toBe('/api/tap/perform-batch-tap?init_data=user%3D7%26hash%3Df%2Bf');
  expect(body?.type).toBe('text/plain');
  expect(body?.size).toBe(JSON.stringify(batch).length);
});

it.each([
  ['refuses', { sendBeacon: () => false }],
  ['is missing', {}],
])('falls back to a request that holds the page where the beacon %s', (_, navigator) => {
  const steps: unknown[] = [];
  vi.stubGlobal('navigator', navigator);
  vi.stubGlobal(
    'XMLHttpRequest',
    class {
      open = (...step: unknown[]) => steps.push(step);
      setRequestHeader = (...step: unknown[]) => steps.push(step);
      send = (body: string) => steps.push(body);
    },
  );
  sayFarewell('/tap/perform-batch-tap', batch, 'x');
  expect(steps).toEqual([
    ['POST', '/api/tap/perform-batch-tap?init_data=x', false],
    ['Content-Type', 'text/plain'],
    JSON.stringify(batch),
  ]);
});

it('is not said without launch data', () => {
  const sendBeacon = vi.fn(() => true);
  vi.stubGlobal('navigator', { sendBeacon });
  sayFarewell('/tap/perform-batch-tap', batch, '');
  expect(sendBeacon).not.toHaveBeenCalled();
});
