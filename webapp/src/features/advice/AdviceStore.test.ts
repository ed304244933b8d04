import { expect, it } from 'vitest';
import { changeUser, pass, playGame, requestsTo, server, setUpGame } from '../../testing/playGame';

setUpGame();

async function visit() {
  const { root, host } = await playGame();
  return { root, host, advice: root.advice };
}

/** A visit in which the advice has been heard. */
async function advised() {
  const visited = await visit();
  await visited.advice.request();
  expect(visited.root.modals.shown?.is).toBe('advice');
  await pass(0); // the tasks, which count it
  return visited;
}

it('is asked for, and told', async () => {
  const { advice } = await advised();
  expect(advice.advice).toEqual(server.advice);
  expect(advice.doing).toBe('nothing');
});

it.each(['tap', 'wallet'] as const)(
  'is heard when asked for again by who went on to /%s meanwhile, and counted by the tasks',
  async (path) => {
    const { advice, root } = await visit();
    const listed = () => requestsTo('tasks').length;
    const before = listed();
    server.delay = 300;
    void advice.request();
    root.route.go(`/${path}`);
    await pass(300);
    expect(root.modals.shown).toBeNull();
    root.route.go('/');
    void advice.request();
    await pass(300);
    expect(root.modals.shown?.is).toBe('advice');
    expect(listed()).toBeGreaterThan(before);
  },
);

it('is not asked for twice at once, nor after it was claimed', async () => {
  const { advice, root } = await visit();
  server.delay = 300;
  void advice.request();
  void advice.request();
  await pass(300);
  server.delay = 0;
  await advice.claim();
  expect(root.user.user?.can_get_prediction).toBe(false);
  await advice.request();
  expect(requestsTo('prediction')).toHaveLength(1);
});

it('pays its points when claimed, once', async () => {
  const { advice, root } = await advised();
  server.delay = 300;
  const first = advice.claim();
  expect(await advice.claim()).toBe(false);
  await pass(300);
  expect(await first).toBe(true);
  expect(root.modals.shown).toBeNull();
  expect(root.user.points).toBe(25);
  expect(root.toasts.shown).toMatchObject({ text: 'toast.points', values: { points: '25' } });
});

it('pays twice after an ad', async () => {
  const { advice, root, host } = await advised();
  const outcome = advice.double();
  await pass(0);
  expect(server.requests.at(-1)?.body).toEqual({ purpose: 'prediction', target_id: 5 });
  server.confirmAd();
  host.ads?.[0]?.end({ done: true });
  expect(await outcome).toBe('confirmed');
  expect(root.modals.shown).toBeNull();
  expect(root.user.points).toBe(50);
  expect(root.user.user?.can_get_prediction).toBe(false);
});

it('may be claimed while a late ad is waited for, and the ad still brings its own', async () => {
  const { advice, root, host } = await advised();
  const outcome = advice.double();
  await pass(0);
  host.ads?.[0]?.end({ done: true });
  await pass(29_000);
  expect(advice.awaited).toBe(true);
  await pass(1000);
  expect(await outcome).toBe('late');
  expect(advice.awaited).toBe(false);
  root.modals.close('ad');
  expect(root.modals.shown).toBeNull();
  expect(advice.ready).toBe(true);
  server.confirmAd();
  await pass(15_000);
  expect(root.user.points).toBe(50);
});

it('claimed elsewhere meanwhile, it says so and shows what the server knows', async () => {
  const { advice, root } = await advised();
  changeUser({ can_get_prediction: false });
  expect(await advice.claim()).toBe(false);
  await pass(0);
  expect(root.toasts.shown?.text).toBe('errors.already_claimed');
  expect(root.modals.shown).toBeNull();
  expect(advice.ready).toBe(false);
});

it.each([
  [{ status: 410, code: 'expired' }, 'errors.expired', false],
  [{ status: 503, code: 'try_again' }, 'errors.try_again', true],
  ['cut' as const, 'errors.offline', true],
])('not claimed because of %o, it says why', async (weather, words, open) => {
  const { advice, root } = await advised();
  server.weather = [weather];
  expect(await advice.claim()).toBe(false);
  expect(root.toasts.shown?.text).toBe(words);
  expect(root.modals.shown?.is === 'advice').toBe(open);
  expect(advice.doing).toBe('nothing');
});

it.each([
  [{ status: 409, code: 'already_claimed' }, 'errors.already_claimed'],
  [{ status: 409, code: 'season_over' }, 'errors.season_over'],
  ['cut' as const, 'errors.offline'],
])('not told because of %o, it says why', async (weather, words) => {
  const { advice, root } = await visit();
  server.weather = [weather];
  await advice.request();
  expect(root.toasts.shown?.text).toBe(words);
  expect(root.modals.shown).toBeNull();
});
