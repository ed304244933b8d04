import { expect, it } from 'vitest';
import type { RootStore } from '../app/RootStore';
import type { Launch } from '../telegram';
import { aReward } from '../testing/FakeServer';
import { aTask } from '../testing/FakeTasks';
import { pass, playGame, server, setUpGame } from '../testing/playGame';

setUpGame();

const visit = (launch: Partial<Launch> = { cannotBeMessaged: true }) => playGame({ launch });

/** Some taps, counted before the player leaves the tap screen. */
async function earn(root: RootStore) {
  root.route.go('/tap');
  await pass(100);
  expect(root.tap.tap()).toEqual({ is: 'counted' });
  void root.tap.batches.send();
  await pass(0);
}

async function leave(root: RootStore) {
  root.route.go('/');
  await pass(2000);
}

it('is asked for once, when the first reward is there and the finger has left the bag', async () => {
  const { root, host } = await visit();
  root.route.go('/wallet');
  await earn(root);
  await pass(60_000);
  expect(host.asked).toBe(0);
  await leave(root);
  expect(host.asked).toBe(1);
  await earn(root);
  await leave(root);
  expect(host.asked).toBe(1);
});

it('is not asked for over the wallet’s window', async () => {
  const { root, host } = await visit();
  await earn(root);
  root.modals.setCloseExternal(() => {});
  await leave(root);
  expect(host.asked).toBe(0);
  root.modals.setCloseExternal(null);
  await pass(2000);
  expect(host.asked).toBe(1);
});

it('is asked for after a task’s reward, too', async () => {
  server.tasks.lists = { tasks: [aTask({ status: 'completed' })], permanent_tasks: [] };
  const { root, host } = await visit();
  const [task] = root.tasks.daily;
  if (!task) throw new Error('no task');
  expect(host.asked).toBe(0);
  root.tasks.claim(task);
  await pass(100);
  expect(host.asked).toBe(1);
});

it('is asked for once a prize of the wheel was taken, and not while it is shown', async () => {
  const { root, host } = await visit();
  root.route.go('/roulette');
  await pass(100);
  void root.wheel.spin(false);
  await pass(7000);
  expect(root.modals.shown?.is).toBe('win');
  expect(host.asked).toBe(0);
  await root.wheel.prize.claim();
  await pass(500);
  expect(host.asked).toBe(1);
});

it('is not asked for after a check-in alone', async () => {
  server.player(7).due = aReward();
  const { root, host } = await visit();
  await pass(1000);
  root.daily.claim();
  await pass(60_000);
  expect(root.isIdle).toBe(true);
  expect(host.asked).toBe(0);
});

it('is not asked for under the overlay that says taps are saved', async () => {
  const { root, host } = await visit();
  root.route.go('/tap');
  await pass(100);
  root.tap.tap();
  root.route.go('/');
  await pass(1999);
  expect(server.player(7).taps).toBe(1);
  expect(host.asked).toBe(0);
  await pass(1);
  expect(host.asked).toBe(1);
});

it('is not asked for before taps have brought anything', async () => {
  const { root, host } = await visit();
  await leave(root);
  server.online = false;
  await earn(root);
  await leave(root);
  expect(host.asked).toBe(0);
  server.online = true;
  await pass(30_000);
  expect(server.player(7).taps).toBe(1);
  expect(host.asked).toBe(1);
});

it('waits for what lies over the screen', async () => {
  const { root, host } = await visit();
  await earn(root);
  await pass(100);
  expect(root.tap.tap()).toEqual({ is: 'counted' });
  root.route.go('/');
  expect(root.tap.saving).toBe(true);
  root.modals.enqueue({ is: 'daily' });
  root.modals.openSheet('profile');
  await pass(2000);
  expect(host.asked).toBe(0);
  root.modals.close('daily');
  expect(host.asked).toBe(0);
  root.modals.closeSheet();
  await pass(500);
  expect(host.asked).toBe(1);
});

it('is remembered on the device, for each player', async () => {
  const { root } = await visit();
  await earn(root);
  await leave(root);
  const again = await visit();
  await earn(again.root);
  await leave(again.root);
  expect(again.host.asked).toBe(0);
  const other = await visit({ cannotBeMessaged: true, initData: '8' });
  await earn(other.root);
  await leave(other.root);
  expect(other.host.asked).toBe(1);
});

it('is not asked for where the bot may write', async () => {
  const { root, host } = await visit({ cannotBeMessaged: false });
  await earn(root);
  await leave(root);
  expect(host.asked).toBe(0);
});

it('is asked for another time when this client could not ask', async () => {
  const { root, host } = await visit();
  host.asks = false;
  await earn(root);
  await leave(root);
  host.asks = true;
  await earn(root);
  await leave(root);
  expect(host.asked).toBe(1);
});
