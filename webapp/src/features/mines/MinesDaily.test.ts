import { describe, expect, it, vi } from 'vitest';
import type { MineAnswer } from '../../api/types';
import type { RootStore } from '../../app/RootStore';
import { digs, inMines, setUpMines } from '../../testing/digging';
import { pass, server } from '../../testing/playGame';

setUpMines();

describe('a daily digger', () => {
  const hour = 3_600_000;

  /** It is so late, and the mine is full. */
  async function at(time: string, digs_daily = true) {
    vi.setSystemTime(Date.parse(`2026-03-01T${time}Z`));
    Object.defineProperty(server, 'serverTime', { get: () => new Date().toISOString() });
    Object.defineProperty(server.mines, 'fullIn', {
      get: () => 12 * hour - (Date.now() % (12 * hour)),
    });
    server.mines.tournament = { ...server.mines.tournament, digs_daily };
    server.mines.own(4);
    return await inMines();
  }

  it('has to dig today as long as they have not, in the window that tells', async () => {
    const { mines } = await at('03:00:00');
    expect(mines.digging.daily).toBe('due');
    await digs(mines, 1);
    expect(mines.digging.daily).toBe('open'); // nobody has counted it yet
    void mines.digging.batches.send();
    await pass(50);
    expect(mines.digging.daily).toBe('kept');
  });

  it('who finds the mine full in the afternoon may have dug in the morning', async () => {
    const { mines } = await at('15:00:00');
    expect(mines.digging.daily).toBe('open');
    await digs(mines, 1);
    void mines.digging.batches.send();
    await pass(50);
    expect(mines.digging.daily).toBe('kept');
  });

  it('who dug in the morning has dug today, though the mine is full again, but not tomorrow', async () => {
    const { mines } = await at('11:59:00');
    await digs(mines, 1);
    void mines.digging.batches.send();
    await pass(50);
    server.mines.own(4);
    await pass(12 * hour);
    expect([mines.digging.counter.energyLeft, mines.digging.daily]).toEqual([4000, 'kept']);
    await pass(hour);
    expect(mines.digging.daily).toBe('due');
  });

  it('who missed a day is told, and nobody is told anything that is of yesterday', async () => {
    const { mines } = await at('23:59:00', false);
    expect(mines.digging.daily).toBe('lost');
    server.weatherOf['/api/mines/status'] = Array(99).fill('cut');
    await pass(120_000);
    expect(mines.digging.daily).toBeNull();
  });

  /** From now on batches are answered by the test. */
  function slowly(root: RootStore) {
    let answer: (answer: MineAnswer) => void = () => {};
    const slow = new Promise<MineAnswer>((give) => {
      answer = give;
    });
    return { dig: vi.spyOn(root.api, 'dig').mockReturnValue(slow), answer };
  }

  it('the answer to a batch of yesterday that comes again does not speak of today', async () => {
    const { mines } = await at('23:59:40');
    server.weatherOf['/api/mines/mine'] = ['lost answer', ...Array(99).fill('cut')];
    await digs(mines, 1);
    void mines.digging.batches.send();
    await pass(Date.parse('2026-03-01T23:59:59.900Z') - Date.now());
    server.mines.own(4); // the new day's energy
    await pass(5000);
    expect([mines.digging.batches.unsaved, mines.digging.counter.energyLeft, mines.digging.daily]).toEqual([
      true,
      4000 - 10,
      'open',
    ]);
    server.weatherOf['/api/mines/mine'] = [];
    await pass(40_000);
    expect([mines.digging.batches.count, mines.digging.daily]).toEqual([0, 'due']);
  });

  it('nor does the first answer, where it comes after the new day was told', async () => {
    const { root, mines } = await at('23:59:40');
    const { dig, answer } = slowly(root);
    await digs(mines, 1);
    void mines.digging.batches.send();
    await pass(Date.parse('2026-03-02T00:00:05Z') - Date.now());
    expect([dig.mock.calls.length, mines.digging.counter.energyLeft, mines.digging.daily]).toEqual([
      1,
      3990,
      'open',
    ]);
    server.weatherOf['/api/mines/status'] = ['cut'];
    answer({ as_of: 1, accepted: 1, total_mcbk: 1, current_energy: 10, max_energy: 4000 });
    await pass(50);
    expect([mines.digging.batches.count, mines.digging.counter.energyLeft, mines.digging.confirmed]).toEqual([
      0, 4000, 0,
    ]);
    const asked = server.requests.length;
    await pass(31_000); // what it did not tell is asked for until it comes
    expect(server.requests.slice(asked).map(({ path }) => path)).toContain('/api/mines/status');
    expect(mines.digging.daily).toBe('due');
  });

  it('nor an answer to what was sent while nothing was known', async () => {
    localStorage.setItem(
      'mines_accumulated_taps',
      JSON.stringify({ 7: { taps: 1, sending: null, timestamp: 0 } }),
    );
    server.weatherOf['/api/mines/status'] = Array(99).fill('cut');
    server.weatherOf['/api/mines/mine'] = ['cut'];
    const { root, mines } = await at('11:59:50');
    const { dig, answer } = slowly(root);
    mines.digging.batches.onForeground();
    server.weatherOf['/api/mines/status'] = [];
    await pass(Date.parse('2026-03-01T12:00:01Z') - Date.now());
    await mines.tournament.load();
    expect([dig.mock.calls.length, mines.digging.batches.count, mines.digging.confirmed]).toEqual([1, 1, 0]);
    server.weatherOf['/api/mines/status'] = ['cut'];
    answer({ as_of: 1, accepted: 1, total_mcbk: 1, current_energy: 10, max_energy: 4000 });
    await pass(50);
    expect([mines.digging.batches.count, mines.digging.counter.energyLeft, mines.digging.confirmed]).toEqual([
      0, 4000, 0,
    ]);
  });

  it.each([
    ['without a mine', () => server.mines.own(0)],
    [
      'once the tournament is closed',
      () => {
        server.mines.tournament = { ...server.mines.tournament, status: 'closed' };
      },
    ],
    [
      'outside the season',
      () => {
        server.seasonStart = '2025-11-01T00:00:00Z';
      },
    ],
  ])('is nobody %s', async (_, happens) => {
    server.mines.own(4, 2340);
    happens();
    const { mines } = await inMines();
    expect(mines.digging.daily).toBeNull();
  });
});
