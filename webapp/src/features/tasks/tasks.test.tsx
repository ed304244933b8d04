import { act, cleanup, render, screen, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { App } from '../../app/App';
import { RootContext } from '../../app/RootContext';
import { RootStore } from '../../app/RootStore';
import { aTask, FakeServer } from '../../testing/FakeServer';
import { createTestPlatform } from '../../testing/platform';

beforeEach(() => {
  vi.useFakeTimers({ shouldAdvanceTime: true, now: Date.parse('2026-03-01T12:00:00Z') });
  localStorage.clear();
  window.history.replaceState(null, '', '/');
  window.scrollTo = vi.fn();
});

afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

it('tells below its title what a task wants, if anything is told of it', async () => {
  const server = new FakeServer();
  const loaded = aTask({ description: 'Every spin counts, free or for an ad.' });
  server.tasks = { tasks: [loaded, aTask({ id: 2, title: 'Tap the bag' })], permanent_tasks: [] };
  const root = new RootStore(createTestPlatform(server).platform);
  render(
    <RootContext value={root}>
      <App />
    </RootContext>,
  );
  await act(async () => void root.boot.start());
  await act(() => vi.advanceTimersByTimeAsync(2600));
  act(() => root.modals.openSheet('tasks'));
  const panel = await screen.findByRole('dialog', { name: 'Daily Tasks' });
  const [first, second] = await within(panel).findAllByRole('listitem');
  expect(first?.textContent).toContain('Spin the wheel 10 timesEvery spin counts, free or for an ad.3/10');
  expect(second?.textContent).toContain('Tap the bag3/10');
});
