import { beforeEach, expect, it } from 'vitest';
import { openBox } from './storage';

beforeEach(() => localStorage.clear());

it('keeps values on the device', () => {
  openBox(() => localStorage).set('a', '1');
  expect(openBox(() => localStorage).get('a')).toBe('1');
});

it('falls back to memory where storage is blocked', () => {
  const box = openBox(() => {
    throw new DOMException('blocked', 'SecurityError');
  });
  expect(box.get('a')).toBeNull();
  box.set('a', '1');
  expect(box.get('a')).toBe('1');
});

it('lets a value that did not fit hide the older one', () => {
  let full = false;
  const box = openBox(
    () =>
      ({
        getItem: (key: string) => localStorage.getItem(key),
        setItem(key: string, value: string) {
          if (full) throw new DOMException('full', 'QuotaExceededError');
          localStorage.setItem(key, value);
        },
      }) as Storage,
  );
  box.set('a', '1');
  full = true;
  box.set('a', '2');
  expect(box.get('a')).toBe('2');
  full = false;
  box.set('a', '3');
  expect(localStorage.getItem('a')).toBe('3');
});
