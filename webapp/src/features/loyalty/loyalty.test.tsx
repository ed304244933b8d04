import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { App } from '../../app/App';
import { RootContext } from '../../app/RootContext';
import { RootStore } from '../../app/RootStore';
import { speak } from '../../i18n';
import { aReward, FakeServer } from '../../testing/FakeServer';
import { createTestPlatform } from '../../testing/platform';

let server: FakeServer;

beforeEach(() => {
  vi.useFakeTimers({ shouldAdvanceTime: true, now: Date.parse('2026-03-01T12:00:00Z') });
  localStorage.clear();
  window.history.replaceState(null, '', '/');
  window.scrollTo = vi.fn();
  server = new FakeServer();
  server.circle = { is_eligible: true, reward_claimed: false };
});

afterEach(async () => {
  cleanup();
  vi.useRealTimers();
  await speak('en');
});

async function open() {
  const { platform } = createTestPlatform(server);
  const root = new RootStore({ ...platform, speak });
  render(
    <RootContext value={root}>
      <App />
    </RootContext>,
  );
  void root.boot.start();
  await pass(2500);
  return root;
}

async function pass(time: number) {
  await act(() => vi.advanceTimersByTimeAsync(time));
}

it('offers what was earned, and pays it when claimed', async () => {
  await open();
  const modal = await screen.findByRole('dialog', { name: 'Loyalty Bonus' });
  expect(modal.textContent).toContain('You completed all ad conditions!');
  expect(modal.textContent).toContain('3Coins MCBK150Points MCBK');
  fireEvent.click(screen.getByRole('button', { name: 'Claim' }));
  await pass(10);
  await vi.waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(screen.getByText('+3.00 MCBK, +150 points')).toBeTruthy();
});

it.each([
  ['en', 'Your bonus', 'Loyalty Bonus'],
  ['ru', 'Ваш бонус', 'Бонус за верность'],
] as const)('is reached again from Home until it is claimed, in %s', async (language, chip, title) => {
  const player = server.player(7);
  player.user = { ...player.user, language };
  const root = await open();
  await screen.findByRole('dialog', { name: title });
  act(() => root.loyalty.close());
  await vi.waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  fireEvent.click(screen.getByRole('button', { name: chip }));
  await screen.findByRole('dialog', { name: title });
  await act(() => root.loyalty.claim());
  await vi.waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(screen.queryByRole('button', { name: chip })).toBeNull();
});

it('stands beside the way back to the daily reward, and not out of the season', async () => {
  server.player(7).due = aReward();
  const root = await open();
  act(() => {
    root.daily.claim();
    root.loyalty.close();
  });
  await vi.waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(screen.getByRole('button', { name: 'Reward x2' })).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Your bonus' })).toBeTruthy();
  server.seasonStart = '2025-11-01T00:00:00Z';
  await act(() => root.settings.load());
  expect(screen.queryByRole('button', { name: 'Your bonus' })).toBeNull();
});

it('speaks Russian', async () => {
  const player = server.player(7);
  player.user = { ...player.user, language: 'ru' };
  await open();
  const modal = await screen.findByRole('dialog', { name: 'Бонус за верность' });
  expect(modal.textContent).toContain('Все условия с рекламой выполнены!');
  expect(modal.textContent).toContain('3Монеты MCBK150Очки MCBK');
});
