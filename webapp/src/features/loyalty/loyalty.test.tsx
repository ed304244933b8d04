import { act, fireEvent, screen } from '@testing-library/react';
import { beforeEach, expect, it } from 'vitest';
import { aReward } from '../../testing/FakeServer';
import { changeUser, server, setUpGame } from '../../testing/playGame';
import { closed, pass, showGame } from '../../testing/showGame';

setUpGame({ ticking: true });

beforeEach(() => {
  server.circle = { is_eligible: true, reward_claimed: false };
});

async function open() {
  return (await showGame()).root;
}

it('offers what was earned, and pays it when claimed', async () => {
  await open();
  const modal = await screen.findByRole('dialog', { name: 'Loyalty Bonus' });
  expect(modal.textContent).toContain('You completed all ad conditions!');
  expect(modal.textContent).toContain('3Coins MCBK150Points MCBK');
  fireEvent.click(screen.getByRole('button', { name: 'Claim' }));
  await pass(10);
  await closed();
  expect(screen.getByText('+3.00 MCBK, +150 points')).toBeTruthy();
});

it.each([
  ['en', 'Your bonus', 'Loyalty Bonus'],
  ['ru', 'Ваш бонус', 'Бонус за верность'],
] as const)('is reached again from Home until it is claimed, in %s', async (language, chip, title) => {
  changeUser({ language });
  const root = await open();
  await screen.findByRole('dialog', { name: title });
  act(() => root.loyalty.close());
  await closed();
  fireEvent.click(screen.getByRole('button', { name: chip }));
  await screen.findByRole('dialog', { name: title });
  await act(() => root.loyalty.claim());
  await closed();
  expect(screen.queryByRole('button', { name: chip })).toBeNull();
});

it('stands beside the way back to the daily reward, and not out of the season', async () => {
  server.player(7).due = aReward();
  const root = await open();
  act(() => {
    root.daily.claim();
    root.loyalty.close();
  });
  await closed();
  expect(screen.getByRole('button', { name: 'Reward x2' })).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Your bonus' })).toBeTruthy();
  server.seasonStart = '2025-11-01T00:00:00Z';
  await act(() => root.settings.load());
  expect(screen.queryByRole('button', { name: 'Your bonus' })).toBeNull();
});

it('speaks Russian', async () => {
  changeUser({ language: 'ru' });
  await open();
  const modal = await screen.findByRole('dialog', { name: 'Бонус за верность' });
  expect(modal.textContent).toContain('Все условия с рекламой выполнены!');
  expect(modal.textContent).toContain('3Монеты MCBK150Очки MCBK');
});
