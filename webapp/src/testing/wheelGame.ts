import { expect } from 'vitest';
import type { User } from '../api/types';
import { changeUser, pass, playGame, requestsTo, type Start, server } from './playGame';

export const calls = (path: string) => requestsTo(`roulette/${path}`);
export const keys = () => calls('spin').map(({ headers }) => headers.get('Idempotency-Key'));
export const balance = () => server.player(7).user.balance;

export const hold = (balance: Partial<User['balance']>) => changeUser({ balance });

/** The game opened anew on the wheel's screen, or on another. */
export async function visit({ path = '/roulette', calm: prefersReducedMotion = false } = {}) {
  const prepare: Start['prepare'] = (host) => {
    host.calm = prefersReducedMotion;
  };
  const { root, host } = await playGame({ path, prepare });
  await pass(100);
  return { root, host, wheel: root.wheel };
}

/** A visit in which the wheel was spun; the answer is here and the wheel turns. */
export async function spun(golden = false) {
  const visited = await visit();
  void visited.wheel.spin(golden);
  await pass(0);
  expect(visited.wheel.turn.is).toBe('turning');
  return visited;
}
