import { expect, it } from 'vitest';
import { closer, startTelegram } from './index';

// In a file of its own: an SDK that has once seen Telegram, or none, remembers it.
it('without Telegram nobody can close the app', async () => {
  expect((await startTelegram()).is).toBe('outside');
  expect(closer()).toBeNull();
});
