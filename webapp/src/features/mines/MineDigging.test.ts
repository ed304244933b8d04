import { autorun, reaction } from 'mobx';
import { describe, expect, it } from 'vitest';
import { digs, inMines, setUpMines } from '../../testing/digging';
import { pass, playGame, requestsTo, server } from '../../testing/playGame';

setUpMines();

const sent = () => requestsTo('mines/mine').map(({ body }) => body);
const kept = () => JSON.parse(localStorage.getItem('mines_accumulated_taps') ?? 'null');

describe('digging', () => {
  it('shows the ore at once, and is one batch on leaving', async () => {
    server.mines.own(4, 2340);
    const { root, mines } = await inMines();
    await digs(mines, 3);
    expect([mines.digging.dug, mines.digging.counter.energyLeft]).toEqual([3_000_000, 2310]);
    expect(mines.dig()).toEqual({ is: 'too soon' });
    expect(sent()).toEqual([]);
    root.route.go('/');
    await pass(10);
    expect(root.tap.saving).toBe(true);
    expect(sent()).toMatchObject([{ taps: 3 }]);
    expect([mines.digging.confirmed, mines.digging.counter.energyLeft, server.mines.dug]).toEqual([
      3_000_000, 2310, 3,
    ]);
    expect(kept()).toBeNull();
  });

  it('keeps what was dug on the device until the server has it, under one id', async () => {
    server.mines.own(1);
    const { mines, host } = await inMines();
    server.weatherOf['/api/mines/mine'] = ['lost answer', 'ok'];
    await digs(mines, 2);
    void mines.digging.batches.send();
    await pass(10);
    expect(host.confirms).toBe(true);
    expect(kept()).toMatchObject({ 7: { sending: { taps: 2 } } });
    await pass(1500);
    expect(sent()).toHaveLength(2);
    expect(sent()[0]).toEqual(sent()[1]);
    expect([server.mines.taps, mines.digging.confirmed, host.confirms]).toEqual([2, 500_000, false]);
  });

  it('unloads with the same batch, and a page that never opened the mines sends what is left', async () => {
    server.mines.own(1);
    const before = await inMines();
    await digs(before.mines, 2);
    server.online = false;
    window.dispatchEvent(new Event('pagehide'));
    expect(kept()).toMatchObject({ 7: { sending: { taps: 2 } } });
    server.online = true;
    await playGame({ path: '/' });
    await pass(500);
    expect(server.mines.taps).toBe(2);
    expect(kept()).toBeNull();
  });

  it('ends with the energy, once said', async () => {
    server.mines.own(1, 25);
    const { root, mines } = await inMines();
    await digs(mines, 2);
    await pass(100);
    expect(mines.dig()).toEqual({ is: 'no energy', first: true });
    await pass(100);
    expect(mines.dig()).toEqual({ is: 'no energy', first: false });
    expect(root.toasts.shown?.text).toBe('errors.no_energy');
    expect(server.mines.taps).toBe(2);
  });

  it('is sent in time: what is dug in the last seconds of a tournament counts', async () => {
    server.mines.own(4, 4000);
    server.mines.tournament = {
      ...server.mines.tournament,
      ends_at: new Date(Date.now() + 29_000).toISOString(),
    };
    const { mines } = await inMines();
    await digs(mines, 3);
    const drawn = autorun(() => [mines.tournament.running, mines.digging.closedMessage]);
    await digs(mines, 237);
    let counted = 240;
    while (Date.now() < Date.parse(server.mines.tournament.ends_at)) {
      if (mines.dig().is === 'counted') counted += 1;
      await pass(100);
    }
    expect([server.mines.taps, mines.digging.batches.count, mines.tournament.running]).toEqual([
      counted,
      0,
      false,
    ]);
    expect([counted, sent().length]).toEqual([244, 3]);
    drawn();
  });

  it('is sent in time: what is dug in the last seconds of the season counts, though a tournament outlasts it', async () => {
    const end = Date.now() + 29_000;
    Object.defineProperty(server, 'serverTime', { get: () => new Date().toISOString() });
    server.seasonStart = new Date(end - 90 * 86_400_000).toISOString();
    server.mines.own(4, 4000);
    const { mines } = await inMines();
    await digs(mines, 3);
    const drawn = autorun(() => [mines.tournament.running, mines.digging.closedMessage]);
    await digs(mines, 237);
    let counted = 240;
    while (Date.now() < end) {
      if (mines.dig().is === 'counted') counted += 1;
      await pass(100);
    }
    expect([server.mines.taps, mines.digging.batches.count]).toEqual([counted, 0]);
    expect(counted).toBe(244);
    drawn();
  });

  it('is sent in time: what is dug before the energy is full again is of the energy before', async () => {
    server.mines.own(1);
    server.mines.fullIn = 25_000;
    const { mines } = await inMines();
    await digs(mines, 50);
    await pass(17_000);
    expect(sent()).toEqual([]);
    await pass(2000);
    expect(server.mines.taps).toBe(50);
  });

  it('ends with the season, whose words are said of what was refused', async () => {
    server.mines.own(1);
    const { root, mines } = await inMines();
    await digs(mines, 1);
    server.weatherOf['/api/mines/mine'] = [{ status: 409, code: 'season_over' }];
    server.serverTime = '2026-05-01T12:00:00Z';
    void mines.digging.batches.send();
    await pass(50);
    expect([mines.digging.batches.count, root.toasts.shown?.text]).toEqual([0, 'errors.season_over']);
    await pass(100);
    expect([mines.dig(), mines.digging.canDig]).toEqual([{ is: 'not ready' }, false]);
  });

  it('rests while an admin has closed the mines, and goes on by itself with all that was dug', async () => {
    const works = { status: 503, code: 'maintenance', params: { feature: 'mines' }, retryAfter: 15 };
    server.mines.own(1);
    const { root, mines } = await inMines();
    const said: (string | undefined)[] = [];
    const heard = reaction(
      () => root.toasts.shown?.text,
      (text) => said.push(text),
    );
    await digs(mines, 3);
    server.weatherOf['/api/mines/mine'] = ['cut', works, works, { status: 503, code: 'overloaded' }];
    void mines.digging.batches.send();
    await pass(10);
    await digs(mines, 2); // whoever has no network digs on
    await pass(1000);
    expect([mines.digging.batches.closed, mines.digging.canDig, mines.dig()]).toEqual([
      true,
      false,
      { is: 'not ready' },
    ]);
    mines.digging.batches.resume(); // as for who comes to look: it asks at once
    await pass(10);
    expect([sent().length, mines.dig(), root.shell.shell.is]).toEqual([3, { is: 'not ready' }, 'ready']);
    await pass(8000);
    expect(said).toEqual(['errors.tap_sync', 'errors.maintenance', undefined]);
    await pass(8000); // what tells nothing of the mines opens none
    expect([sent().length, mines.dig(), mines.digging.dug, mines.digging.counter.energyLeft]).toEqual([
      4,
      { is: 'not ready' },
      1_250_000,
      950,
    ]);
    await pass(40_000);
    expect([mines.digging.batches.closed, server.mines.taps, mines.digging.confirmed, kept()]).toEqual([
      false,
      5,
      1_250_000,
      null,
    ]);
    expect(sent().slice(0, 5)).toEqual(Array(5).fill(sent()[0]));
    expect(sent()).toMatchObject([...Array(5).fill({ taps: 3 }), { taps: 2 }]);
    await digs(mines, 1);
    expect(said).toHaveLength(3);
    heard();
  });

  /** A batch was refused because an admin has switched the mines off, and another window has sent what was in it. */
  async function refusedAndSent() {
    server.mines.own(1);
    const all = await inMines();
    await digs(all.mines, 1);
    server.weatherOf['/api/mines/mine'] = [
      { status: 503, code: 'maintenance', params: { feature: 'mines' }, retryAfter: 15 },
    ];
    void all.mines.digging.batches.send();
    await pass(10);
    expect(all.mines.digging.batches.closed).toBe(true);
    localStorage.removeItem('mines_accumulated_taps');
    return all;
  }

  it('is open again once another window has sent what waited', async () => {
    const { mines } = await refusedAndSent();
    await pass(16_000);
    expect([sent().length, mines.digging.batches.closed, mines.digging.canDig]).toEqual([1, false, true]);
  });

  it('is open again for who comes back to it after that', async () => {
    const { root, mines } = await refusedAndSent();
    mines.digging.batches.reread();
    root.route.go('/');
    root.route.go('/mines');
    await pass(10);
    expect([mines.digging.batches.closed, mines.digging.canDig]).toEqual([false, true]);
  });

  it('is over when the tournament is: what was refused is not sent for ever', async () => {
    server.mines.own(1);
    const { mines } = await inMines();
    await digs(mines, 1);
    server.mines.tournament = { ...server.mines.tournament, status: 'closed' };
    void mines.digging.batches.send();
    await pass(50);
    expect(mines.digging.batches.count).toBe(0);
    expect([mines.tournament.running, mines.digging.dug]).toEqual([false, 0]);
  });
});
