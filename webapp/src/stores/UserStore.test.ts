import { expect, it } from 'vitest';
import type { Api } from '../api/client';
import type { User } from '../api/types';
import { FakeServer } from '../testing/FakeServer';
import { ToastStore } from './ToastStore';
import { UserStore } from './UserStore';

const marina = new FakeServer().player(7).user;

/** The player as the server knows them at some moment. */
const at = (coins: number, language: 'en' | 'ru' = 'en'): User => ({
  ...marina,
  language,
  balance: { ...marina.balance, game_mcbk: coins },
});

/** A store whose calls are answered in the order the test chooses. */
function open() {
  const loads: ((user: User) => void)[] = [];
  const changes: ((user: User) => void)[] = [];
  const api = {
    me: () => new Promise<User>((answer) => loads.push(answer)),
    update: () => new Promise<User>((answer) => changes.push(answer)),
  } as Partial<Api> as Api;
  const store = new UserStore(api, new ToastStore(() => {}));
  const seen = () => [store.user?.balance.game_mcbk, store.user?.language];
  return { store, loads, changes, seen };
}

/** Begins a change and waits until it is on its way. */
async function change(store: UserStore, language: 'en' | 'ru') {
  const changing = store.setLanguage(language);
  await Promise.resolve();
  return { done: () => changing };
}

async function loaded(coins: number) {
  const opened = open();
  const loading = opened.store.load(null);
  opened.loads.shift()?.(at(coins));
  await loading;
  expect(opened.seen()).toEqual([coins, 'en']);
  return opened;
}

it('a tap answer from before a change of language does not take it back', async () => {
  const { store, changes, seen } = await loaded(1);
  const changing = await change(store, 'ru');
  changes[0]?.(at(1, 'ru'));
  await changing.done();
  store.takeFigures(at(2, 'en'));
  expect(seen()).toEqual([2, 'ru']);
});

it('the answer to a change from before a tap answer does not take the coins back', async () => {
  const { store, changes, seen } = await loaded(1);
  const changing = await change(store, 'ru');
  store.takeFigures(at(2, 'en'));
  changes[0]?.(at(1, 'ru'));
  await changing.done();
  expect(seen()).toEqual([2, 'ru']);
});

it('a load overtaken by a tap answer still tells of the person, and one overtaken by a change of the figures', async () => {
  const { store, loads, changes, seen } = await loaded(1);
  const first = store.load(null);
  store.takeFigures(at(2));
  loads[0]?.(at(1, 'ru'));
  await first;
  expect(seen()).toEqual([2, 'ru']);
  const second = store.load(null);
  const changing = await change(store, 'en');
  changes[0]?.(at(2, 'en'));
  await changing.done();
  loads[1]?.(at(3, 'ru'));
  await second;
  expect(seen()).toEqual([3, 'en']);
});

it('of two loads the one asked for later is believed, whichever is answered first', async () => {
  const { store, loads, seen } = await loaded(1);
  const both = [store.load(null), store.load(null)];
  loads[1]?.(at(3, 'ru'));
  loads[0]?.(at(2, 'en'));
  await Promise.all(both);
  expect(seen()).toEqual([3, 'ru']);
  const again = [store.load(null), store.load(null)];
  loads[2]?.(at(4, 'ru'));
  await again[0];
  loads[3]?.(at(5, 'en'));
  await again[1];
  expect(seen()).toEqual([5, 'en']);
});

it('changes are made one after the other', async () => {
  const { store, changes, seen } = await loaded(1);
  const first = await change(store, 'ru');
  const second = await change(store, 'en');
  expect(changes).toHaveLength(1);
  changes[0]?.(at(1, 'ru'));
  await first.done();
  await Promise.resolve();
  changes[1]?.(at(1, 'en'));
  await second.done();
  expect(seen()).toEqual([1, 'en']);
});

it('who has just accepted the rules may ask for advice at once', async () => {
  const { store, loads, changes } = open();
  const before = { ...marina, age_consent_accepted: false, can_get_prediction: false };
  const loading = store.load(null);
  loads[0]?.(before);
  await loading;
  const accepting = store.acceptAge();
  await Promise.resolve();
  changes[0]?.({ ...before, age_consent_accepted: true, can_get_prediction: true });
  await accepting;
  expect(store.user?.can_get_prediction).toBe(true);
});

it('a change from before the advice was given does not offer it once more', async () => {
  const { store, changes } = await loaded(1);
  const changing = await change(store, 'ru');
  store.takeFigures({ ...at(1), can_get_prediction: false });
  changes[0]?.({ ...at(1, 'ru'), can_get_prediction: true });
  await changing.done();
  expect(store.user?.can_get_prediction).toBe(false);
});
