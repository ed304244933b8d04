import { act, fireEvent, screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import type { Task } from '../../api/types';
import { aTask } from '../../testing/FakeTasks';
import { server, setUpGame } from '../../testing/playGame';
import { closed, showGame } from '../../testing/showGame';

setUpGame({ ticking: true });

it('tells below its title what a task wants, if anything is told of it', async () => {
  const loaded = aTask({ description: 'Every spin counts, free or for an ad.' });
  server.tasks.lists = { tasks: [loaded, aTask({ id: 2, title: 'Tap the bag' })], permanent_tasks: [] };
  const { root } = await showGame();
  act(() => root.modals.openSheet('tasks'));
  const panel = await screen.findByRole('dialog', { name: 'Daily Tasks' });
  const [first, second] = await within(panel).findAllByRole('listitem');
  expect(first?.textContent).toContain('Spin the wheel 10 timesEvery spin counts, free or for an ad.3/10');
  expect(second?.textContent).toContain('Tap the bag3/10');
});

it('leads from a task to where it is done', async () => {
  const active = (id: number, action_type: Task['action_type']) =>
    aTask({ id, action_type, title: `task ${id}`, status: id === 4 ? 'completed' : 'active' });
  server.tasks.lists = {
    tasks: [
      active(1, 'tap_count'),
      active(2, 'watch_ads'),
      active(3, 'invite_friends'),
      active(4, 'energy_spend'),
    ],
    permanent_tasks: [],
  };
  const { root } = await showGame();
  act(() => root.modals.openSheet('tasks'));
  const panel = await screen.findByRole('dialog', { name: 'Daily Tasks' });
  const links = await within(panel).findAllByRole('link');
  expect(links.map((link) => link.getAttribute('href'))).toEqual(['/tap', '/roulette', '/referral']);
  fireEvent.click(links[1] as HTMLElement);
  await closed();
  expect(root.route.path).toBe('/roulette');
});
