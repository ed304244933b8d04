import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { openDevice, openStorage } from './storage';

beforeEach(() => localStorage.clear());
afterEach(() => vi.restoreAllMocks());

it('keeps values on the device', () => {
  openStorage(() => localStorage).set('a', '1');
  expect(openStorage(() => localStorage).get('a')).toBe('1');
});

it('falls back to memory where storage is blocked', () => {
  const box = openStorage(() => {
    throw new DOMException('blocked', 'SecurityError');
  });
  expect(box.get('a')).toBeNull();
  box.set('a', '1');
  expect(box.get('a')).toBe('1');
});

it('removes a value, also from a device that lets nothing be removed', () => {
  const box = openStorage(() => localStorage);
  box.set('a', '1');
  box.remove('a');
  expect([box.get('a'), localStorage.getItem('a')]).toEqual([null, null]);
  const stuck = openStorage(() => ({ getItem: () => '1', setItem: () => {} }) as unknown as Storage);
  stuck.remove('a');
  expect(stuck.get('a')).toBeNull();
});

/** A device with room for this many characters in all. */
function small(room: number) {
  const stored = new Map<string, string>();
  const device = {
    getItem: (key: string) => stored.get(key) ?? null,
    removeItem: (key: string) => void stored.delete(key),
    setItem(key: string, value: string) {
      const others = [...stored].filter(([other]) => other !== key).map(([, text]) => text.length);
      // Browsers ask for room beside the older value.
      const taken = others.reduce((sum, length) => sum + length, 0) + (stored.get(key)?.length ?? 0);
      if (taken + value.length > room) throw new DOMException('full', 'QuotaExceededError');
      stored.set(key, value);
    },
  };
  return { device: () => device as unknown as Storage, stored };
}

it('makes room for a value by the older one', () => {
  const { device, stored } = small(5);
  const box = openStorage(device);
  box.set('a', '123');
  box.set('a', '4567');
  expect(stored.get('a')).toBe('4567');
});

it('leaves nothing older on the device when a value does not fit, and writes again when one does', () => {
  const { device, stored } = small(5);
  const box = openStorage(device);
  box.set('a', '123');
  box.set('a', '1234567');
  expect(stored.has('a')).toBe(false);
  expect(box.get('a')).toBe('1234567');
  box.set('a', '12');
  expect(stored.get('a')).toBe('12');
});

it.each([null, undefined, {}, { getItem: () => undefined, setItem: () => {}, removeItem: () => {} }])(
  'plays from memory where the device is %o',
  (device) => {
    const box = openStorage(() => device as unknown as Storage);
    expect([box.get('a'), box.set('a', '1'), box.get('a')]).toEqual([null, false, '1']);
    box.remove('a');
    expect(box.get('a')).toBeNull();
  },
);

it('tells whether the device took the value', () => {
  const { device } = small(5);
  const box = openStorage(device);
  expect([box.set('a', '1'), box.set('a', '1234567')]).toEqual([true, false]);
});

it('puts memory in the place of a broken storage, and leaves a sound one', () => {
  const sound = Object.getOwnPropertyDescriptor(window, 'localStorage') as PropertyDescriptor;
  const before = window.localStorage;
  openDevice('localStorage');
  expect(window.localStorage).toBe(before);
  for (const get of [
    () => null,
    () => {
      throw new DOMException('blocked', 'SecurityError');
    },
  ]) {
    Object.defineProperty(window, 'localStorage', { get, configurable: true });
    const box = openDevice('localStorage');
    window.localStorage.setItem('a', '1');
    expect([window.localStorage.getItem('a'), box.get('a')]).toEqual(['1', '1']);
  }
  Object.defineProperty(window, 'localStorage', sound);
});
