import { expect, it } from 'vitest';
import type { Api } from '../api/client';
import type { User } from '../api/types';
import type { RootStore } from '../app/RootStore';
import { FakeServer } from '../testing/FakeServer';
import { ToastStore } from './ToastStore';
import { UserStore } from './UserStore';

const marina = new FakeServer().player(7).user;

/** The player as of a revision, which is also how many coins they have. */
const at = (as_of: number, language: 'en' | 'ru' = 'en'): User => ({
  ...marina,
  as_of,
  language,
  balance: { ...marina.balance, game_mcbk: as_of },
});

/** A store whose calls are answered in the order the test chooses. */
function open() {
  const loads: ((user: User) => void)[] = [];
  const changes: ((user: User) => void)[] = [];
  const api = {
    me: () => new Promise<User>((answer) => loads.push(answer)),
    update: () => new Promise<User>((answer) => changes.push(answer)),
  } as Partial<Api> as Api;
  const store = new UserStore({ api, toasts: new ToastStore(() => {}) } as RootStore);
  const seen = () => [store.user?.balance.game_mcbk, store.user?.language];
  return { store, loads, changes, seen };
}

/** Begins a change and waits until it is on its way. */
async function change(store: UserStore, language: 'en' | 'ru') {
  const changing = store.change({ language });
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

it('an answer from before a change of language does not take it back', async () => {
  const { store, changes, seen } = await loaded(1);
  const changing = await change(store, 'ru');
  changes[0]?.(at(3, 'ru'));
  await changing.done();
  store.accept(at(2));
  expect(seen()).toEqual([3, 'ru']);
});

it('the answer to a change from before a tap answer does not take the coins back', async () => {
  const { store, changes, seen } = await loaded(1);
  const changing = await change(store, 'ru');
  store.accept(at(3, 'ru'));
  changes[0]?.(at(2, 'ru'));
  await changing.done();
  expect(seen()).toEqual([3, 'ru']);
});

it('of two loads the newer is believed, whichever is answered first', async () => {
  const { store, loads, seen } = await loaded(1);
  const both = [store.load(null), store.load(null)];
  loads[1]?.(at(3));
  loads[0]?.(at(2));
  expect(await Promise.all(both)).toEqual([false, true]);
  expect(seen()).toEqual([3, 'en']);
});

it('of one revision a load tells what time has changed, a repeated answer does not', async () => {
  const { store, loads } = await loaded(1);
  const tomorrow = { ...at(1), can_get_prediction: false };
  const loading = store.load(null);
  loads[0]?.(tomorrow);
  await loading;
  store.accept(at(1));
  expect(store.user).toEqual(tomorrow);
});

it('changes are made one after the other', async () => {
  const { store, changes, seen } = await loaded(1);
  const first = await change(store, 'ru');
  const second = await change(store, 'en');
  expect(changes).toHaveLength(1);
  changes[0]?.(at(2, 'ru'));
  await first.done();
  await Promise.resolve();
  changes[1]?.(at(3, 'en'));
  await second.done();
  expect(seen()).toEqual([3, 'en']);
});

it('of two loads of one revision the one asked for later is believed', async () => {
  const { store, loads } = await loaded(1);
  const both = [store.load(null), store.load(null)];
  const [yesterday, today] = [at(1), { ...at(1), can_get_prediction: false }];
  loads[1]?.(today);
  await both[1];
  loads[0]?.(yesterday);
  await both[0];
  expect(store.user).toEqual(today);
});

it('an answer without a revision, of an earlier version of the server, is the newest', async () => {
  const { store, seen } = await loaded(3);
  const { as_of: _, ...old } = at(2);
  store.accept(old as User);
  expect(seen()).toEqual([2, 'en']);
  store.accept(at(4));
  expect(seen()).toEqual([4, 'en']);
});
