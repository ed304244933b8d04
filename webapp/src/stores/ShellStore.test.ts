import { describe, expect, it } from 'vitest';
import { ApiError } from '../api/error';
import { ShellStore } from './ShellStore';

const closed = (params: Record<string, unknown> = {}) =>
  new ApiError({ code: 'maintenance', status: 503, params });

describe('maintenance', () => {
  it('of the whole game fills the screen', () => {
    const shell = new ShellStore();
    shell.handleError(closed());
    expect(shell.shell).toEqual({ is: 'maintenance' });
  });

  it('of one part leaves the rest of the game open', () => {
    const shell = new ShellStore();
    shell.set({ is: 'ready' });
    shell.handleError(closed({ feature: 'wheel' }));
    expect(shell.shell).toEqual({ is: 'ready' });
  });
});
