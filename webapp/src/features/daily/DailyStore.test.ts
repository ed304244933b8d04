import { beforeEach, describe, expect, it, vi } from 'vitest';
import { aReward } from '../../testing/FakeServer';
import {
  changeUser,
  pass,
  playGame,
  requestsTo,
  server,
  setUpGame,
  setVisibility,
} from '../../testing/playGame';

setUpGame();

beforeEach(() => {
  server.player(7).due = aReward();
});

const asked = () => requestsTo('user/checkin');

const focus = () => window.dispatchEvent(new Event('focus'));

describe('the check-in', () => {
  it('runs on load, and adds the reward to the balance at once', async () => {
    changeUser({ balance: { game_mcbk: 0.1, game_points: 5 } });
    server.player(7).due = aReward({ bonusCoin: 0.2 });
    const { root } = await playGame();
    expect(asked()).toHaveLength(1);
    expect(root.daily.reward).toEqual(aReward({ bonusCoin: 0.2 }));
    expect(root.user.user?.balance).toMatchObject({ game_mcbk: 0.3, game_points: 35 });
    expect(root.user.user?.stats.total_days_in_game).toBe(9);
    expect(requestsTo('user/me')).toHaveLength(1);
  });

  it('waits for the season, and comes with it', async () => {
    server.seasonStart = '2026-03-01T12:00:10Z';
    const { root } = await playGame();
    focus();
    await pass(5000);
    expect(asked()).toHaveLength(0);
    server.serverTime = server.seasonStart;
    await pass(10_000);
    expect(asked()).toHaveLength(1);
    expect(root.daily.reward).toEqual(aReward());
  });

  it('is over with the season', async () => {
    server.seasonStart = '2025-11-01T12:00:00Z';
    await playGame();
    focus();
    await pass(5000);
    expect(asked()).toHaveLength(0);
  });

  it('changes nothing when today’s reward was taken before', async () => {
    server.player(7).due = null;
    const { root } = await playGame();
    expect(asked()).toHaveLength(1);
    expect(root.daily.reward).toBeNull();
    expect(root.modals.shown).toBeNull();
    expect(root.user.user).toEqual(server.player(7).user);
  });

  it('runs at most once a calendar date, however often the page is looked at', async () => {
    await playGame();
    setVisibility('visible');
    focus();
    await pass(100);
    setVisibility('hidden');
    setVisibility('visible');
    focus();
    await pass(3_600_000);
    focus();
    await pass(0);
    expect(asked()).toHaveLength(1);
  });

  it('belongs to the date in UTC: not a millisecond before midnight, but after it', async () => {
    const { root } = await playGame();
    root.daily.claim();
    server.player(7).due = aReward({ streak: 4 });
    await pass(Date.parse('2026-03-01T23:59:59.999Z') - Date.now());
    focus();
    await pass(0);
    expect(asked()).toHaveLength(1);
    server.serverTime = '2026-03-02T00:00:00Z';
    await pass(2);
    focus();
    setVisibility('visible');
    await pass(0);
    expect(asked()).toHaveLength(2);
    expect(root.daily.reward?.streak).toBe(4);
    expect(root.modals.shown?.is).toBe('daily');
  });

  it('waits for the server’s midnight, where ours comes first', async () => {
    const { root } = await playGame();
    root.daily.claim();
    vi.spyOn(root.platform, 'random').mockReturnValue(0.5);
    setVisibility('visible'); // from now on midnight is awaited with 5 s of spread
    await pass(Date.parse('2026-03-02T00:00:00.001Z') - Date.now());
    server.serverTime = '2026-03-01T23:59:58Z';
    focus();
    await pass(100);
    expect(asked()).toHaveLength(1);
    server.serverTime = '2026-03-02T00:00:03Z';
    server.player(7).due = aReward({ streak: 4 });
    await pass(20_000);
    expect(asked()).toHaveLength(2);
    expect(root.daily.reward?.streak).toBe(4);
    expect(root.modals.shown?.is).toBe('daily');
  });

  it('waits for the answer that tells the new day, whichever else comes before', async () => {
    const { root } = await playGame();
    const { settings } = root.api;
    vi.spyOn(root.api, 'settings').mockImplementation(async () => {
      await new Promise((later) => setTimeout(later, 500));
      return settings();
    });
    server.serverTime = '2026-03-02T00:00:00Z';
    await pass(Date.parse('2026-03-02T00:00:00.100Z') - Date.now());
    expect(asked()).toHaveLength(1);
    await pass(500);
    expect(asked()).toHaveLength(2);
  });

  it('comes to who plays while midnight overtakes the answer that tells the day', async () => {
    const { root } = await playGame();
    await pass(11 * 3_600_000);
    server.delay = 400;
    server.serverTime = '2026-03-01T23:59:59.900Z';
    await pass(3_600_000);
    expect(asked()).toHaveLength(1);
    server.serverTime = '2026-03-02T00:00:01Z';
    await pass(20_000);
    expect(asked()).toHaveLength(2);
    expect(root.settings.settings?.server_time).toBe(server.serverTime);
  });

  it('comes to who opens the game while midnight overtakes the answer that tells the day', async () => {
    server.delay = 400;
    server.serverTime = '2026-03-01T23:59:59.900Z';
    const { root } = await playGame();
    expect(asked()).toHaveLength(0);
    server.serverTime = '2026-03-02T00:00:01Z';
    await pass(20_000);
    expect(root.daily.reward).toEqual(aReward());
    expect(root.settings.settings?.server_time).toBe(server.serverTime);
  });

  it('comes by a look at the window alone, where the timers slept over midnight, and is asked for once', async () => {
    await playGame();
    server.serverTime = '2026-03-02T00:10:00Z';
    vi.setSystemTime('2026-03-02T00:10:00Z');
    focus();
    focus();
    await pass(100);
    expect(asked()).toHaveLength(2);
    expect(requestsTo('settings')).toHaveLength(2);
  });

  it('goes by the server’s date, whatever the device thinks', async () => {
    vi.setSystemTime('2031-01-01T05:00:00Z');
    server.serverTime = '2026-03-01T23:59:00Z';
    await playGame();
    await pass(50_000);
    focus();
    await pass(0);
    expect(asked()).toHaveLength(1);
    server.serverTime = '2026-03-02T00:00:00Z';
    await pass(10_000);
    focus();
    await pass(0);
    expect(asked()).toHaveLength(2);
  });

  it('comes with the new day to who is playing, but not to a page nobody looks at', async () => {
    const { root } = await playGame();
    root.daily.claim();
    server.serverTime = '2026-03-02T00:00:00Z';
    await pass(12 * 3_600_000);
    expect(asked()).toHaveLength(2);
    setVisibility('hidden');
    server.serverTime = '2026-03-03T00:00:00Z';
    const before = server.requests.length;
    await pass(24 * 3_600_000);
    expect(server.requests.length).toBe(before);
    setVisibility('visible');
    await pass(0);
    expect(asked()).toHaveLength(3);
  });

  it('waits for the age consent, and runs as soon as it is given', async () => {
    changeUser({ age_consent_accepted: false });
    const { root } = await playGame();
    focus();
    void root.daily.checkIn();
    await pass(0);
    expect(asked()).toHaveLength(0);
    void root.user.change({ age_consent_accepted: true });
    await pass(0);
    expect(asked()).toHaveLength(1);
    expect(root.modals.shown).toBeNull(); // the rules are still leaving
    await pass(500);
    expect(root.modals.shown?.is).toBe('daily');
  });

  it('of an earlier version of the server is shown, and the player asked for', async () => {
    const { root } = await playGame();
    const { user, ...reward } = { user: root.user.user, ...aReward({ totalDaysInGame: 10 }) };
    expect(user?.balance.game_mcbk).toBe(1);
    vi.spyOn(root.api, 'checkIn').mockResolvedValue(reward as never);
    changeUser({ balance: { game_mcbk: 2 } });
    server.serverTime = '2026-03-02T00:00:01Z';
    await pass(Date.parse('2026-03-02T00:00:05Z') - Date.now());
    expect([root.daily.reward?.totalDaysInGame, root.user.user?.balance.game_mcbk]).toEqual([10, 2]);
  });

  it('keeps its coins from Home’s balance until they are claimed', async () => {
    const { root } = await playGame();
    expect([root.modals.shown?.is, root.daily.unclaimed]).toEqual(['daily', 1_000_000]);
    root.modals.closeTop();
    expect(root.daily.unclaimed).toBe(0);
    root.daily.open(); // to be doubled
    expect(root.daily.unclaimed).toBe(0);
  });

  it('is ignored while a request for the user is loading', async () => {
    server.player(7).due = null;
    const { root } = await playGame();
    vi.setSystemTime('2026-03-02T00:00:00Z');
    server.serverTime = '2026-03-02T00:00:00Z';
    server.delay = 500;
    void root.user.change({ notifications: false });
    await pass(1);
    focus();
    setVisibility('visible');
    void root.daily.checkIn();
    await pass(1);
    expect(asked()).toHaveLength(1);
    server.delay = 0;
    await pass(600);
    expect(asked()).toHaveLength(2);
  });

  it('asks once where the page becomes visible and gets the focus in one moment', async () => {
    const { root } = await playGame();
    server.delay = 500;
    vi.setSystemTime('2026-03-02T00:00:00Z');
    server.serverTime = '2026-03-02T00:00:00Z';
    server.player(7).due = aReward({ streak: 4, totalDaysInGame: 10 });
    focus();
    setVisibility('visible');
    focus();
    await pass(100);
    focus();
    await pass(2000);
    expect(asked()).toHaveLength(2);
    expect(root.user.user).toEqual(server.player(7).user);
  });

  it('only logs a failure, and asks again when the page is next looked at', async () => {
    const log = vi.spyOn(console, 'warn').mockReturnValue();
    server.weatherOf['/api/user/checkin'] = [{ status: 503, code: 'try_again' }, 'cut'];
    const { root } = await playGame();
    expect(log).toHaveBeenLastCalledWith('check-in', 'try_again');
    focus();
    await pass(0);
    expect(log).toHaveBeenLastCalledWith('check-in', 'offline');
    expect([root.toasts.shown, root.modals.shown, root.shell.shell.is]).toEqual([null, null, 'ready']);
    focus();
    await pass(0);
    expect(asked()).toHaveLength(3);
    expect(root.modals.shown?.is).toBe('daily');
  });

  it('that failed is asked for again by itself, ever later, while the page is looked at', async () => {
    vi.spyOn(console, 'warn').mockReturnValue();
    server.weatherOf['/api/user/checkin'] = ['cut', 'cut', 'cut', 'lost answer', 'cut'];
    const { root } = await playGame();
    const times: number[] = [];
    for (let second = 3; second <= 170; second += 1) {
      const before = asked().length;
      await pass(1000);
      if (asked().length > before) times.push(second);
    }
    expect(times).toEqual([15, 45, 105, 165]);
    setVisibility('hidden');
    await pass(600_000);
    expect(asked()).toHaveLength(5);
    setVisibility('visible');
    await pass(0);
    expect(root.daily.reward).toEqual(aReward());
    expect(new Set(asked().map(({ headers }) => headers.get('Idempotency-Key'))).size).toBe(1);
    await pass(600_000);
    expect(asked()).toHaveLength(6);
  });

  it('that failed is asked for again once the network is back', async () => {
    vi.spyOn(console, 'warn').mockReturnValue();
    server.weatherOf['/api/user/checkin'] = ['cut'];
    const { root } = await playGame();
    window.dispatchEvent(new Event('online'));
    await pass(0);
    expect(root.daily.reward).toEqual(aReward());
    await pass(600_000);
    expect(asked()).toHaveLength(2);
  });

  it('is told again of a reward whose answer was lost', async () => {
    vi.spyOn(console, 'warn').mockReturnValue();
    server.weatherOf['/api/user/checkin'] = ['lost answer'];
    const { root } = await playGame();
    expect(root.daily.reward).toBeNull();
    focus();
    await pass(0);
    expect(root.daily.reward).toEqual(aReward());
    const keys = asked().map(({ headers }) => headers.get('Idempotency-Key'));
    expect(keys[0]).toBe(keys[1]);
  });

  it('adds a reward once, whose answer was lost before other figures had it', async () => {
    vi.spyOn(console, 'warn').mockReturnValue();
    server.weatherOf['/api/user/checkin'] = ['lost answer', 'cut'];
    const { root } = await playGame();
    await root.user.refresh();
    const paid = server.player(7).user.balance;
    expect([root.daily.reward, root.user.user?.balance]).toEqual([null, paid]);
    await pass(60_000);
    expect([root.daily.reward, root.user.user?.balance]).toEqual([aReward(), paid]);
  });

  it('adds the reward once, when other figures overtake its answer', async () => {
    const { root } = await playGame();
    vi.setSystemTime('2026-03-02T00:00:00Z');
    server.serverTime = '2026-03-02T00:00:00Z';
    await root.settings.load();
    server.player(7).due = aReward({ streak: 4 });
    server.silence = 500;
    focus();
    await pass(100);
    // The server has paid already, and says so to whoever else asks.
    server.silence = 0;
    void root.user.refresh();
    await pass(100);
    expect(root.user.user?.balance.game_mcbk).toBe(2);
    await pass(1000);
    expect(root.daily.reward?.streak).toBe(4);
    expect(root.user.user?.balance).toMatchObject({ game_mcbk: 2, game_points: 60 });
  });
});
