import { describe, expect, it, vi } from 'vitest';
import type { MinesLeaderboard } from '../../api/types';
import { digs, inMines, setUpMines } from '../../testing/digging';
import { pass, server } from '../../testing/playGame';

setUpMines();

describe('the leaderboard', () => {
  it('refetches once a dig is counted, and every minute', async () => {
    server.mines.own(1);
    const { mines } = await inMines();
    await digs(mines, 1);
    const asked = () =>
      server.requests.filter(({ path }) => path.startsWith('/api/mines/leaderboard')).length;
    mines.refetch();
    const end = mines.board.watch();
    await pass(10);
    const before = asked();
    void mines.digging.batches.send();
    await pass(50);
    expect([before, asked()]).toEqual([1, 2]);
    await pass(60_000);
    expect(asked()).toBe(3);
    end();
    await pass(120_000);
    expect(asked()).toBe(3);
  });

  it('keeps the answer that was requested last', async () => {
    server.mines.own(1);
    const { root, mines } = await inMines();
    const answers: ((answer: MinesLeaderboard) => void)[] = [];
    vi.spyOn(root.api, 'miners').mockImplementation(() => new Promise((give) => answers.push(give)));
    const own = (mcbk: number) => ({ leaderboard: [], me: { ...server.mines.me, mcbk } });
    void mines.board.miners.load();
    void mines.board.miners.load();
    await pass(10);
    answers[1]?.(own(2));
    await pass(10);
    answers[0]?.(own(1));
    await pass(10);
    expect(mines.board.me?.mcbk).toBe(2);
  });
});
