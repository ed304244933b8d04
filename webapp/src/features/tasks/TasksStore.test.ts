import { expect, it } from 'vitest';
import { aTask } from '../../testing/FakeTasks';
import { pass, playGame, requestsTo, server, setUpGame } from '../../testing/playGame';

const join = aTask({
  id: 2,
  task_id: 12,
  action_type: 'exchange_join',
  external_url: 'https://exchange.example/join',
  isPermanent: true,
  task_date: 'permanent',
});
const news = aTask({
  id: 3,
  task_id: 13,
  action_type: 'telegram_subscription',
  external_url: 'https://t.me/mcbk_news',
  isPermanent: true,
  task_date: 'permanent',
});
const advice = aTask({
  id: 4,
  action_type: 'get_prediction',
  status: 'completed',
  reward_coins: 0,
  reward_points: 20,
});

setUpGame();

async function playing() {
  server.tasks.lists = { tasks: [aTask(), advice], permanent_tasks: [join, news] };
  const { root, host } = await playGame();
  await pass(10);
  expect(root.shell.shell.is).toBe('ready');
  const asked = () => requestsTo('tasks').length;
  return { root, host, asked };
}

it('knows the tasks once the game is open, and what is done and waits', async () => {
  const { root } = await playing();
  expect(root.tasks.daily.map(({ id }) => id)).toEqual([1, 4]);
  expect(root.tasks.permanent.map(({ id }) => id)).toEqual([2, 3]);
  expect([root.tasks.done, root.tasks.waiting]).toEqual([1, 1]);
});

it('asks again when the panel opens, after taps are counted, on a new day and in another language', async () => {
  const { root, asked } = await playing();
  expect(asked()).toBe(1);
  root.modals.openSheet('tasks');
  await pass(10);
  expect(asked()).toBe(2);
  root.route.go('/tap');
  root.tap.tap();
  await pass(31_000);
  expect(asked()).toBe(3);
  void root.user.change({ language: 'ru' });
  await pass(10);
  expect(asked()).toBe(4);
  await pass(Date.parse('2026-03-01T23:59:50Z') - Date.now());
  const before = asked();
  await pass(60_000);
  expect(asked()).toBe(before + 1);
});

it('takes a reward once, however often it is pressed, and believes the answer', async () => {
  const { root, host } = await playing();
  root.tasks.claim(advice);
  root.tasks.claim(advice);
  expect(root.tasks.busy.has(4)).toBe(true);
  await pass(10);
  expect(requestsTo('tasks/claim')).toHaveLength(1);
  expect(root.tasks.daily[1]?.status).toBe('claimed');
  expect(root.user.user?.balance.game_points).toBe(20);
  expect([root.tasks.waiting, root.tasks.busy.size, host.rewards]).toEqual([0, 0, 1]);
});

it.each([
  [1, 50, 'toast.bonus', { coins: '1.00', points: '50' }],
  [0, 20, 'toast.points', { points: '20' }],
  [2, 0, 'toast.won_coins', { coins: '2.00' }],
])('says what a reward of %s coins and %s points has brought', async (coins, points, text, values) => {
  const { root } = await playing();
  const task = { ...advice, reward_coins: coins, reward_points: points };
  server.tasks.lists = { ...server.tasks.lists, tasks: [task] };
  await root.tasks.load();
  root.tasks.claim(task);
  await pass(10);
  expect(root.toasts.shown).toMatchObject({ kind: 'success', text, values });
});

it('says why a reward could not be taken, and leaves it there', async () => {
  const { root, host } = await playing();
  server.weather = ['cut'];
  root.tasks.claim(advice);
  await pass(10);
  expect(root.toasts.shown?.text).toBe('errors.task_claim');
  expect([root.tasks.waiting, root.tasks.busy.size, host.rewards]).toEqual([1, 0, 0]);
});

it('shows what a reward has paid when its answer was lost', async () => {
  const { root } = await playing();
  server.weather = ['lost answer'];
  root.tasks.claim(advice);
  await pass(10);
  expect(root.tasks.daily[1]?.status).toBe('claimed');
  expect(root.user.user?.balance.game_points).toBe(20);
});

it('says that the season is over, rather than that a reward could not be taken', async () => {
  const { root } = await playing();
  server.weather = [{ status: 409, code: 'season_over' }];
  root.tasks.claim(advice);
  await pass(10);
  expect(root.toasts.shown?.text).toBe('errors.season_over');
});

it('says nothing of a reward that was taken elsewhere, but shows it', async () => {
  const { root, asked } = await playing();
  const before = asked();
  server.weather = [{ status: 409, code: 'already_claimed' }];
  server.tasks.lists = { ...server.tasks.lists, tasks: [aTask(), { ...advice, status: 'claimed' }] };
  root.tasks.claim(advice);
  await pass(10);
  expect(root.toasts.shown).toBeNull();
  expect(asked()).toBe(before + 1);
  expect(root.tasks.waiting).toBe(0);
});

it('opens the link with the press, and tells the server', async () => {
  const { root, host } = await playing();
  root.tasks.visit(join);
  expect(host.opened).toEqual(['https://exchange.example/join']);
  await pass(10);
  expect(root.tasks.permanent[0]?.status).toBe('completed');
  server.weather = ['cut'];
  root.tasks.visit(join);
  await pass(10);
  expect(root.toasts.shown?.text).toBe('errors.task_link');
});

it('tells whether the player is in the channel', async () => {
  const { root, host } = await playing();
  root.tasks.check(news);
  await pass(10);
  expect(root.toasts.shown?.text).toBe('toast.not_subscribed');
  expect(root.tasks.permanent[1]?.status).toBe('active');
  root.tasks.openChannel(news);
  expect(host.opened).toEqual(['https://t.me/mcbk_news']);
  await pass(5000);
  server.weather = [{ status: 503, code: 'telegram_unavailable' }];
  root.tasks.check(news);
  await pass(10);
  expect(root.toasts.shown?.text).toBe('errors.telegram_unavailable');
  server.tasks.subscribed = true;
  root.tasks.check(news);
  await pass(10);
  expect(root.tasks.permanent[1]?.status).toBe('completed');
});

it('offers to try again when nothing is known, and says what it cannot fetch', async () => {
  server.weatherOf['/api/tasks'] = Array(9).fill('cut');
  const { root } = await playing();
  const { tasks } = root;
  expect(tasks.resource.state.is).toBe('failed');
  const again = tasks.retry();
  expect(tasks.resource.state.is).toBe('loading');
  await again;
  expect([tasks.resource.state.is, root.toasts.shown?.text]).toEqual(['failed', 'errors.tasks_fetch']);
  server.weatherOf = {};
  await tasks.retry();
  expect(tasks.resource.state.is).toBe('ready');
  server.online = false;
  await tasks.load();
  expect(tasks.resource.state.is).toBe('ready');
});

it('asks again at Home for what moved them, until it is told', async () => {
  const { root, asked } = await playing();
  root.route.go('/roulette');
  root.tasks.markStale();
  const home = async () => {
    root.route.go('/');
    await pass(200);
    root.route.go('/roulette');
    await pass(0);
    return asked();
  };
  server.weatherOf['/api/tasks'] = ['cut'];
  expect([await home(), await home(), await home()]).toEqual([2, 3, 3]);

  // What moves them while they are asked for may not be in the answer.
  server.delay = 100;
  root.tasks.markStale();
  root.route.go('/');
  await pass(50);
  root.tasks.markStale();
  await pass(1000);
  expect(asked()).toBe(5);

  // Each time at Home, whatever came of the last one.
  server.weatherOf['/api/tasks'] = ['cut'];
  root.tasks.markStale();
  await pass(1000);
  root.tasks.markStale();
  await pass(1000);
  expect([asked(), await home()]).toEqual([7, 7]);
});

it('does not let an answer asked for before a claim undo it', async () => {
  const { root } = await playing();
  server.delay = 100;
  const before = root.tasks.load();
  await pass(10);
  const old = server.tasks.lists;
  server.delay = 0;
  root.tasks.claim(advice);
  await pass(20);
  expect(root.tasks.waiting).toBe(0);
  server.tasks.lists = old;
  await pass(100);
  await before;
  expect(root.tasks.waiting).toBe(0);
});
