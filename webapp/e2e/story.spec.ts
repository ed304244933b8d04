import { type Api, connect } from '../src/api/client';
import { asApiError } from '../src/api/error';
import { aLeader } from '../src/testing/FakeLeaderboard';
import { aReward, FakeServer } from '../src/testing/FakeServer';
import { aTask } from '../src/testing/FakeTasks';
import { aRetiredSeed } from '../src/testing/seeds';
import { appUrl } from './addresses';
import { expect, test } from './test';

type Call = (api: Api, seen: Seen) => Promise<unknown>;
/** What later calls need of the answers to earlier ones. */
type Seen = { [name: string]: Awaited<ReturnType<Call>> } & { wallet: string };

const key = (name: string) => `${name}-${crypto.randomUUID()}`;
const answer = <Name extends keyof Api>(seen: Seen, name: Name) =>
  seen[name] as Awaited<ReturnType<Api[Name]>>;
const ids = ({ tasks }: Awaited<ReturnType<Api['tasks']>>) =>
  tasks.filter(({ status }) => status === 'completed').map(({ id }) => ({ user_task_id: id }));

/** A player's first day, call by call. */
const story: { readonly [name: string]: Call } = {
  config: (api) => api.config(),
  settings: (api) => api.settings(),
  me: (api) => api.me(null),
  update: (api) => api.update({ age_consent_accepted: true }),
  checkIn: (api) => api.checkIn(key('checkin')),
  'checkIn again': (api) => api.checkIn(key('checkin')),
  energy: (api) => api.energy(),
  tap: (api) => api.tap({ total_taps: 3, batch_id: crypto.randomUUID() }),
  prediction: (api) => api.prediction(),
  claimPrediction: (api, seen) => api.claimPrediction(answer(seen, 'prediction').id),
  'claimPrediction again': (api, seen) => api.claimPrediction(answer(seen, 'prediction').id),
  tasks: (api) => api.tasks(),
  claimTask: (api, seen) => api.claimTask(ids(answer(seen, 'tasks'))[0] ?? { user_task_id: 0 }),
  rouletteStatus: (api) => api.rouletteStatus(),
  'spin without a golden one': (api) => api.spin(true, key('spin')),
  spin: (api) => api.spin(false, key('spin')),
  claimSpin: async (api, seen) => {
    const { spin_id, status, reward } = answer(seen, 'spin');
    if (status === 'credited') return null; // coins are paid already
    return reward.chest ? api.claimChest({ spin_id, watch_ad: false }) : api.claimSpin(spin_id);
  },
  setClientSeed: (api) => api.setClientSeed('lantern-light'),
  fairness: (api) => api.fairness(10, 0),
  startAd: (api) => api.startAd({ purpose: 'spin' }),
  completeAd: (api, seen) => api.completeAd(answer(seen, 'startAd').ticket),
  'takeAdSpin too early': (api) => api.takeAdSpin(key('ad')),
  circleAds: (api) => api.circleAds(),
  claimCircleAds: (api) => api.claimCircleAds(),
  referrals: (api) => api.referrals('all', 10, 0),
  leaderboard: (api) => api.leaderboard('coins', 10, 0),
  tonPrice: (api) => api.tonPrice(),
  priceInfo: (api) => api.priceInfo(),
  'purchase without a wallet': (api) => api.purchase({ ton_amount: 1 }, key('order')),
  proofPayload: (api) => api.proofPayload(),
  setWallet: (api, { wallet }) => api.setWallet({ wallet_address: wallet }, key('wallet')),
  wallet: (api) => api.wallet(),
  purchase: (api) => api.purchase({ ton_amount: 1 }, key('order')),
  orderStars: (api) => api.orderStars({ stars: 100 }, key('stars')),
  orders: (api) => api.orders(10, 0),
  order: (api, seen) => api.order(answer(seen, 'purchase').order.id),
  cancelOrder: (api, seen) => api.cancelOrder(answer(seen, 'purchase').order.id),
  transactions: (api) => api.transactions('all', 10, 0),
  mines: (api) => api.mines(),
  miners: (api) => api.miners(),
  'dig without a mine': (api) => api.dig({ taps: 1, batch_id: crypto.randomUUID() }),
  orderMine: (api) => api.orderMine(1, 'TON', key('mine')),
  unlockMine: (api) => api.unlockMine({ level: 1, transaction_hash: 'hint' }),
};

async function play(api: Api, wallet: string): Promise<Seen> {
  const seen: Seen = { wallet };
  const outcome = async (call: Call): Promise<unknown> => {
    try {
      return await call(api, seen);
    } catch (error) {
      const { code, retryAfter } = asApiError(error);
      if (code !== 'rate_limited') return { refused: code };
      await new Promise((later) => setTimeout(later, 1000 * (retryAfter ?? 1)));
      return outcome(call);
    }
  };
  for (const [name, call] of Object.entries(story)) seen[name] = await outcome(call);
  return seen;
}

/** Where two answers differ in keys, types or refusals. What is null or an empty list in one of them says nothing. */
function differences(fake: unknown, real: unknown, at: string): string[] {
  if (fake === null || real === null) return [];
  if (Array.isArray(fake) && Array.isArray(real))
    return fake.length * real.length === 0 ? [] : differences(fake[0], real[0], `${at}[]`);
  if (typeof fake !== 'object' || typeof real !== 'object')
    return typeof fake === typeof real && !(at.endsWith('.refused') && fake !== real)
      ? []
      : [`${at}: ${JSON.stringify(fake)}, ${JSON.stringify(real)}`];
  const [one, other] = [fake, real] as Record<string, unknown>[];
  const keys = new Set([...Object.keys(one ?? {}), ...Object.keys(other ?? {})]);
  return [...keys].flatMap((name) =>
    one && other && name in one && name in other
      ? differences(one[name], other[name], `${at}.${name}`)
      : [`${at}.${name}: only in the ${one && name in one ? 'fake' : 'program'}`],
  );
}

test('the fake server of the unit tests answers as the program does', async ({ sandbox }) => {
  const player = await sandbox.newPlayer();
  const { init_data } = await sandbox.launch(player);
  const common = { newId: () => crypto.randomUUID(), onRefusal: () => undefined };
  const program = connect({ ...common, baseUrl: `${appUrl}/api`, fetch, initData: () => init_data });
  const real = await play(program, await sandbox.wallet(player));

  const server = new FakeServer();
  server.player(7).user = { ...server.player(7).user, age_consent_accepted: false };
  server.player(7).due = aReward();
  server.tasks.lists = { tasks: [aTask({ status: 'completed' })], permanent_tasks: [] };
  server.leaderboard.others = [aLeader({ telegram_id: 1 })];
  const { reward } = answer(real, 'spin');
  const seed = aRetiredSeed(); // with a chest among its spins, the first of which is compared, if the program's had one
  server.retired = [
    { ...seed, spins: seed.spins.filter((spin) => 'chest_type' in spin === 'chest' in reward) },
  ];
  server.wheel.prizes = [reward];
  const fake = connect({
    ...common,
    baseUrl: 'http://mcbk.test/api',
    fetch: server.fetch,
    initData: () => '7',
  });
  expect(differences(await play(fake, '0:aa'), real, 'story')).toEqual([]);
});
