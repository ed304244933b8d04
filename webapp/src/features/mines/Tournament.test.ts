import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { endScene, freshScene, open, pass, scene } from '../../testing/digging';
import { aResult } from '../../testing/FakeMines';

beforeEach(freshScene);

afterEach(endScene);

const requests = () => scene.server.requests.filter(({ path }) => path === '/api/mines/status').length;

describe('the status', () => {
  it('is refetched when the energy window begins, and only then', async () => {
    scene.server.mines.own(1, 0);
    const { mines } = await open();
    const before = requests();
    await pass(60_000);
    expect(requests()).toBe(before);
    scene.server.mines.own(1, 1000);
    await pass(6 * 3_600_000);
    expect(mines.digging.counter.energyLeft).toBe(1000);
  });

  it('is refetched soon where the server’s clock is behind', async () => {
    scene.server.mines.own(1, 0);
    scene.server.mines.fullIn = 20_000;
    const { mines } = await open();
    await pass(15_000);
    const before = requests();
    scene.server.mines.fullIn = -1; // it still tells of the moment that has just come
    await pass(8000);
    const early = requests() - before;
    scene.server.mines.own(1, 1000);
    scene.server.mines.fullIn = 12 * 3_600_000;
    await pass(8000);
    expect([early > 0, mines.digging.counter.energyLeft]).toEqual([true, 1000]);
    const last = requests();
    await pass(300_000);
    expect(requests()).toBe(last);
  });

  it('is refetched with backoff where the clocks disagree', async () => {
    scene.server.mines.own(1, 0);
    const { mines } = await open();
    scene.server.mines.tournament = {
      ...scene.server.mines.tournament,
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
    scene.server.mines.own(1);
    scene.server.mines.tournament = { ...scene.server.mines.tournament, status: 'closed' };
    const { mines } = await open();
    await pass(60_000);
    expect(mines.tournament.over).toBe(false);
    scene.server.mines.tournament = { ...scene.server.mines.tournament, status: 'final', result: aResult() };
    await pass(65_000);
    expect(mines.tournament.over).toBe(true);
    const before = requests();
    await pass(300_000);
    expect(requests()).toBe(before);
  });

  it('is refetched until it has loaded', async () => {
    scene.server.mines.own(1, 0);
    const { mines } = await open();
    const full = Date.parse(mines.tournament.status?.energy_info.full_at ?? '');
    await pass(full - Date.now() - 1000);
    scene.server.mines.own(1, 1000);
    scene.server.weatherOf['/api/mines/status'] = ['cut', { status: 503, code: 'overloaded' }];
    await pass(2000);
    expect(mines.digging.canDig).toBe(false);
    await pass(60_000);
    expect(mines.digging.canDig).toBe(true);
  });
});
