import { expect, it } from 'vitest';
import { closeApp, readLaunch } from './index';

// In a file of its own: an SDK that has once seen Telegram, or none, remembers it.
it('without Telegram nobody can close the app', async () => {
  expect(readLaunch().is).toBe('outside');
  expect(closeApp()).toBeNull();
});
