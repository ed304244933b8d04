import { afterEach, beforeEach, expect, vi } from 'vitest';
import type { User } from '../api/types';
import type { Platform } from '../app/Platform';
import { RootStore } from '../app/RootStore';
import type { Launch } from '../telegram';
import { contractError } from './contract';
import { FakeServer } from './FakeServer';
import { createTestPlatform } from './platform';

/** The server of the running test. */
export let server = new FakeServer();

const breaches: string[] = [];

export function replaceServer(): void {
  server = new FakeServer((answer) => {
    const error = contractError(answer);
    if (error !== null) breaches.push(error);
  });
}

/** In the season, milliseconds. */
export const noon = Date.parse('2026-03-01T12:00:00Z');

type SetUp = {
  path?: string;
  /** Time also goes on by itself, for what waits for the screen. */
  ticking?: boolean;
  user?: UserChange;
};

/** Before each test of a file: a new server, an empty device, and time that moves by hand. `setup.ts` tidies up. */
export function setUpGame({ path = '/', ticking = false, user }: SetUp = {}): void {
  beforeEach(() => {
    vi.useFakeTimers({ now: noon, shouldAdvanceTime: ticking });
    window.history.replaceState(null, '', path);
    window.scrollTo = vi.fn();
    replaceServer();
    if (user) changeUser(user);
  });
  afterEach(() => expect(breaches.splice(0), 'answers that break api/openapi.yaml').toEqual([]));
}

export type Start = {
  path?: string;
  launch?: Partial<Launch>;
  platform?: Partial<Omit<Platform, 'host'>>;
  client?: Partial<Platform['host']>;
  /** Changes the device before the game starts on it. */
  prepare?: (host: ReturnType<typeof createTestPlatform>['host']) => void;
};

/** The game of a signed-in player, not yet started. Another one is the same device after a reload. */
export function createGame({ path, launch, platform: change, client, prepare }: Start = {}) {
  if (path !== undefined) window.history.replaceState(null, '', path);
  const { platform, host } = createTestPlatform(server, launch);
  prepare?.(host);
  const root = new RootStore({ ...platform, ...change, host: { ...platform.host, ...client } });
  return { root, host };
}

/** The game as it begins to load. */
export function startGame(start: Start = {}) {
  const game = createGame(start);
  void game.root.boot.start();
  return game;
}

/** The game once it has greeted the player. */
export async function playGame(start: Start = {}) {
  const game = startGame(start);
  await pass(2500);
  return game;
}

/** The player's connection to the server, without the app's reactions to refusals. */
export const connectApi = (player = 7) =>
  createTestPlatform(server).platform.connect(
    () => String(player),
    () => {},
  );

/** A game that has nothing in its way. */
export async function ready(launch: Partial<Launch> = {}) {
  const game = await playGame({ launch });
  expect(game.root.shell.shell).toEqual({ is: 'ready' });
  return game;
}

/** Milliseconds go by. */
export const pass = (time: number) => vi.advanceTimersByTimeAsync(time);

/** What the server was asked, such as `user/me`. */
export const requestsTo = (path: string) => server.requests.filter((one) => one.path === `/api/${path}`);

type UserChange = Partial<Omit<User, 'balance' | 'stats'>> & {
  balance?: Partial<User['balance']>;
  stats?: Partial<User['stats']>;
};

/** Changes what the server knows of the player. */
export function changeUser({ balance, stats, ...change }: UserChange): void {
  const player = server.player(7);
  const { user } = player;
  player.user = {
    ...user,
    ...change,
    balance: { ...user.balance, ...balance },
    stats: { ...user.stats, ...stats },
  };
}

/** The player leaves the app, or comes back to it. */
export function setVisibility(state: 'visible' | 'hidden'): void {
  vi.spyOn(document, 'visibilityState', 'get').mockReturnValue(state);
  document.dispatchEvent(new Event('visibilitychange'));
}
