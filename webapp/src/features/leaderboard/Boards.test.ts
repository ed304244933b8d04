import { beforeEach, describe, expect, it, vi } from 'vitest';
import { aLeader, someLeaders } from '../../testing/FakeLeaderboard';
import { changeUser, pass, playGame, requestsTo, server, setUpGame } from '../../testing/playGame';
import { boardsOf } from './useBoards';

setUpGame();

beforeEach(() => {
  server.leaderboard.others = someLeaders(250);
});

async function open() {
  const { root } = await playGame();
  return { root, boards: boardsOf(root) };
}

/** The boards asked for so far, as `type offset`. */
const asked = () =>
  requestsTo('leaderboard')
    .map(({ query }) => new URLSearchParams(query))
    .map((query) => `${query.get('type')} ${query.get('limit')} ${query.get('offset')}`);
const first = (type: string) => `${type} 100 0`;

describe('a leaderboard', () => {
  it('comes in pages of a hundred, with the player’s own place', async () => {
    const { boards } = await open();
    boards.watch();
    await pass(10);
    expect(boards.own).toMatchObject({ rank: 128, game_mcbk: 12_480.25 });
    await boards.pages.more();
    await boards.pages.more();
    const { list } = boards.pages;
    if (list.is !== 'rows') throw new Error(list.is);
    expect(list.rows.map(({ rank }) => rank)).toEqual(Array.from({ length: 251 }, (_, n) => n + 1));
    expect(list.next.is).toBe('end');
    expect(asked()).toEqual([first('coins'), 'coins 100 100', 'coins 100 200']);
  });

  it('ends where the server tells no further', async () => {
    server.leaderboard.others = someLeaders(10_200);
    const { boards } = await open();
    boards.watch();
    await pass(10);
    for (let page = 1; page <= 105; page += 1) await boards.pages.more();
    const { list } = boards.pages;
    expect(list.is === 'rows' && [list.rows.length, list.next.is]).toEqual([10_100, 'end']);
    expect(asked().at(-1)).toBe('coins 100 10000');
  });

  it('shows the player as known from elsewhere until the server has told', async () => {
    changeUser({ balance: { game_mcbk: 5.25, game_points: 40 }, stats: { leaderboard_rank: 9 } });
    server.delay = 1000;
    const { boards } = await open();
    await pass(2000);
    boards.watch();
    expect(boards.own).toMatchObject({ rank: 9, first_name: 'Marina', game_mcbk: 5.25, game_points: 40 });
    boards.choose('points');
    expect(boards.own).toMatchObject({ rank: null, game_points: 40 });
    await pass(1000);
    expect(boards.own).toMatchObject({ rank: 75, game_points: 4120 });
  });

  it('tells the other screens the newest place of the player', async () => {
    const { boards, root } = await open();
    const place = () => root.user.user?.stats.leaderboard_rank;
    const before = place();
    boards.choose('points');
    boards.watch()();
    await pass(10);
    expect(place()).toBe(before);
    boards.choose('coins');
    boards.watch()();
    await pass(10);
    expect(boards.own?.rank).not.toBe(before);
    expect(place()).toBe(boards.own?.rank);
  });

  it('comes anew each time it is opened, and then once a minute while somebody looks', async () => {
    const { boards } = await open();
    const leave = boards.watch();
    await pass(59_000);
    expect(asked()).toEqual([first('coins')]);
    server.leaderboard.me = aLeader({ game_mcbk: 1_000_000 });
    await pass(2000);
    expect(asked()).toHaveLength(2);
    expect(boards.own).toMatchObject({ rank: 1 });
    leave();
    await pass(300_000);
    expect(asked()).toHaveLength(2);
    boards.watch()();
    await pass(10);
    expect(asked()).toHaveLength(3);
  });

  it('stays where the player has scrolled to', async () => {
    const { boards } = await open();
    boards.watch();
    await pass(10);
    await boards.pages.more();
    await pass(300_000);
    expect(asked()).toEqual([first('coins'), 'coins 100 100']);
  });

  it('is not asked for while nobody sees the page', async () => {
    const { boards } = await open();
    boards.watch();
    const seen = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden');
    await pass(300_000);
    expect(asked()).toHaveLength(1);
    seen.mockReturnValue('visible');
    await pass(1000);
    expect(asked()).toHaveLength(2);
  });

  it('is asked for when its tab is chosen, but not twice within a minute', async () => {
    const { boards } = await open();
    boards.watch();
    await pass(10);
    for (const tab of ['points', 'coins', 'purchased_coins', 'points'] as const) {
      boards.choose(tab);
      await pass(1000);
    }
    expect(asked()).toEqual([first('coins'), first('points'), first('purchased_coins')]);
    await pass(58_000);
    expect(asked().slice(3)).toEqual([first('points')]);
    boards.choose('coins');
    await pass(10);
    expect(asked().slice(4)).toEqual([first('coins')]);
  });

  it('is asked for more often while the server counts the ranks', async () => {
    server.leaderboard.counting = true;
    const { boards } = await open();
    boards.watch();
    await pass(10);
    expect([boards.counting, boards.own?.rank]).toEqual([true, null]);
    server.leaderboard.counting = false;
    await pass(10_000);
    expect([boards.counting, boards.own?.rank]).toEqual([false, 128]);
    await pass(30_000);
    expect(asked()).toHaveLength(2);
  });

  it('believes the newest answer about the player, not the last to come', async () => {
    const { boards } = await open();
    server.delay = 3000;
    boards.watch();
    await pass(1000);
    server.delay = 0;
    server.leaderboard.me = aLeader({ game_mcbk: 300_000 });
    boards.watch();
    await pass(10);
    expect(boards.own?.rank).toBe(1);
    server.leaderboard.me = aLeader();
    await pass(5000);
    expect(asked()).toHaveLength(2);
    expect(boards.own?.rank).toBe(1);
  });
});
