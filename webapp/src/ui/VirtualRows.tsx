import { defaultRangeExtractor, type Range, useVirtualizer } from '@tanstack/react-virtual';
import { memo, type ReactNode, useCallback, useLayoutEffect, useMemo, useRef, useState } from 'react';
import styles from './InfiniteList.module.css';
import look from './List.module.css';
import { useNearEnd } from './nearEnd';

/** Rows kept ready on either side of those in sight. */
const overscan = 6;

type Props<Item> = {
  label: string;
  rows: readonly Item[];
  next: 'end' | 'more' | 'loading' | 'failed';
  keyOf: (item: Item) => string | number;
  row: (item: Item) => ReactNode;
  onMore: () => void;
};

/** As many of the rows as are in sight, each where it would be among all of them. */
export function VirtualRows<Item>({ label, rows, next, keyOf, row, onMore }: Props<Item>) {
  const list = useRef<HTMLUListElement>(null);
  const [box, setBox] = useState<HTMLElement | null>(null);
  /** What scrolls along above the list, in pixels. */
  const [above, setAbove] = useState(0);
  /** What a row is taken to measure until it is in the page. */
  const [guess] = useState(leastHeight);
  /** The key of the row that has the focus: it stays in the page wherever the player scrolls to, or it moves to. */
  const [focused, setFocused] = useState<string | number | null>(null);
  const focusedAt = useMemo(
    () => (focused === null ? -1 : rows.findIndex((item) => keyOf(item) === focused)),
    [focused, rows, keyOf],
  );
  // A removed row loses the focus without an event.
  if (focused !== null && focusedAt < 0) setFocused(null);

  useLayoutEffect(() => setBox(scrollingParent(list.current)), []);
  useNearEnd(list, box, rows, next === 'more' ? onMore : null);

  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => box,
    estimateSize: () => guess,
    overscan,
    scrollMargin: above,
    getItemKey: useCallback(
      (index: number) => {
        const item = rows[index];
        return item === undefined ? index : keyOf(item);
      },
      [rows, keyOf],
    ),
    rangeExtractor: useCallback(
      (range: Range) => {
        const seen = defaultRangeExtractor(range);
        if (focusedAt < 0 || seen.includes(focusedAt)) return seen;
        return [...seen, focusedAt].sort((a, b) => a - b);
      },
      [focusedAt],
    ),
  });
  // A row above the edge that is not as high as was guessed must not move those in sight. But a correction ends the
  // browser's own scrolling, and on the way down, past rows too fast to be seen, nobody would notice it missing.
  virtual.shouldAdjustScrollPositionOnItemSizeChange = (row, _, scroll) =>
    row.start < (scroll.scrollOffset ?? 0) && !(scroll.isScrolling && scroll.scrollDirection === 'forward');
  // What lies above may change with whatever is drawn anew, so there is nothing to wait for but the drawing itself. Only
  // scrolling changes nothing of it, and would pay for the measuring in every frame.
  useLayoutEffect(() => {
    if (virtual.isScrolling || !box || !list.current) return;
    const top = list.current.getBoundingClientRect().top - box.getBoundingClientRect().top;
    setAbove(Math.round(top + box.scrollTop));
  });

  /** The key of the row that an element is in; null for the list itself. */
  const keyAt = (element: Element) => {
    const index = element.closest('li')?.dataset.index;
    const item = index === undefined ? undefined : rows[Number(index)];
    return item === undefined ? null : keyOf(item);
  };

  return (
    <ul
      ref={list}
      role="list"
      aria-label={label}
      aria-busy={next === 'loading'}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be within reach of the keyboard
      tabIndex={0}
      className={styles.rows}
      style={{ height: virtual.getTotalSize() }}
      onFocus={({ target }) => setFocused(keyAt(target))}
      onBlur={() => setFocused(null)}
    >
      {virtual.getVirtualItems().map(({ key, index, start }) => {
        const item = rows[index];
        return (
          item !== undefined && (
            <Line
              key={key}
              index={index}
              // Unknown until the last page is loaded.
              total={next === 'end' ? rows.length : -1}
              start={start - above}
              measure={virtual.measureElement}
              item={item}
              row={row}
            />
          )
        );
      })}
    </ul>
  );
}

type LineProps<Item> = {
  index: number;
  total: number;
  start: number;
  measure: (element: HTMLElement | null) => void;
  item: Item;
  row: (item: Item) => ReactNode;
};

/** Scrolling draws the list anew, but none of the rows that were there already. */
const Line = memo(function Line<Item>({ index, total, start, measure, item, row }: LineProps<Item>) {
  return (
    <li
      ref={measure}
      data-index={index}
      aria-posinset={index + 1}
      aria-setsize={total}
      className={look.item}
      style={{ transform: `translateY(${start}px)` }}
    >
      {row(item)}
    </li>
  );
}) as <Item>(props: LineProps<Item>) => ReactNode;

/** Pixels. */
function leastHeight(): number {
  return Number.parseFloat(getComputedStyle(document.documentElement).getPropertyValue('--row-h'));
}

function scrollingParent(element: HTMLElement | null): HTMLElement | null {
  let parent = element?.parentElement ?? null;
  while (parent && !/auto|scroll/.test(getComputedStyle(parent).overflowY)) parent = parent.parentElement;
  return parent;
}
