import { describe, expect, it, vi } from 'vitest';
import { changeUser, pass, ready, requestsTo, server, setUpGame } from '../testing/playGame';

setUpGame();

describe('while playing', () => {
  it('midnight UTC brings the new day and full energy', async () => {
    const { root } = await ready();
    server.player(7).energy = 3;
    await root.energy.load();
    await pass(12 * 3_600_000 - 3000);
    expect(root.energy.value?.current_energy).toBe(3);
    server.player(7).energy = 1000;
    server.serverTime = '2026-03-02T00:00:00Z';
    await pass(1000);
    expect(root.energy.value?.current_energy).toBe(1000);
  });

  it('a new day is asked for again when an answer of the old one came after the question', async () => {
    vi.setSystemTime('2026-03-01T23:59:30Z');
    server.serverTime = '2026-03-01T23:59:30Z';
    const player = server.player(7);
    player.energy = 5;
    changeUser({ can_get_prediction: false });
    const { root } = await ready();
    root.route.go('/tap');
    await pass(25_000);
    server.silence = 4000; // 23:59:57.5: an empty bag is saved, and its answer is slow
    for (let taps = 0; taps < 6; taps += 1) {
      root.tap.tap();
      await pass(100);
    }
    await pass(1800);
    server.serverTime = '2026-03-02T00:00:00Z';
    player.energy = 1000;
    changeUser({ can_get_prediction: true });
    await pass(20_000);
    expect(root.energy.value?.current_energy).toBe(1000);
    expect(root.user.user?.can_get_prediction).toBe(true);
  });

  it('a new day that was not told is asked for until it is', async () => {
    const { root } = await ready();
    server.player(7).energy = 0;
    await root.energy.load();
    server.weatherOf['/api/tap/energy-status'] = ['cut', 'cut', { status: 503, code: 'overloaded' }];
    await pass(12 * 3_600_000 - 3000);
    server.player(7).energy = 1000;
    server.serverTime = '2026-03-02T00:00:00Z';
    await pass(1000);
    expect(root.energy.value?.current_energy).toBe(0);
    await pass(60_000);
    expect(root.energy.value?.current_energy).toBe(1000);
    const before = server.requests.length;
    await pass(120_000);
    expect(server.requests.length).toBe(before);
  });

  it.each([
    ['looked at', document, 'visibilitychange'],
    ['back in the network', window, 'online'],
  ])('a new day that was not told is asked for once the page is %s', async (_, place, event) => {
    const { root } = await ready();
    server.player(7).energy = 0;
    await root.energy.load();
    await pass(12 * 3_600_000 - 3000);
    server.online = false;
    await pass(60_000);
    server.online = true;
    server.player(7).energy = 1000;
    server.serverTime = '2026-03-02T00:01:00Z';
    place.dispatchEvent(new Event(event));
    await pass(10);
    expect(root.energy.value?.current_energy).toBe(1000);
  });

  it('a new day whose tasks alone were not told is asked for, too', async () => {
    const { root } = await ready();
    await pass(12 * 3_600_000 - 3000);
    const asked = () => requestsTo('tasks').length;
    const before = asked();
    server.weatherOf['/api/tasks'] = [{ status: 503, code: 'overloaded' }];
    server.serverTime = '2026-03-02T00:00:00Z';
    await pass(60_000);
    expect(asked()).toBe(before + 2);
    expect(root.tasks.resource.state.is).toBe('ready');
  });

  it('a new day that the server has not come to yet is asked for once it has', async () => {
    const { root } = await ready();
    server.player(7).energy = 0;
    await root.energy.load();
    server.serverTime = '2026-03-01T23:59:58Z';
    await pass(12 * 3_600_000 - 2000);
    expect(root.energy.value?.current_energy).toBe(0);
    server.player(7).energy = 1000;
    server.serverTime = '2026-03-02T00:00:00Z';
    await pass(3000);
    expect(root.energy.value?.current_energy).toBe(1000);
  });

  it('the season that began while nobody looked is asked for with the next look', async () => {
    server.seasonStart = '2026-03-01T18:00:00Z';
    const { root } = await ready();
    vi.setSystemTime('2026-03-01T18:00:01Z');
    server.serverTime = '2026-03-01T18:00:01Z';
    document.dispatchEvent(new Event('visibilitychange'));
    await pass(10);
    expect(root.settings.wasRunning).toBe(true);
  });

  it('midnight comes in time for a phone whose timers slept with it', async () => {
    const { root } = await ready();
    vi.setSystemTime('2026-03-01T20:00:00Z');
    server.serverTime = '2026-03-01T20:00:00Z';
    document.dispatchEvent(new Event('visibilitychange'));
    await pass(0);
    server.player(7).energy = 500;
    server.serverTime = '2026-03-02T00:00:00Z';
    await pass(4 * 3_600_000);
    expect(root.energy.value?.current_energy).toBe(500);
  });
});

describe('the clock', () => {
  it('is the server’s, whatever the device thinks', async () => {
    vi.setSystemTime('2031-01-01T03:00:00Z');
    server.serverTime = '2026-03-01T23:00:00Z';
    const { root } = await ready();
    expect(root.clock.untilNextDay).toBe(3_600_000 - 2500);
  });

  it('is the server’s again once somebody looks, though the device’s was set meanwhile', async () => {
    const { root } = await ready();
    vi.setSystemTime('2026-03-01T15:00:00Z');
    document.dispatchEvent(new Event('visibilitychange'));
    await pass(10);
    expect(root.clock.untilNextDay).toBe(12 * 3_600_000 - 10);
  });

  it('that was set back does not hide the new day that has begun meanwhile', async () => {
    vi.setSystemTime('2026-03-01T15:00:00Z'); // three hours ahead
    const { root } = await ready();
    vi.setSystemTime('2026-03-02T00:05:00Z');
    server.serverTime = '2026-03-02T00:05:00Z';
    server.player(7).energy = 500;
    document.dispatchEvent(new Event('visibilitychange'));
    await pass(10);
    expect(root.energy.value?.current_energy).toBe(500);
    expect(root.settings.settings?.server_time).toBe(server.serverTime);
  });

  it('that was never set costs nothing to look at', async () => {
    await ready();
    await pass(3_600_000);
    const asked = () => requestsTo('settings').length;
    document.dispatchEvent(new Event('visibilitychange'));
    await pass(10);
    expect(asked()).toBe(1);
  });

  it('brings midnight in time after the device’s was set', async () => {
    const { root } = await ready();
    vi.setSystemTime('2026-03-01T15:00:00Z');
    document.dispatchEvent(new Event('visibilitychange'));
    await pass(12 * 3_600_000 - 10);
    server.player(7).energy = 500;
    server.serverTime = '2026-03-02T00:00:00Z';
    await pass(10);
    expect(root.energy.value?.current_energy).toBe(500);
  });
});
