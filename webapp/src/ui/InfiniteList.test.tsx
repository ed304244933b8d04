import { act, fireEvent, render, screen, within } from '@testing-library/react';
import i18next from 'i18next';
import { observer } from 'mobx-react-lite';
import { initReactI18next } from 'react-i18next';
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { ApiError } from '../api/error';
import { en } from '../i18n/en';
import { type Page, type Paged, Pages } from '../stores/Pages';
import { InfiniteList } from './InfiniteList';
import { Row } from './List';

beforeAll(() => i18next.use(initReactI18next).init({ lng: 'en', resources: { en: { translation: en } } }));
// jsdom lays nothing out: here a row is 60 px high, what scrolls shows 600 px, and the list begins `above` px down.
let above = 0;
beforeEach(() => {
  above = 0;
  document.documentElement.style.setProperty('--row-h', '60px');
  vi.useFakeTimers();
  vi.spyOn(HTMLElement.prototype, 'offsetHeight', 'get').mockReturnValue(60);
  vi.spyOn(Element.prototype, 'clientWidth', 'get').mockReturnValue(320);
  vi.spyOn(Element.prototype, 'clientHeight', 'get').mockReturnValue(600);
  vi.spyOn(Element.prototype, 'scrollHeight', 'get').mockImplementation(function (this: Element) {
    return Number.parseFloat(this.querySelector('ul')?.style.height ?? '0');
  });
  vi.spyOn(Element.prototype, 'getBoundingClientRect').mockImplementation(function (this: Element) {
    if (this.tagName !== 'UL') return new DOMRect(0, 0, 320, 600);
    const scrolled = this.closest('main')?.scrollTop ?? 0;
    return new DOMRect(0, above - scrolled, 320, Number.parseFloat((this as HTMLElement).style.height));
  });
});

const rows = (first: number, last: number) => Array.from({ length: last - first + 1 }, (_, n) => first + n);
const rowsTo = (last: number) => rows(1, last);
const keyOf = (n: number) => n;
const offline = ApiError.offline();

function show(list: Paged<number>, pinned?: string) {
  const asked = { more: vi.fn(), retry: vi.fn() };
  const drawn = (now: Paged<number>) => (
    <main style={{ overflowY: 'auto' }}>
      <InfiniteList
        label="Players"
        list={now}
        keyOf={keyOf}
        row={(n) => <Row title={`Player ${n}`} onPress={() => {}} />}
        onMore={asked.more}
        onRetry={asked.retry}
        empty="Nobody yet"
        pinned={pinned}
      />
    </main>
  );
  const { rerender } = render(drawn(list));
  return { ...asked, become: (now: Paged<number>) => rerender(drawn(now)) };
}

const list = () => screen.getByRole('list', { name: 'Players' });
const lines = () => within(list()).getAllByRole('listitem');
const places = () => lines().map((line) => Number(line.getAttribute('aria-posinset')));

function scrollTo(top: number) {
  const box = screen.getByRole('main');
  box.scrollTop = top;
  fireEvent.scroll(box);
}

describe('a long list', () => {
  it('keeps only the rows in sight in the page, each with its place among all', () => {
    show({ is: 'rows', rows: rowsTo(10_000), next: { is: 'end' } });
    expect(lines().length).toBeGreaterThan(9);
    expect(lines().length).toBeLessThan(30);
    expect(lines()[0]?.getAttribute('aria-posinset')).toBe('1');
    expect(lines()[0]?.getAttribute('aria-setsize')).toBe('10000');
  });

  it('takes rows it has never drawn for as high as the least row of the style sheets', () => {
    document.documentElement.style.setProperty('--row-h', '80px');
    show({ is: 'rows', rows: rowsTo(10_000), next: { is: 'end' } });
    const drawn = lines().length;
    expect(list().style.height).toBe(`${drawn * 60 + (10_000 - drawn) * 80}px`);
  });

  it('does not pretend to know its length while the server has more', () => {
    show({ is: 'rows', rows: rowsTo(100), next: { is: 'more' } });
    expect(lines()[0]?.getAttribute('aria-setsize')).toBe('-1');
  });

  it('keeps the row that has the focus, however far away the player scrolls', () => {
    show({ is: 'rows', rows: rowsTo(1000), next: { is: 'end' } });
    const button = screen.getByRole('button', { name: 'Player 2' });
    act(() => button.focus());
    scrollTo(30_000);
    expect(document.activeElement).toBe(button);
    expect(screen.queryByText('Player 1')).toBeNull();
    expect(places()).toEqual([2, ...rows(495, 516)]);
    act(() => button.blur());
    expect(screen.queryByText('Player 2')).toBeNull();
  });

  it('keeps the row that has the focus when it has moved to another place', () => {
    const { become } = show({ is: 'rows', rows: rowsTo(1000), next: { is: 'end' } });
    const button = screen.getByRole('button', { name: 'Player 2' });
    act(() => button.focus());
    scrollTo(30_000);
    become({ is: 'rows', rows: [...rows(2001, 2005), ...rowsTo(995)], next: { is: 'end' } });
    expect(document.activeElement).toBe(button);
    expect(places()).toEqual([7, ...rows(495, 516)]);
  });

  it('keeps no row once the one that had the focus is gone', () => {
    const { become } = show({ is: 'rows', rows: rowsTo(1000), next: { is: 'end' } });
    act(() => screen.getByRole('button', { name: 'Player 2' }).focus());
    scrollTo(30_000);
    become({ is: 'rows', rows: rows(3, 1002), next: { is: 'end' } });
    expect(places()).toEqual(rows(495, 516));
    become({ is: 'rows', rows: rowsTo(1000), next: { is: 'end' } });
    expect(places()).toEqual(rows(495, 516));
  });

  it('measures what lies above it when the player has come to rest, not while the list scrolls', () => {
    show({ is: 'rows', rows: rowsTo(1000), next: { is: 'end' } }, 'You');
    act(() => vi.advanceTimersByTime(1000));
    const measured = vi.mocked(Element.prototype.getBoundingClientRect).mockClear();
    for (const top of [300, 600, 900, 1200]) scrollTo(top);
    expect(places()[0]).toBe(15);
    expect(measured).not.toHaveBeenCalled();
    above = 600;
    act(() => vi.advanceTimersByTime(1000));
    expect(places()[0]).toBe(5);
  });
});

describe('the next page', () => {
  it('is asked for only past 80 % of the rows', () => {
    const { more } = show({ is: 'rows', rows: rowsTo(100), next: { is: 'more' } });
    vi.advanceTimersByTime(1000);
    scrollTo(0.8 * 6000 - 600 - 10);
    vi.advanceTimersByTime(1000);
    expect(more).not.toHaveBeenCalled();
    scrollTo(0.8 * 6000 - 600);
    vi.advanceTimersByTime(1000);
    expect(more).toHaveBeenCalledOnce();
  });

  it('is asked for at once when the rows do not fill the screen', () => {
    const { more } = show({ is: 'rows', rows: rowsTo(5), next: { is: 'more' } });
    vi.advanceTimersByTime(0);
    expect(more).toHaveBeenCalledOnce();
  });

  it('is asked for again when the last one came at once and the screen is still not full', () => {
    const { more, become } = show({ is: 'rows', rows: rowsTo(5), next: { is: 'more' } });
    vi.advanceTimersByTime(0);
    become({ is: 'rows', rows: rowsTo(7), next: { is: 'more' } });
    vi.advanceTimersByTime(150);
    expect(more).toHaveBeenCalledTimes(2);
  });

  it('is asked for at most every 150 ms, however fast the answers and the finger are', () => {
    const { more, become } = show({ is: 'rows', rows: rowsTo(5), next: { is: 'more' } });
    vi.advanceTimersByTime(0);
    for (const elapsed of rowsTo(14)) {
      become({ is: 'rows', rows: rowsTo(5), next: { is: 'more' } });
      scrollTo(elapsed);
      vi.advanceTimersByTime(10);
    }
    expect(more).toHaveBeenCalledOnce();
    vi.advanceTimersByTime(10);
    expect(more).toHaveBeenCalledTimes(2);
  });

  it.each(['loading', 'failed', 'end'] as const)('is not asked for while the last one is %s', (is) => {
    const next = is === 'failed' ? { is, error: offline } : { is };
    const { more } = show({ is: 'rows', rows: rowsTo(5), next });
    scrollTo(100);
    vi.advanceTimersByTime(1000);
    expect(more).not.toHaveBeenCalled();
  });

  it('is announced, and the list is busy until it comes', () => {
    const { become } = show({ is: 'rows', rows: rowsTo(5), next: { is: 'more' } });
    become({ is: 'rows', rows: rowsTo(5), next: { is: 'loading' } });
    expect(list().getAttribute('aria-busy')).toBe('true');
    expect(screen.getByRole('status').textContent).toBe('One moment');
    become({ is: 'rows', rows: rowsTo(9), next: { is: 'end' } });
    expect(list().getAttribute('aria-busy')).toBe('false');
    expect(screen.getByRole('status').textContent).toBe('');
  });
});

describe('a list of the server’s', () => {
  /** Pages of a hundred, each answered or refused by the test. */
  function connected() {
    const asked: { offset: number; answer: () => Promise<void>; refuse: () => Promise<void> }[] = [];
    const pages = new Pages<number>({
      fetchPage: (offset, limit) =>
        new Promise<Page<number>>((resolve, reject) => {
          asked.push({
            offset,
            answer: () => act(async () => resolve({ rows: rows(offset + 1, offset + limit), hasMore: true })),
            refuse: () => act(async () => reject(offline)),
          });
        }),
      keyOf,
      size: 100,
    });
    const row = (n: number) => <Row title={`Player ${n}`} />;
    const more = () => void pages.more();
    const retry = () => pages.retry();
    const Players = observer(() => (
      <main style={{ overflowY: 'auto' }}>
        <InfiniteList
          label="Players"
          list={pages.list}
          keyOf={keyOf}
          row={row}
          onMore={more}
          onRetry={retry}
          empty="Nobody yet"
        />
      </main>
    ));
    render(<Players />);
    const request = (n: number) => asked[n] ?? expect.fail(`there was no request ${n}`);
    return { pages, asked, request };
  }
  /** Time enough for every look at where the player is. */
  const setVisibility = () => act(() => vi.advanceTimersByTime(1000));

  it('goes on by itself after a renewal that failed, for a player who came to its end meanwhile', async () => {
    const { pages, asked, request } = connected();
    act(() => void pages.load());
    await request(0).answer();
    setVisibility();
    act(() => void pages.load());
    scrollTo(5400);
    setVisibility();
    expect(asked.map(({ offset }) => offset)).toEqual([0, 0]);
    await request(1).refuse();
    setVisibility();
    expect(asked.map(({ offset }) => offset)).toEqual([0, 0, 100]);
    await request(2).answer();
    expect(screen.getByText('Player 101')).toBeTruthy();
  });
});

describe('a list that cannot be shown', () => {
  it('says so while it is on its way', () => {
    show({ is: 'loading' });
    expect(screen.getByRole('status').textContent).toBe('One moment');
  });

  it('says why it failed and lets the player try again', () => {
    const { retry } = show({ is: 'failed', error: offline });
    expect(screen.getByRole('status').textContent).toContain(en.errors.offline);
    screen.getByRole('button', { name: 'Retry' }).click();
    expect(retry).toHaveBeenCalledOnce();
  });

  it('says below its rows why there are no more, and keeps the focus when it tries again', () => {
    const { retry, become } = show({ is: 'rows', rows: rowsTo(5), next: { is: 'failed', error: offline } });
    const button = screen.getByRole('button', { name: 'Retry' });
    button.focus();
    button.click();
    expect(retry).toHaveBeenCalledOnce();
    become({ is: 'rows', rows: rowsTo(5), next: { is: 'loading' } });
    expect(document.activeElement?.contains(list())).toBe(true);
    expect(document.activeElement).not.toBe(document.body);
  });

  it('says when it has nobody, and shows the pinned row all the same', () => {
    show({ is: 'rows', rows: [], next: { is: 'end' } }, 'You');
    expect(screen.getByText('Nobody yet')).toBeTruthy();
    expect(screen.getByText('You')).toBeTruthy();
    expect(screen.queryByRole('list')).toBeNull();
  });
});
