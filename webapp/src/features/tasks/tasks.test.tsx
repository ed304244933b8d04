import { act, screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { aTask } from '../../testing/FakeServer';
import { server, setUpGame } from '../../testing/playGame';
import { showGame } from '../../testing/showGame';

setUpGame({ ticking: true });

it('tells below its title what a task wants, if anything is told of it', async () => {
  const loaded = aTask({ description: 'Every spin counts, free or for an ad.' });
  server.tasks = { tasks: [loaded, aTask({ id: 2, title: 'Tap the bag' })], permanent_tasks: [] };
  const { root } = await showGame();
  act(() => root.modals.openSheet('tasks'));
  const panel = await screen.findByRole('dialog', { name: 'Daily Tasks' });
  const [first, second] = await within(panel).findAllByRole('listitem');
  expect(first?.textContent).toContain('Spin the wheel 10 timesEvery spin counts, free or for an ad.3/10');
  expect(second?.textContent).toContain('Tap the bag3/10');
});
