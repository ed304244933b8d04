import { emitEvent } from '@telegram-apps/sdk-react';
import { expect, it, vi } from 'vitest';
import { readLaunch, startTelegram } from './index';
import { launchData, pretendTelegram } from './pretend';

// In a file of its own: once it has mounted, the SDK keeps its state for the other tests.
it('a busy phone is not waited for, and the app keeps clear of its edges once it answers', async () => {
  const posted = pretendTelegram(launchData(), true);
  vi.useFakeTimers();
  const started = startTelegram(readLaunch());
  await vi.advanceTimersByTimeAsync(1000);
  await started;
  expect(posted.at(-1)).toBe('web_app_ready');
  await vi.advanceTimersByTimeAsync(10_000);
  emitEvent('safe_area_changed', { top: 31, bottom: 0, left: 0, right: 0 });
  emitEvent('content_safe_area_changed', { top: 46, bottom: 0, left: 0, right: 0 });
  await vi.advanceTimersByTimeAsync(0);
  emitEvent('viewport_changed', { height: 610, width: 320, is_state_stable: true, is_expanded: true });
  await vi.advanceTimersByTimeAsync(0);
  const css = document.documentElement.style;
  expect(css.getPropertyValue('--tg-viewport-stable-height')).toBe('610px');
  expect(css.getPropertyValue('--tg-viewport-safe-area-inset-top')).toBe('31px');
  expect(css.getPropertyValue('--tg-viewport-content-safe-area-inset-top')).toBe('46px');
});
