import { cleanup, configure } from '@testing-library/react';
import { configure as configureMobx } from 'mobx';
import { afterEach, vi } from 'vitest';
import { speak } from '../i18n';

// jsdom draws nothing, and says so with a stack where axe-core asks whether a text is an icon.
HTMLCanvasElement.prototype.getContext = () => null;

configureMobx({ enforceActions: 'always' });

// What is fetched when it is first shown takes a busy machine longer than the usual second.
configure({ asyncUtilTimeout: 10_000 });

// The oldest phones that play lack both (`urlOf`).
Object.assign(URL, { canParse: undefined, parse: undefined });

// Where time is played, nothing may wait for a file.
await speak('ru');
await speak('en');

afterEach(async () => {
  cleanup();
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  vi.unstubAllEnvs();
  localStorage.clear();
  sessionStorage.clear();
  await speak('en');
});
