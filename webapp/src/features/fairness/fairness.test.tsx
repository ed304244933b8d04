import { act, cleanup, fireEvent, render, screen, within } from '@testing-library/react';
import { beforeEach, expect, it, vi } from 'vitest';
import { RootContext } from '../../app/RootContext';
import { changeUser, requestsTo, server, setUpGame } from '../../testing/playGame';
import { aRetiredSeed, someSeeds } from '../../testing/seeds';
import { faults, pass, showGame } from '../../testing/showGame';
import { Odds } from './Odds';

setUpGame({ path: '/roulette/fairness', ticking: true });

beforeEach(() => {
  // A list draws the rows that fit, and jsdom measures nothing.
  vi.spyOn(HTMLElement.prototype, 'offsetHeight', 'get').mockReturnValue(800);
});

async function open() {
  const { root, host } = await showGame();
  await screen.findByRole('heading', { name: /fair|честно/ });
  await pass(100);
  return { root, host };
}

it('says in three steps how it works, and the odds in numbers', async () => {
  await open();
  const steps = within(screen.getByRole('list', { name: 'How it works' })).getAllByRole('listitem');
  expect(steps.map((step) => step.textContent?.slice(0, 5))).toEqual(['1The ', '2You ', '3The ']);
  const [wheel, chest] = screen.getAllByRole('table');
  const chances = (table: HTMLElement | undefined) =>
    within(table as HTMLElement)
      .getAllByRole('row')
      .slice(1)
      .map((row) => row.lastElementChild?.textContent);
  expect(chances(wheel)).toEqual(['6%', '10%', '11%', '4%', '7%', '16%', '8%', '13%', '15%', '10%']);
  expect(chances(chest)).toEqual(['40%', '25%', '20%', '10%', '5%']);
});

it('asks for the seeds whenever it is opened, and nowhere else', async () => {
  const asked = () => requestsTo('roulette/fairness').length;
  const { root } = await open();
  expect(asked()).toBe(1);
  act(() => root.route.go('/roulette'));
  await pass(100);
  expect(asked()).toBe(1);
  act(() => root.route.go('/roulette/fairness'));
  await pass(100);
  expect(asked()).toBe(2);
});

it('has the odds of a table whose weights are not hundredths', async () => {
  const { root } = await open();
  cleanup();
  render(
    <RootContext value={root}>
      <Odds
        title="Thirds"
        odds={[
          { type: 'coins_1', weight: 2 },
          { type: 'something_new', weight: 1 },
        ]}
      />
    </RootContext>,
  );
  const rows = screen.getAllByRole('row').map((row) => row.textContent);
  expect(rows.slice(1)).toEqual(['1\u00a0coin0–166.66%', 'something_new233.33%']);
});

it('is everybody’s to read and to use', async () => {
  server.retired = [aRetiredSeed()];
  await open();
  fireEvent.change(screen.getByRole('textbox'), { target: { value: 'a b' } });
  expect(await faults()).toEqual([]);
});

it('tells below the field what is wrong with a seed, and takes one that is right', async () => {
  await open();
  const field = screen.getByRole<HTMLInputElement>('textbox', { name: 'New client seed' });
  const save = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Use this seed' });
  expect([save().disabled, field.getAttribute('aria-invalid')]).toEqual([true, 'false']);
  fireEvent.change(field, { target: { value: 'a:1' } });
  expect(screen.getByRole('alert').textContent).toContain('Only letters A to Z');
  expect([save().disabled, field.getAttribute('aria-invalid')]).toEqual([true, 'true']);
  fireEvent.click(screen.getByRole('button', { name: 'Random' }));
  expect(field.value).toBe('a5'.repeat(16));
  await act(async () => fireEvent.submit(save()));
  await pass(10);
  expect(screen.getByText('Seed saved')).toBeTruthy();
  expect(screen.getByText('a5'.repeat(16))).toBeTruthy();
});

it('copies what it shows', async () => {
  const { host } = await open();
  fireEvent.click(screen.getByRole('button', { name: 'Copy: Hash of its next seed' }));
  await pass(10);
  expect(host.copied).toEqual([someSeeds().next_server_seed_hash]);
  expect(screen.getByText('Copied')).toBeTruthy();
});

it('says so while nothing was opened yet, and offers to try again what did not load', async () => {
  server.weatherOf['/api/roulette/fairness'] = ['cut'];
  await open();
  fireEvent.click(screen.getByRole('button', { name: 'Retry' }));
  expect(await screen.findByText('No seed has been revealed yet')).toBeTruthy();
});

it('speaks Russian', async () => {
  changeUser({ language: 'ru' });
  await open();
  expect(screen.getByText('Что лежит в сундуке')).toBeTruthy();
  expect(screen.getByText('3 монеты + 1 спин')).toBeTruthy();
  expect(screen.getAllByText('40 %')).toHaveLength(1);
});
