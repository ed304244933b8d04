import { describe, expect, it } from 'vitest';
import { pass, requestsTo, type Start, server, setUpGame, startGame } from '../../testing/playGame';
import { aRetiredSeed } from '../../testing/seeds';
import { fairnessOf } from './useFairness';

setUpGame({ path: '/roulette/fairness' });

async function reading(platform: Start['platform'] = {}) {
  const { root, host } = startGame({ platform });
  const fairness = fairnessOf(root);
  void fairness.load();
  await pass(2500);
  return { root, host, fairness };
}

const many = (n: number) =>
  Array.from({ length: n }, (_, i) => aRetiredSeed({ server_seed_hash: `${i}`.padStart(64, '0') }));

describe('the seeds', () => {
  it('that are retired come page by page, the last page being the last', async () => {
    server.retired = many(23);
    const { fairness } = await reading();
    for (let page = 0; page < 3; page += 1) {
      await fairness.retired.more();
      await pass(10);
    }
    const { list } = fairness.retired;
    expect(list.is === 'rows' && list.rows.length).toBe(23);
    expect(list).toMatchObject({ next: { is: 'end' } });
    expect(requestsTo('roulette/fairness').map(({ query }) => query)).toEqual([
      '?limit=10&offset=0',
      '?limit=10&offset=10',
      '?limit=10&offset=20',
    ]);
  });

  it('can be asked for again where they did not come', async () => {
    server.weatherOf['/api/roulette/fairness'] = ['cut'];
    const { fairness } = await reading();
    expect([fairness.current, fairness.retired.list.is]).toEqual([null, 'failed']);
    fairness.retired.retry();
    await pass(10);
    expect(fairness.current?.nonce).toBe(3);
  });

  it('of an older answer do not replace those of a newer one', async () => {
    const { fairness } = await reading();
    server.delay = 500;
    void fairness.load();
    await pass(100);
    server.delay = 0;
    fairness.write('another-seed');
    void fairness.change();
    await pass(10);
    expect(fairness.current?.client_seed).toBe('another-seed');
    server.seeds = { ...server.seeds, client_seed: 'an-older-one' };
    await pass(1000);
    expect(fairness.current?.client_seed).toBe('another-seed');
  });
});

describe('the client seed', () => {
  it.each([
    ['', 'short'],
    ['1234567', 'short'],
    ['12345678', 'none'],
    ['a-Z_0'.repeat(13).slice(0, 64), 'none'],
    ['a'.repeat(65), 'long'],
    ['eight spaces', 'letters'],
    ['ключ-ключ', 'letters'],
    ['a:1', 'letters'],
  ])('"%s" is %s', async (draft, fault) => {
    const { fairness } = await reading();
    fairness.write(draft);
    expect(fairness.fault).toBe(fault);
    void fairness.change();
    await pass(10);
    const changed = requestsTo('roulette/client-seed');
    expect(changed).toHaveLength(fault === 'none' ? 1 : 0);
  });

  it('loses the spaces a paste brings along', async () => {
    const { fairness } = await reading();
    fairness.write(' lantern-2\n');
    expect([fairness.draft, fairness.fault]).toEqual(['lantern-2', 'none']);
  });

  it('is made of bytes from outside, and fits the rule', async () => {
    const { fairness } = await reading();
    fairness.roll();
    expect([fairness.draft, fairness.fault]).toEqual(['a5'.repeat(16), 'none']);
  });

  it('is changed once, and then there is one more seed to check', async () => {
    const { root, fairness } = await reading();
    server.retired = [aRetiredSeed()];
    fairness.write('lantern-2');
    void fairness.change();
    void fairness.change();
    expect(fairness.saving).toBe(true);
    await pass(10);
    expect(requestsTo('roulette/client-seed')).toHaveLength(1);
    expect(fairness.current).toMatchObject({ client_seed: 'lantern-2', nonce: 0 });
    expect(fairness.retired.list).toMatchObject({ is: 'rows', rows: [aRetiredSeed()] });
    expect([fairness.draft, fairness.saving, root.toasts.shown?.text]).toEqual([
      '',
      false,
      'toast.client_seed',
    ]);
  });

  it('stays in the field where the server refuses it, and says why', async () => {
    const { root, fairness } = await reading();
    server.weatherOf['/api/roulette/client-seed'] = [{ status: 429, code: 'rate_limited' }];
    fairness.write('lantern-2');
    void fairness.change();
    await pass(10);
    expect([fairness.draft, fairness.saving, root.toasts.shown?.text]).toEqual([
      'lantern-2',
      false,
      'errors.rate_limited',
    ]);
    expect(fairness.current?.client_seed).toBe('lantern-light');
  });

  it('is shown as it is where only the answer was lost', async () => {
    const { fairness } = await reading();
    server.weatherOf['/api/roulette/client-seed'] = ['lost answer'];
    fairness.write('lantern-2');
    void fairness.change();
    await pass(10);
    expect(fairness.current?.client_seed).toBe('lantern-2');
  });
});

describe('a check', () => {
  it('opens the seed and says what came of it; pressed again it closes', async () => {
    server.retired = [aRetiredSeed()];
    const { fairness } = await reading();
    await fairness.check(aRetiredSeed());
    const key = aRetiredSeed().server_seed_hash;
    expect(fairness.open.has(key)).toBe(true);
    expect(fairness.verdicts.get(key)).toMatchObject({ hash: true, complete: true });
    await fairness.check(aRetiredSeed());
    expect(fairness.open.has(key)).toBe(false);
    expect(fairness.verdicts.has(key)).toBe(true);
  });

  it('only opens the seed where the browser has no hashes', async () => {
    server.retired = [aRetiredSeed()];
    const { fairness } = await reading({ subtle: null });
    expect(fairness.canCheck).toBe(false);
    await fairness.check(aRetiredSeed());
    expect([fairness.open.size, fairness.verdicts.size]).toEqual([1, 0]);
  });
});
