import { beforeEach, expect, it, vi } from 'vitest';
import { en } from '../i18n/en';
import type { ErrorKey } from '../i18n/errors';
import { ToastStore } from './ToastStore';

beforeEach(() => {
  vi.useFakeTimers();
});

it('shows one at a time, an error for 4 s and a success for 2 s', () => {
  const seen: string[] = [];
  const toasts = new ToastStore((toast) => seen.push(toast.text));
  // No text of the game is a short success yet; the kind decides.
  toasts.show('success', 'errors.not_found');
  toasts.show('error', 'errors.offline');
  expect(toasts.shown?.text).toBe('errors.not_found');
  vi.advanceTimersByTime(1999);
  expect(toasts.shown?.text).toBe('errors.not_found');
  vi.advanceTimersByTime(1);
  expect(toasts.shown?.text).toBe('errors.offline');
  vi.advanceTimersByTime(3999);
  expect(toasts.shown?.text).toBe('errors.offline');
  vi.advanceTimersByTime(1);
  expect(toasts.shown).toBeNull();
  expect(seen).toEqual(['errors.not_found', 'errors.offline']);
});

it('tells for 4 s that a payment link leads elsewhere', () => {
  const toasts = new ToastStore(() => {});
  toasts.show('success', 'toast.link_created', { wallet: 'Tonkeeper' });
  vi.advanceTimersByTime(3999);
  expect(toasts.shown).toMatchObject({ text: 'toast.link_created', values: { wallet: 'Tonkeeper' } });
  vi.advanceTimersByTime(1);
  expect(toasts.shown).toBeNull();
});

it('does not say again what is still to be read', () => {
  const toasts = new ToastStore(() => {});
  toasts.show('error', 'errors.offline');
  toasts.show('error', 'errors.offline');
  toasts.show('error', 'toast.failed', { message: 'Too late' });
  toasts.show('error', 'toast.failed', { message: 'Too late' });
  expect(toasts.queue).toHaveLength(2);
  vi.advanceTimersByTime(8000);
  toasts.show('error', 'errors.offline');
  expect(toasts.shown).not.toBeNull();
});

it('says one text with two fillings twice', () => {
  const toasts = new ToastStore(() => {});
  toasts.show('error', 'toast.failed', { message: 'Too late' });
  toasts.show('error', 'toast.failed', { message: 'Too early' });
  vi.advanceTimersByTime(4000);
  expect(toasts.shown?.values).toEqual({ message: 'Too early' });
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

it('takes back what is no longer true, shown or in line', () => {
  const toasts = new ToastStore(() => {});
  for (const text of ['errors.declined', 'errors.offline', 'errors.internal'] as const)
    toasts.show('error', text);
  toasts.retract('errors.internal');
  toasts.retract('errors.declined');
  expect([toasts.shown?.text, toasts.queue.length]).toEqual(['errors.offline', 1]);
  vi.advanceTimersByTime(3999);
  expect(toasts.shown?.text).toBe('errors.offline');
});

it('holds at most 20', () => {
  const toasts = new ToastStore(() => {});
  const texts = Object.keys(en.errors).map((code) => `errors.${code}` as ErrorKey);
  for (const text of texts) toasts.show('error', text);
  expect(texts.length).toBeGreaterThan(20);
  expect(toasts.queue).toHaveLength(20);
  toasts.wait('toast.creating_link');
  expect(toasts.queue).toHaveLength(20);
});

it('says what is being done until it is over', () => {
  const toasts = new ToastStore(() => {});
  const wait = toasts.wait('toast.creating_link');
  vi.advanceTimersByTime(60_000);
  expect(toasts.shown).toMatchObject({ kind: 'wait', text: 'toast.creating_link' });
  toasts.dismiss(wait);
  expect(toasts.shown).toBeNull();
});

it('interrupts a wait with news, and shows it again afterwards', () => {
  const seen: string[] = [];
  const toasts = new ToastStore((toast) => seen.push(toast.text));
  toasts.wait('toast.creating_link');
  toasts.show('error', 'errors.tap_sync');
  toasts.show('error', 'errors.offline');
  expect(toasts.shown?.text).toBe('errors.tap_sync');
  vi.advanceTimersByTime(4000);
  expect(toasts.shown?.text).toBe('errors.offline');
  vi.advanceTimersByTime(4000);
  expect(toasts.shown?.text).toBe('toast.creating_link');
  expect(seen).toEqual(['errors.tap_sync', 'errors.offline']);
});

it('knows one wait at a time, and its end does not end the next', () => {
  const toasts = new ToastStore(() => {});
  const connecting = toasts.wait('toast.connecting_wallet');
  const creating = toasts.wait('toast.creating_link');
  expect(toasts.queue).toHaveLength(1);
  toasts.dismiss(connecting);
  expect(toasts.shown?.text).toBe('toast.creating_link');
  toasts.dismiss(creating);
  expect(toasts.shown).toBeNull();
});

it('follows a wait with what came of it, for as long as that takes to read', () => {
  const toasts = new ToastStore(() => {});
  const wait = toasts.wait('toast.connecting_wallet');
  toasts.show('error', 'errors.wallet_connect');
  toasts.dismiss(wait);
  vi.advanceTimersByTime(3999);
  expect(toasts.shown?.text).toBe('errors.wallet_connect');
  vi.advanceTimersByTime(1);
  expect(toasts.shown).toBeNull();
});
