import { autorun, reaction } from 'mobx';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { MineAnswer, MinesLeaderboard } from '../../api/types';
import { RootStore } from '../../stores/RootStore';
import { aResult } from '../../testing/FakeMines';
import { FakeServer } from '../../testing/FakeServer';
import { aWorld } from '../../testing/world';

let server: FakeServer;

beforeEach(() => {
  vi.useFakeTimers({ now: Date.parse('2026-03-01T12:00:00Z') });
  localStorage.clear();
  window.history.replaceState(null, '', '/mines');
  window.scrollTo = vi.fn();
  server = new FakeServer();
  server.player(7).user = { ...server.player(7).user, wallet_address: 'UQwallet' };
});

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const pass = (time: number) => vi.advanceTimersByTimeAsync(time);

async function open() {
  const { world, host } = aWorld(server);
  const root = new RootStore(world);
  void root.start();
  await pass(2500);
  const mines = await root.loadMines();
  await pass(10);
  return { root, mines, host };
}

async function digs(mines: Awaited<ReturnType<typeof open>>['mines'], times: number) {
  for (let n = 0; n < times; n += 1) {
    await pass(100);
    expect(mines.dig()).toEqual({ is: 'counted' });
  }
}

const sent = () => server.requests.filter(({ path }) => path === '/api/mines/mine').map(({ body }) => body);
const kept = () => JSON.parse(localStorage.getItem('mines_accumulated_taps') ?? 'null');

describe('digging', () => {
  it('shows the ore at once, and is one batch on leaving', async () => {
    server.mines.own(4, 2340);
    const { root, mines } = await open();
    await digs(mines, 3);
    expect([mines.dug, mines.energyLeft]).toEqual([3_000_000, 2310]);
    expect(mines.dig()).toEqual({ is: 'too soon' });
    expect(sent()).toEqual([]);
    root.route.go('/');
    await pass(10);
    expect(root.tap.saving).toBe(true);
    expect(sent()).toMatchObject([{ taps: 3 }]);
    expect([mines.confirmed, mines.energyLeft, server.mines.dug]).toEqual([3_000_000, 2310, 3]);
    expect(kept()).toBeNull();
  });

  it('keeps what was dug on the device until the server has it, under one id', async () => {
    server.mines.own(1);
    const { mines, host } = await open();
    server.weatherOf['/api/mines/mine'] = ['lost answer', 'ok'];
    await digs(mines, 2);
    void mines.batches.send();
    await pass(10);
    expect(host.confirms).toBe(true);
    expect(kept()).toMatchObject({ 7: { sending: { taps: 2 } } });
    await pass(1500);
    expect(sent()).toHaveLength(2);
    expect(sent()[0]).toEqual(sent()[1]);
    expect([server.mines.taps, mines.confirmed, host.confirms]).toEqual([2, 500_000, false]);
  });

  it('says farewell with the same batch, and a page that never saw the mines sends what is left', async () => {
    server.mines.own(1);
    const before = await open();
    await digs(before.mines, 2);
    server.online = false;
    window.dispatchEvent(new Event('pagehide'));
    expect(kept()).toMatchObject({ 7: { sending: { taps: 2 } } });
    server.online = true;
    window.history.replaceState(null, '', '/');
    const { world } = aWorld(server);
    void new RootStore(world).start();
    await pass(3000);
    expect(server.mines.taps).toBe(2);
    expect(kept()).toBeNull();
  });

  it('ends with the energy, once said', async () => {
    server.mines.own(1, 25);
    const { root, mines } = await open();
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
    const { mines } = await open();
    await digs(mines, 3);
    const drawn = autorun(() => [mines.running, mines.closedWords]);
    await digs(mines, 237);
    let counted = 240;
    while (Date.now() < Date.parse(server.mines.tournament.ends_at)) {
      if (mines.dig().is === 'counted') counted += 1;
      await pass(100);
    }
    expect([server.mines.taps, mines.batches.count, mines.running]).toEqual([counted, 0, false]);
    expect([counted, sent().length]).toEqual([244, 3]);
    drawn();
  });

  it('is sent in time: what is dug in the last seconds of the season counts, though a tournament outlasts it', async () => {
    const end = Date.now() + 29_000;
    Object.defineProperty(server, 'serverTime', { get: () => new Date().toISOString() });
    server.seasonStart = new Date(end - 90 * 86_400_000).toISOString();
    server.mines.own(4, 4000);
    const { mines } = await open();
    await digs(mines, 3);
    const drawn = autorun(() => [mines.running, mines.closedWords]);
    await digs(mines, 237);
    let counted = 240;
    while (Date.now() < end) {
      if (mines.dig().is === 'counted') counted += 1;
      await pass(100);
    }
    expect([server.mines.taps, mines.batches.count]).toEqual([counted, 0]);
    expect(counted).toBe(244);
    drawn();
  });

  it('is sent in time: what is dug before the energy is full again is of the energy before', async () => {
    server.mines.own(1);
    server.mines.fullIn = 25_000;
    const { mines } = await open();
    await digs(mines, 50);
    await pass(17_000);
    expect(sent()).toEqual([]);
    await pass(2000);
    expect(server.mines.taps).toBe(50);
  });

  it('asks anew when the window begins, and only then', async () => {
    server.mines.own(1, 0);
    const { mines } = await open();
    const asked = () => server.requests.filter(({ path }) => path === '/api/mines/status').length;
    const before = asked();
    await pass(60_000);
    expect(asked()).toBe(before);
    server.mines.own(1, 1000);
    await pass(6 * 3_600_000);
    expect(mines.energyLeft).toBe(1000);
  });

  it('asks soon again when the server’s window has not begun yet by its own clock', async () => {
    server.mines.own(1, 0);
    server.mines.fullIn = 20_000;
    const { mines } = await open();
    const asked = () => server.requests.filter(({ path }) => path === '/api/mines/status').length;
    await pass(15_000);
    const before = asked();
    server.mines.fullIn = -1; // it still tells of the moment that has just come
    await pass(8000);
    const early = asked() - before;
    server.mines.own(1, 1000);
    server.mines.fullIn = 12 * 3_600_000;
    await pass(8000);
    expect([early > 0, mines.energyLeft]).toEqual([true, 1000]);
    const last = asked();
    await pass(300_000);
    expect(asked()).toBe(last);
  });

  it('asks more and more rarely where the clocks disagree', async () => {
    server.mines.own(1, 0);
    const { mines } = await open();
    const asked = () => server.requests.filter(({ path }) => path === '/api/mines/status').length;
    server.mines.tournament = { ...server.mines.tournament, ends_at: new Date(Date.now()).toISOString() };
    await mines.load();
    const before = asked();
    await pass(600_000);
    expect(mines.status?.tournament.status).toBe('running');
    expect(asked() - before).toBeGreaterThan(15);
    expect(asked() - before).toBeLessThan(30);
  });

  it('shows by itself what came of a tournament whose ore was being counted', async () => {
    server.mines.own(1);
    server.mines.tournament = { ...server.mines.tournament, status: 'closed' };
    const { mines } = await open();
    await pass(60_000);
    expect(mines.over).toBe(false);
    server.mines.tournament = { ...server.mines.tournament, status: 'final', result: aResult() };
    await pass(65_000);
    expect(mines.over).toBe(true);
    const asked = () => server.requests.filter(({ path }) => path === '/api/mines/status').length;
    const before = asked();
    await pass(300_000);
    expect(asked()).toBe(before);
  });

  it('asks until it is told what is in the mine again', async () => {
    server.mines.own(1, 0);
    const { mines } = await open();
    const full = Date.parse(mines.status?.energy_info.full_at ?? '');
    await pass(full - Date.now() - 1000);
    server.mines.own(1, 1000);
    server.weatherOf['/api/mines/status'] = ['cut', { status: 503, code: 'overloaded' }];
    await pass(2000);
    expect(mines.canDig).toBe(false);
    await pass(60_000);
    expect(mines.canDig).toBe(true);
  });

  it('ends with the season, whose words are said of what was refused', async () => {
    server.mines.own(1);
    const { root, mines } = await open();
    await digs(mines, 1);
    server.weatherOf['/api/mines/mine'] = [{ status: 409, code: 'season_over' }];
    server.serverTime = '2026-05-01T12:00:00Z';
    void mines.batches.send();
    await pass(50);
    expect([mines.batches.count, root.toasts.shown?.text]).toEqual([0, 'errors.season_over']);
    await pass(100);
    expect([mines.dig(), mines.canDig]).toEqual([{ is: 'not ready' }, false]);
  });

  it('rests while an admin has closed the mines, and goes on by itself with all that was dug', async () => {
    const works = { status: 503, code: 'maintenance', params: { feature: 'mines' }, retryAfter: 15 };
    server.mines.own(1);
    const { root, mines } = await open();
    const said: (string | undefined)[] = [];
    const heard = reaction(
      () => root.toasts.shown?.text,
      (text) => said.push(text),
    );
    await digs(mines, 3);
    server.weatherOf['/api/mines/mine'] = ['cut', works, works, { status: 503, code: 'overloaded' }];
    void mines.batches.send();
    await pass(10);
    await digs(mines, 2); // whoever has no network digs on
    await pass(1000);
    expect([mines.batches.closed, mines.canDig, mines.dig()]).toEqual([true, false, { is: 'not ready' }]);
    mines.batches.resume(); // as for who comes to look: it asks at once
    await pass(10);
    expect([sent().length, mines.dig(), root.shell.shell.is]).toEqual([3, { is: 'not ready' }, 'ready']);
    await pass(8000);
    expect(said).toEqual(['errors.tap_sync', 'errors.maintenance', undefined]);
    await pass(8000); // what tells nothing of the mines opens none
    expect([sent().length, mines.dig(), mines.dug, mines.energyLeft]).toEqual([
      4,
      { is: 'not ready' },
      1_250_000,
      950,
    ]);
    await pass(40_000);
    expect([mines.batches.closed, server.mines.taps, mines.confirmed, kept()]).toEqual([
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
    const all = await open();
    await digs(all.mines, 1);
    server.weatherOf['/api/mines/mine'] = [
      { status: 503, code: 'maintenance', params: { feature: 'mines' }, retryAfter: 15 },
    ];
    void all.mines.batches.send();
    await pass(10);
    expect(all.mines.batches.closed).toBe(true);
    localStorage.removeItem('mines_accumulated_taps');
    return all;
  }

  it('is open again once another window has sent what waited', async () => {
    const { mines } = await refusedAndSent();
    await pass(16_000);
    expect([sent().length, mines.batches.closed, mines.canDig]).toEqual([1, false, true]);
  });

  it('is open again for who comes back to it after that', async () => {
    const { root, mines } = await refusedAndSent();
    mines.batches.reread();
    root.route.go('/');
    root.route.go('/mines');
    await pass(10);
    expect([mines.batches.closed, mines.canDig]).toEqual([false, true]);
  });

  it('is over when the tournament is: what was refused is not sent for ever', async () => {
    server.mines.own(1);
    const { mines } = await open();
    await digs(mines, 1);
    server.mines.tournament = { ...server.mines.tournament, status: 'closed' };
    void mines.batches.send();
    await pass(50);
    expect(mines.batches.count).toBe(0);
    expect([mines.running, mines.dug]).toEqual([false, 0]);
  });
});

describe('a daily digger', () => {
  const hour = 3_600_000;

  /** It is so late, and the mine is full. */
  async function at(time: string, digs_daily = true) {
    vi.setSystemTime(Date.parse(`2026-03-01T${time}Z`));
    Object.defineProperty(server, 'serverTime', { get: () => new Date().toISOString() });
    Object.defineProperty(server.mines, 'fullIn', { get: () => 12 * hour - (Date.now() % (12 * hour)) });
    server.mines.tournament = { ...server.mines.tournament, digs_daily };
    server.mines.own(4);
    return await open();
  }

  it('has to dig today as long as they have not, in the window that tells', async () => {
    const { mines } = await at('03:00:00');
    expect(mines.daily).toBe('due');
    await digs(mines, 1);
    expect(mines.daily).toBe('open'); // nobody has counted it yet
    void mines.batches.send();
    await pass(50);
    expect(mines.daily).toBe('kept');
  });

  it('who finds the mine full in the afternoon may have dug in the morning', async () => {
    const { mines } = await at('15:00:00');
    expect(mines.daily).toBe('open');
    await digs(mines, 1);
    void mines.batches.send();
    await pass(50);
    expect(mines.daily).toBe('kept');
  });

  it('who dug in the morning has dug today, though the mine is full again, but not tomorrow', async () => {
    const { mines } = await at('11:59:00');
    await digs(mines, 1);
    void mines.batches.send();
    await pass(50);
    server.mines.own(4);
    await pass(12 * hour);
    expect([mines.energyLeft, mines.daily]).toEqual([4000, 'kept']);
    await pass(hour);
    expect(mines.daily).toBe('due');
  });

  it('who missed a day is told, and nobody is told anything that is of yesterday', async () => {
    const { mines } = await at('23:59:00', false);
    expect(mines.daily).toBe('lost');
    server.weatherOf['/api/mines/status'] = Array(99).fill('cut');
    await pass(120_000);
    expect(mines.daily).toBeNull();
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
    void mines.batches.send();
    await pass(Date.parse('2026-03-01T23:59:59.900Z') - Date.now());
    server.mines.own(4); // the new day's energy
    await pass(5000);
    expect([mines.batches.unsaved, mines.energyLeft, mines.daily]).toEqual([true, 4000 - 10, 'open']);
    server.weatherOf['/api/mines/mine'] = [];
    await pass(40_000);
    expect([mines.batches.count, mines.daily]).toEqual([0, 'due']);
  });

  it('nor does the first answer, where it comes after the new day was told', async () => {
    const { root, mines } = await at('23:59:40');
    const { dig, answer } = slowly(root);
    await digs(mines, 1);
    void mines.batches.send();
    await pass(Date.parse('2026-03-02T00:00:05Z') - Date.now());
    expect([dig.mock.calls.length, mines.energyLeft, mines.daily]).toEqual([1, 3990, 'open']);
    server.weatherOf['/api/mines/status'] = ['cut'];
    answer({ accepted: 1, total_mcbk: 1, current_energy: 10, max_energy: 4000 });
    await pass(50);
    expect([mines.batches.count, mines.energyLeft, mines.confirmed]).toEqual([0, 4000, 0]);
    const asked = server.requests.length;
    await pass(31_000); // what it did not tell is asked for until it comes
    expect(server.requests.slice(asked).map(({ path }) => path)).toContain('/api/mines/status');
    expect(mines.daily).toBe('due');
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
    mines.batches.wake();
    server.weatherOf['/api/mines/status'] = [];
    await pass(Date.parse('2026-03-01T12:00:01Z') - Date.now());
    await mines.load();
    expect([dig.mock.calls.length, mines.batches.count, mines.confirmed]).toEqual([1, 1, 0]);
    server.weatherOf['/api/mines/status'] = ['cut'];
    answer({ accepted: 1, total_mcbk: 1, current_energy: 10, max_energy: 4000 });
    await pass(50);
    expect([mines.batches.count, mines.energyLeft, mines.confirmed]).toEqual([0, 4000, 0]);
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
    const { mines } = await open();
    expect(mines.daily).toBeNull();
  });
});

describe('a mine', () => {
  /** The player has pressed Buy, and the server is slow to say which mines they have. */
  async function pressed() {
    server.delay = 200;
    const all = await open();
    await pass(1000);
    all.mines.offer();
    void all.mines.buy(1);
    await pass(50);
    return all;
  }

  it('is not sold while the market is closed', async () => {
    server.market.open = false;
    const { mines } = await open();
    await pass(50);
    expect([mines.running, mines.sold]).toEqual([true, false]);
    server.market.open = true;
    document.dispatchEvent(new Event('visibilitychange')); // who waited for that has looked elsewhere meanwhile
    await pass(50);
    expect(mines.sold).toBe(true);
  });

  it('that is opened while a batch is on its way is shown', async () => {
    server.mines.own(1);
    const { mines } = await open();
    server.delay = 500;
    await digs(mines, 1);
    void mines.batches.send();
    await pass(100);
    server.mines.own(2);
    void mines.load(); // as for an order that was paid, and answered after the batch
    await pass(2000);
    expect(mines.top).toMatchObject({ level: 2 });
  });

  it('is compared with what was dug just before, once that is counted, and with others by the minute', async () => {
    server.mines.own(1);
    const { mines } = await open();
    await digs(mines, 1);
    const asked = () =>
      server.requests.filter(({ path }) => path.startsWith('/api/mines/leaderboard')).length;
    const end = mines.compare();
    await pass(10);
    const before = asked();
    void mines.batches.send();
    await pass(50);
    expect([before, asked()]).toEqual([1, 2]);
    await pass(60_000);
    expect(asked()).toBe(3);
    end();
    await pass(120_000);
    expect(asked()).toBe(3);
  });

  it('is compared by the answer that was asked for last', async () => {
    server.mines.own(1);
    const { root, mines } = await open();
    const answers: ((answer: MinesLeaderboard) => void)[] = [];
    vi.spyOn(root.api, 'miners').mockImplementation(() => new Promise((give) => answers.push(give)));
    const own = (mcbk: number) => ({ leaderboard: [], me: { ...server.mines.me, mcbk } });
    void mines.miners.load();
    void mines.miners.load();
    await pass(10);
    answers[1]?.(own(2));
    await pass(10);
    answers[0]?.(own(1));
    await pass(10);
    expect(mines.me?.mcbk).toBe(2);
  });

  it('is offered to who has none, for a dig or a look at the upgrades', async () => {
    const { root, mines } = await open();
    expect(mines.dig()).toEqual({ is: 'locked' });
    expect(root.modals.shown).toEqual({ is: 'mine', level: 1 });
    mines.closeOffer();
    mines.openUpgrades();
    expect(root.modals.shown).toEqual({ is: 'mine', level: 1 });
    expect(root.modals.sheet).toBe('none');
  });

  it('needs a wallet first, which is connected where the player stands', async () => {
    server.player(7).user = { ...server.player(7).user, wallet_address: null };
    const { root, mines, host } = await open();
    mines.offer();
    void mines.buy(1);
    await pass(0);
    expect([root.modals.shown, root.toasts.shown?.text]).toEqual([null, 'toast.connecting_wallet']);
    await pass(300);
    expect([host.wallet.windows, root.toasts.shown?.text]).toEqual([1, 'errors.wallet_needed']);
    expect(root.route.path).toBe('/mines');
    expect(server.market.orders).toEqual([]);
    await host.wallet.accept();
    await pass(50);
    mines.offer();
    void mines.buy(1);
    await pass(50);
    expect(mines.order).toMatchObject({ kind: 'mine', level: 1 });
  });

  it('is paid by a link, hinted at after the wallet, and open once the chain says so', async () => {
    const { root, mines, host } = await open();
    mines.offer();
    void mines.buy(1);
    await pass(50);
    expect(root.modals.sheet).toBe('order');
    expect(root.modals.shown).toBeNull();
    expect(host.opened).toEqual([server.market.orders[0]?.paymentLink]);
    expect(mines.order).toMatchObject({ kind: 'mine', level: 1 });
    document.dispatchEvent(new Event('visibilitychange'));
    await pass(50);
    expect(server.requests.find(({ path }) => path === '/api/mines/unlock')?.body).toEqual({
      level: 1,
      transaction_hash: server.market.orders[0]?.comment,
    });
    expect(mines.top).toBeNull();
    server.mines.paid();
    await pass(3100);
    expect(mines.top).toMatchObject({ level: 1 });
    expect(host.rewards).toBe(1);
    await pass(1000); // the toast before it has its time
    expect(root.toasts.shown?.text).toBe('toast.mine_open');
  });

  it('is not ordered once the offer is closed again', async () => {
    const { root, mines } = await pressed();
    mines.closeOffer();
    await pass(1000);
    expect([server.market.orders, root.modals.sheet, mines.buying]).toEqual([[], 'none', false]);
  });

  it('is not ordered by a press on an offer that was closed and opened again since', async () => {
    const { root, mines } = await pressed();
    mines.closeOffer();
    mines.offer();
    await pass(1000);
    expect([server.market.orders, root.modals.shown]).toEqual([[], { is: 'mine', level: 1 }]);
    void mines.buy(1);
    await pass(1000);
    expect(server.market.orders).toHaveLength(1);
  });

  it('whose offer is closed while it is being ordered waits, and nobody is led to pay it', async () => {
    const { root, mines, host } = await pressed();
    await pass(250);
    expect(server.requests.at(-1)?.path).toBe('/api/mines/create-payment');
    mines.closeOffer();
    mines.offer();
    await pass(1000);
    expect([root.modals.sheet, root.modals.shown?.is, host.opened]).toEqual(['none', 'mine', []]);
    expect(mines.order).toMatchObject({ kind: 'mine', level: 1, status: 'pending' });
  });

  it('is not ordered, nor a wallet connected, where the offer is closed before the sale’s code has come', async () => {
    server.player(7).user = { ...server.player(7).user, wallet_address: null };
    const { root, mines, host } = await open();
    const sale = await root.loadSale();
    mines.sale = null;
    let come = () => {};
    const code = new Promise<typeof sale>((give) => {
      come = () => give(sale);
    });
    vi.spyOn(root, 'loadSale').mockReturnValue(code);
    mines.offer();
    void mines.buy(1);
    await pass(50);
    mines.closeOffer();
    come();
    await pass(1000);
    expect([host.wallet.windows, sale.wallet.doing, root.toasts.shown]).toEqual([0, 'nothing', null]);
  });

  it('leaves nothing unsent of the one before it', async () => {
    server.mines.own(1);
    const { mines } = await open();
    await digs(mines, 2);
    mines.offer();
    void mines.buy(2);
    await pass(50);
    server.mines.paid();
    await pass(3100);
    expect([mines.top?.level, mines.confirmed]).toEqual([2, 500_000]);
  });

  it('that is ordered by two taps asks for the mines before it and after it', async () => {
    server.delay = 200;
    const { mines } = await open();
    await pass(1000);
    const asked = () => server.requests.filter(({ path }) => path === '/api/mines/status').length;
    const before = asked();
    mines.offer();
    void mines.buy(1);
    await pass(50);
    void mines.buy(1); // the first is being made
    await pass(200);
    mines.offer();
    void mines.buy(1); // its order is shown
    await pass(500);
    expect([server.market.orders.length, asked() - before]).toEqual([1, 2]);
  });

  it('that was refused has the mines asked for, too', async () => {
    const { mines } = await open();
    await pass(100);
    const asked = () => server.requests.filter(({ path }) => path === '/api/mines/status').length;
    const before = asked();
    server.weatherOf['/api/mines/create-payment'] = [{ status: 409, code: 'tournament_not_active' }];
    mines.offer();
    void mines.buy(1);
    await pass(50);
    expect(asked() - before).toBe(2);
  });

  it('is ordered once, however often its answer is lost', async () => {
    const { mines } = await open();
    server.weatherOf['/api/mines/create-payment'] = ['lost answer'];
    mines.offer();
    void mines.buy(1);
    await pass(50);
    mines.offer();
    void mines.buy(1);
    await pass(50);
    expect(server.market.orders).toHaveLength(1);
    const keys = server.requests
      .filter(({ path }) => path === '/api/mines/create-payment')
      .map(({ headers }) => headers.get('Idempotency-Key'));
    expect(keys).toHaveLength(2);
    expect(keys[0]).toBe(keys[1]);
  });
});
