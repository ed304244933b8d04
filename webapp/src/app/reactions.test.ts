import { autorun } from 'mobx';
import { describe, expect, it, vi } from 'vitest';
import { changeUser, pass, ready, server, setUpGame, setVisibility } from '../testing/playGame';

setUpGame();

async function tapping() {
  const started = await ready();
  started.root.route.go('/tap');
  await pass(100);
  expect(started.root.tap.tap()).toEqual({ is: 'counted' });
  return started;
}

describe('while playing', () => {
  it('launch data that grow too old ask to reopen, and keep the taps', async () => {
    const { root } = await tapping();
    server.weather = [{ status: 401, code: 'init_data_expired' }];
    void root.tap.batches.send();
    await pass(0);
    expect(root.shell.shell.is).toBe('expired');
    expect(root.tap.batches.count).toBe(1);
    const { root: reopened } = await ready();
    await pass(0);
    expect(server.player(7).taps).toBe(1);
    expect(reopened.tap.batches.count).toBe(0);
  });

  it('a player the server has forgotten is made anew, and plays on', async () => {
    const { root } = await tapping();
    server.players.clear();
    changeUser({ id: 8 });
    server.weather = [{ status: 404, code: 'not_found' }];
    void root.tap.batches.send();
    await pass(0);
    expect(root.tap.batches.count).toBe(0);
    expect(root.shell.shell.is).toBe('welcome');
    await pass(2500);
    expect(root.shell.shell.is).toBe('ready');
    expect(root.user.user?.id).toBe(8);
    expect(root.tap.tap()).toEqual({ is: 'counted' });
    expect(Object.keys(JSON.parse(localStorage.getItem('accumulated_taps') ?? '{}'))).toEqual(['8']);
    void root.tap.batches.send();
    await pass(0);
    expect(server.player(7).taps).toBe(1);
    const paths = server.requests.map((request) => request.path);
    expect(paths.filter((path) => path === '/api/user/me')).toHaveLength(2);
  });

  it('taps before 00:00 UTC are sent before it, since today’s energy is lost then', async () => {
    vi.setSystemTime(Date.parse('2026-03-01T23:59:40Z'));
    server.serverTime = '2026-03-01T23:59:40Z';
    const { root } = await tapping();
    await pass(5000);
    expect(root.tap.batches.count).toBe(1);
    await pass(4000);
    expect([server.player(7).taps, root.tap.batches.count]).toEqual([1, 0]);
  });

  it('so are those before the end of a season that ends at another hour', async () => {
    vi.setSystemTime('2026-04-19T11:59:40Z');
    server.serverTime = '2026-04-19T11:59:40Z';
    server.seasonStart = '2026-01-19T12:00:00Z';
    const { root } = await tapping();
    await pass(5000);
    expect(root.tap.batches.count).toBe(1);
    await pass(4000);
    expect([server.player(7).taps, root.tap.batches.count]).toEqual([1, 0]);
  });

  it.each([
    ['at noon', '2026-04-19T12:00:00Z'],
    ['with a UTC day', '2026-04-19T00:00:00Z'],
  ])('takes no tap at the end of a season that ends %s that could not be sent any more', async (_, ends) => {
    const end = Date.parse(ends);
    vi.setSystemTime(end - 17_000);
    Object.defineProperty(server, 'serverTime', { get: () => new Date().toISOString() });
    server.seasonStart = new Date(end - 90 * 86_400_000).toISOString();
    const { root } = await tapping();
    const drawn = autorun(() => [root.tap.running, root.settings.season]);
    let [counted, highest] = [1, root.tap.total];
    while (Date.now() < end + 40_000) {
      await pass(150); // fewer of them than are sent at once lie behind the last sync
      if (Date.now() >= end)
        server.weatherOf['/api/tap/perform-batch-tap'] = [{ status: 409, code: 'season_over' }];
      if (root.tap.tap().is === 'counted') counted += 1;
      expect(root.tap.total).toBeGreaterThanOrEqual(highest);
      highest = root.tap.total;
    }
    expect([server.player(7).taps, root.tap.batches.count]).toEqual([counted, 0]);
    expect(counted).toBeGreaterThan(20);
    drawn();
  });

  it('leaving the tap screen saves, under the overlay', async () => {
    const { root } = await tapping();
    root.route.go('/wallet');
    expect(root.tap.saving).toBe(true);
    await pass(2000);
    expect(root.tap.saving).toBe(false);
    expect(server.player(7).taps).toBe(1);
    expect(window.scrollTo).toHaveBeenCalledWith(0, 0);
  });

  it('a page that is hidden sends its taps, and one shown again hears the answer', async () => {
    const { root } = await tapping();
    setVisibility('hidden');
    expect(server.player(7).taps).toBe(1);
    setVisibility('visible');
    await pass(0);
    expect(server.player(7).taps).toBe(1);
    expect(root.tap.batches.count).toBe(0);
  });

  it('a page that closes sends its taps', async () => {
    await tapping();
    window.dispatchEvent(new Event('pagehide'));
    expect(server.player(7).taps).toBe(1);
  });

  it('closing asks first only while taps cannot be saved', async () => {
    const { root, host } = await tapping();
    expect(host.confirms).toBe(false);
    server.online = false;
    void root.tap.batches.send();
    await pass(0);
    expect(host.confirms).toBe(true);
    server.online = true;
    await pass(2000);
    expect(host.confirms).toBe(false);
  });
});
