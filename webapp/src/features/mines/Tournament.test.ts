import { describe, expect, it } from 'vitest';
import { inMines, setUpMines } from '../../testing/digging';
import { aResult } from '../../testing/FakeMines';
import { pass, requestsTo, server } from '../../testing/playGame';

setUpMines();

const requests = () => requestsTo('mines/status').length;

describe('the status', () => {
  it('is refetched when the energy window begins, and only then', async () => {
    server.mines.own(1, 0);
    const { mines } = await inMines();
    const before = requests();
    await pass(60_000);
    expect(requests()).toBe(before);
    server.mines.own(1, 1000);
    await pass(6 * 3_600_000);
    expect(mines.digging.counter.energyLeft).toBe(1000);
  });

  it('is refetched soon where the server’s clock is behind', async () => {
    server.mines.own(1, 0);
    server.mines.fullIn = 20_000;
    const { mines } = await inMines();
    await pass(15_000);
    const before = requests();
    server.mines.fullIn = -1; // it still tells of the moment that has just come
    await pass(8000);
    const early = requests() - before;
    server.mines.own(1, 1000);
    server.mines.fullIn = 12 * 3_600_000;
    await pass(8000);
    expect([early > 0, mines.digging.counter.energyLeft]).toEqual([true, 1000]);
    const last = requests();
    await pass(300_000);
    expect(requests()).toBe(last);
  });

  it('is refetched with backoff where the clocks disagree', async () => {
    server.mines.own(1, 0);
    const { mines } = await inMines();
    server.mines.tournament = {
      ...server.mines.tournament,
      ends_at: new Date(Date.now()).toISOString(),
    };
    await mines.tournament.load();
    const before = requests();
    await pass(600_000);
    expect(mines.tournament.status?.tournament.status).toBe('running');
    expect(requests() - before).toBeGreaterThan(15);
    expect(requests() - before).toBeLessThan(30);
  });

  it('is polled until a closed tournament is final', async () => {
    server.mines.own(1);
    server.mines.tournament = { ...server.mines.tournament, status: 'closed' };
    const { mines } = await inMines();
    await pass(60_000);
    expect(mines.tournament.over).toBe(false);
    server.mines.tournament = { ...server.mines.tournament, status: 'final', result: aResult() };
    await pass(65_000);
    expect(mines.tournament.over).toBe(true);
    const before = requests();
    await pass(300_000);
    expect(requests()).toBe(before);
  });

  it('is refetched until it has loaded', async () => {
    server.mines.own(1, 0);
    const { mines } = await inMines();
    const full = Date.parse(mines.tournament.status?.energy_info.full_at ?? '');
    await pass(full - Date.now() - 1000);
    server.mines.own(1, 1000);
    server.weatherOf['/api/mines/status'] = ['cut', { status: 503, code: 'overloaded' }];
    await pass(2000);
    expect(mines.digging.canDig).toBe(false);
    await pass(60_000);
    expect(mines.digging.canDig).toBe(true);
  });
});
