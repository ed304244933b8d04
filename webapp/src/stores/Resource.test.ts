import { expect, it } from 'vitest';
import { ApiError } from '../api/error';
import type { EnergyInfo } from '../api/types';
import { Resource } from './Resource';

/** A server that answers when told to, in whatever order; without an energy it fails. */
function slowServer() {
  const answers: ((energy: number | null) => void)[] = [];
  const energy = () =>
    new Promise<EnergyInfo>((done, fail) => {
      answers.push((current_energy) =>
        current_energy === null ? fail(ApiError.offline()) : done({ current_energy } as EnergyInfo),
      );
    });
  const answer = async (request: number, current: number | null) => {
    answers[request]?.(current);
    await new Promise((done) => setTimeout(done));
  };
  return { energy, answer };
}

it('believes the later of two requests, whichever is answered first', async () => {
  for (const order of [
    [0, 1],
    [1, 0],
  ] as const) {
    const { energy, answer } = slowServer();
    const store = new Resource(energy);
    void store.load();
    void store.load();
    for (const request of order) await answer(request, request === 0 ? 500 : 400);
    expect(store.value?.current_energy).toBe(400);
  }
});

it('does not let an answer asked for before a batch undo what the batch brought', async () => {
  const { energy, answer } = slowServer();
  const store = new Resource(energy);
  void store.load();
  store.replace({ current_energy: 300 } as EnergyInfo);
  await answer(0, 500);
  expect(store.value?.current_energy).toBe(300);
});

it('does not let an old failure hide a request that is still on its way', async () => {
  const { energy, answer } = slowServer();
  const store = new Resource(energy);
  void store.load();
  void store.load();
  await answer(0, null);
  expect(store.state.is).toBe('loading');
  await answer(1, null);
  expect(store.state.is).toBe('failed');
});
