import { autorun } from 'mobx';
import { describe, expect, it } from 'vitest';
import { ApiError } from '../api/error';
import { type Page, Pages } from './Pages';

type Player = { id: number; coins: number };

const size = 3;

/** A list whose pages are answered in the order the test chooses. */
function open() {
  const asked: {
    offset: number;
    answer: (ids: number[], hasMore?: boolean, coins?: number) => Promise<void>;
    refuse: (error?: unknown) => Promise<void>;
  }[] = [];
  const pages = new Pages<Player>({
    fetchPage: (offset, limit) => {
      expect(limit).toBe(size);
      return new Promise<Page<Player>>((resolve, reject) => {
        asked.push({
          offset,
          answer: async (ids, hasMore = true, coins = 0) => {
            resolve({ rows: ids.map((id) => ({ id, coins })), hasMore });
            await settled();
          },
          refuse: async (error = ApiError.offline()) => {
            reject(error);
            await settled();
          },
        });
      });
    },
    keyOf: ({ id }) => id,
    size,
  });
  const request = (n: number) => asked[n] ?? expect.fail(`there was no request ${n}`);
  const ids = () => (pages.list.is === 'rows' ? pages.list.rows.map(({ id }) => id) : null);
  const next = () => (pages.list.is === 'rows' ? pages.list.next.is : null);
  return { pages, asked, request, ids, next };
}

/** Every step of a flow that can be taken is taken. */
async function settled() {
  for (let step = 0; step < 10; step++) await Promise.resolve();
}

/** A list that has its first page. */
async function opened() {
  const list = open();
  void list.pages.load();
  await list.request(0).answer([1, 2, 3]);
  expect(list.ids()).toEqual([1, 2, 3]);
  return list;
}

it('asks for nothing before it is told to', () => {
  const { pages, asked } = open();
  void pages.more();
  pages.retry();
  expect(pages.list.is).toBe('unasked');
  expect(asked).toHaveLength(0);
});

it('grows page by page until the server has no more', async () => {
  const { pages, asked, request, ids, next } = await opened();
  expect(next()).toBe('more');
  void pages.more();
  expect(request(1).offset).toBe(3);
  expect(next()).toBe('loading');
  await request(1).answer([4, 5], false);
  expect(ids()).toEqual([1, 2, 3, 4, 5]);
  expect(next()).toBe('end');
  void pages.more();
  expect(asked).toHaveLength(2);
});

it('an empty page ends it, whatever the server says of more', async () => {
  const { pages, request, next } = await opened();
  void pages.more();
  await request(1).answer([], true);
  expect(next()).toBe('end');
});

it('asks for no further page while one is on its way', async () => {
  const { pages, asked, request, ids } = await opened();
  void pages.more();
  void pages.more();
  expect(asked).toHaveLength(2);
  await request(1).answer([4]);
  expect(ids()).toEqual([1, 2, 3, 4]);
});

it('of two loads at once the later is believed, and no row comes twice', async () => {
  for (const order of [
    [0, 1],
    [1, 0],
  ]) {
    const { pages, request, ids } = open();
    void pages.load();
    void pages.load();
    for (const n of order) await request(n).answer(n === 0 ? [1, 2, 3] : [2, 1, 3]);
    expect(ids()).toEqual([2, 1, 3]);
  }
});

it('a further page of the old list is not put under the new one', async () => {
  const { pages, request, ids, next } = await opened();
  void pages.more();
  void pages.load();
  await request(2).answer([7, 8, 9]);
  await request(1).answer([4, 5, 6]);
  expect(ids()).toEqual([7, 8, 9]);
  expect(next()).toBe('more');
  void pages.more();
  expect(request(3).offset).toBe(3);
});

it('keeps its rows while it loads anew, and asks for nothing below them', async () => {
  const { pages, asked, request, ids } = await opened();
  void pages.load();
  expect(ids()).toEqual([1, 2, 3]);
  void pages.more();
  expect(asked).toHaveLength(2);
  await request(1).refuse();
  expect(ids()).toEqual([1, 2, 3]);
  void pages.more();
  expect(request(2).offset).toBe(3);
});

it('goes on after a load that failed while a page was on its way', async () => {
  const { pages, request, ids, next } = await opened();
  void pages.more();
  void pages.load();
  await request(1).answer([4, 5, 6]);
  await request(2).refuse();
  expect(ids()).toEqual([1, 2, 3]);
  expect(next()).toBe('more');
});

it('a row that moved to the next page meanwhile is shown once, and none is passed over', async () => {
  const { pages, request, ids } = await opened();
  void pages.more();
  await request(1).answer([3, 4, 5]);
  expect(ids()).toEqual([1, 2, 3, 4, 5]);
  void pages.more();
  expect(request(2).offset).toBe(6);
});

it('a first page that failed is asked for again by Retry', async () => {
  const { pages, request, ids } = open();
  void pages.load();
  await request(0).refuse();
  expect(pages.list).toMatchObject({ is: 'failed', error: { code: 'offline' } });
  pages.retry();
  expect(pages.list.is).toBe('loading');
  await request(1).answer([1]);
  expect(ids()).toEqual([1]);
});

it('a further page that failed leaves the rows, and only Retry asks for it again', async () => {
  const { pages, asked, request, ids } = await opened();
  void pages.more();
  await request(1).refuse(new ApiError({ code: 'rate_limited', status: 429 }));
  expect(pages.list).toMatchObject({ is: 'rows', next: { is: 'failed', error: { code: 'rate_limited' } } });
  void pages.more();
  expect(asked).toHaveLength(2);
  pages.retry();
  expect(request(2).offset).toBe(3);
  await request(2).answer([4]);
  expect(ids()).toEqual([1, 2, 3, 4]);
});

it('a renewal that failed says that there is more, to whoever was refused meanwhile', async () => {
  const { pages, request, next } = await opened();
  const said: unknown[] = [];
  const stop = autorun(() => said.push(next()));
  void pages.load();
  void pages.more();
  await request(1).refuse();
  stop();
  expect(said).toEqual(['more', 'loading', 'more']);
});

it('a renewal is another try at a page that failed, and Retry does not run ahead of it', async () => {
  const { pages, asked, request, ids, next } = await opened();
  void pages.more();
  await request(1).refuse();
  void pages.load();
  pages.retry();
  expect(asked).toHaveLength(3);
  await request(2).refuse();
  expect(ids()).toEqual([1, 2, 3]);
  expect(next()).toBe('more');
});

it('a list that has ended has ended while it is renewed, too', async () => {
  const { pages, asked, request, next } = await opened();
  void pages.more();
  await request(1).answer([4], false);
  void pages.load();
  expect(next()).toBe('end');
  await request(2).refuse();
  expect(next()).toBe('end');
  expect(asked).toHaveLength(3);
});

describe('a defect of our own', () => {
  const defect = new TypeError('undefined is not a function');

  it('is thrown on by the first page, which has failed', async () => {
    const { pages, request } = open();
    const thrown = expect(pages.load()).rejects.toThrow(defect);
    await request(0).refuse(defect);
    await thrown;
    expect(pages.list).toMatchObject({ is: 'failed', error: { code: 'internal' } });
  });

  it('is thrown on by a further page, which has failed and may be asked for again', async () => {
    const { pages, request, ids } = await opened();
    const thrown = expect(pages.more()).rejects.toThrow(defect);
    await request(1).refuse(defect);
    await thrown;
    expect(pages.list).toMatchObject({ is: 'rows', next: { is: 'failed', error: { code: 'internal' } } });
    pages.retry();
    await request(2).answer([4]);
    expect(ids()).toEqual([1, 2, 3, 4]);
  });
});
