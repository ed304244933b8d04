import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { en } from '../i18n/en';
import { ToastStore, type ToastText } from './ToastStore';

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

it('shows one at a time, an error for 4 s and a success for 2 s', () => {
  const seen: string[] = [];
  const toasts = new ToastStore((toast) => seen.push(toast.text));
  toasts.show('success', 'toast.saved');
  toasts.show('error', 'errors.offline');
  expect(toasts.shown?.text).toBe('toast.saved');
  vi.advanceTimersByTime(1999);
  expect(toasts.shown?.text).toBe('toast.saved');
  vi.advanceTimersByTime(1);
  expect(toasts.shown?.text).toBe('errors.offline');
  vi.advanceTimersByTime(3999);
  expect(toasts.shown?.text).toBe('errors.offline');
  vi.advanceTimersByTime(1);
  expect(toasts.shown).toBeNull();
  expect(seen).toEqual(['toast.saved', 'errors.offline']);
});

it('does not say again what is still to be read', () => {
  const toasts = new ToastStore(() => {});
  toasts.show('error', 'errors.offline');
  toasts.show('error', 'errors.offline');
  expect(toasts.waiting).toBe(0);
  vi.advanceTimersByTime(4000);
  toasts.show('error', 'errors.offline');
  expect(toasts.shown).not.toBeNull();
});

it('dismissed early, makes room and does not cut the next one short', () => {
  const toasts = new ToastStore(() => {});
  toasts.show('error', 'errors.offline');
  toasts.show('error', 'errors.internal');
  vi.advanceTimersByTime(3000);
  toasts.dismiss(toasts.shown?.id ?? 0);
  vi.advanceTimersByTime(3000);
  expect(toasts.shown?.text).toBe('errors.internal');
  vi.advanceTimersByTime(1000);
  expect(toasts.shown).toBeNull();
});

it('holds at most 20', () => {
  const toasts = new ToastStore(() => {});
  const texts = Object.keys(en.errors).map((code) => `errors.${code}` as ToastText);
  for (const text of texts) toasts.show('error', text);
  expect(texts.length).toBeGreaterThan(20);
  expect(toasts.waiting).toBe(19);
});
