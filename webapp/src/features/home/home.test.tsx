import { act, screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { speak } from '../../i18n';
import { aResult } from '../../testing/FakeMines';
import { aReward } from '../../testing/FakeServer';
import { changeUser, server, setUpGame } from '../../testing/playGame';
import { showGame } from '../../testing/showGame';

setUpGame({ ticking: true });

afterEach(() => {
  document.documentElement.style.removeProperty('--d-count');
});

async function start() {
  const { root } = await showGame();
  return { main: screen.getByRole('main'), root };
}

const open = async () => (await start()).main;

it('says where all can read it that the dollars are what the coins are worth', async () => {
  changeUser({ balance: { usdt_balance: 24.9 } });
  const main = await open();
  expect(main.textContent).toContain('Coins’ value, USDT$24.90');
  await act(() => speak('ru'));
  expect(main.textContent).toContain('Оценка монет, USDT$24,90');
});

it('says below the total how many coins were bought, if any were', async () => {
  const { main, root } = await start();
  expect(main.textContent).not.toContain('purchased');
  changeUser({ balance: { game_mcbk: 5, purchased_mcbk: 9375.5 } });
  await act(() => root.user.refresh());
  expect(main.textContent).toContain('5.00+9,375 purchased');
});

it.each([true, false])('leads to the double of a reward only while there are ads: %s', async (enabled) => {
  changeUser({ daily_reward: aReward() });
  server.ads.config = { ...server.ads.config, enabled };
  await open();
  expect(screen.queryByRole('button', { name: 'Reward x2' }) !== null).toBe(enabled);
  expect(screen.queryByText('48 days left') === null).toBe(enabled);
});

it('tells what points are for, beside the coins', async () => {
  changeUser({ balance: { game_points: 4000, referral_game_points: 120 } });
  expect((await open()).textContent).toContain('4,120for your place in TOP Points');
});

it('says that the place is being counted while nobody knows it', async () => {
  const main = await open();
  expect(main.textContent).toContain('Your Placecalculating');
  await act(() => speak('ru'));
  expect(main.textContent).toContain('Ваше местоопределяется');
});

it('has no place for who has no coins', async () => {
  changeUser({ balance: { game_mcbk: 5 }, stats: { leaderboard_rank: 3 } });
  const { main, root } = await start();
  expect(main.textContent).toMatch(/Your Place#3/);
  changeUser({ balance: { game_mcbk: 0 } });
  await act(() => root.user.refresh());
  expect(main.textContent).toMatch(/Your Place#–/);
});

it('tells on the mines’ card how the mine stands', async () => {
  const { root } = await start();
  const card = () => screen.getByRole('link', { name: /Mines/ }).textContent;
  expect(card()).toBe('Mines10 days left');
  const mines = server.mines;
  const reload = () => act(() => root.minesSummary.load());
  mines.own(1, 340);
  mines.dug = 3416;
  await reload();
  expect(card()).toBe('DigMinesOre: 3,416');
  mines.own(1, 1000);
  await reload();
  expect(card()).toBe('Full: digMinesOre: 3,416');
  mines.own(1, 0);
  await reload();
  expect(card()).toMatch(/^MinesOre: 3,416Refills in 05:1\d:\d\d$/);
  mines.tournament = { ...mines.tournament, status: 'closed' };
  await reload();
  expect(card()).toBe('MinesTournament over');
  mines.tournament = { ...mines.tournament, status: 'scheduled' };
  await reload();
  expect(card()).toMatch(/^MinesStarts /);
  mines.tournament = { ...mines.tournament, status: 'final', result: aResult() };
  await reload();
  expect(card()).toBe('Your resultMinesOre: 3,416');
});

it('hands the gold button to the wheel when the energy is gone', async () => {
  const { main, root } = await start();
  expect(screen.getByRole('link', { name: /Start tapping/ }).getAttribute('href')).toBe('/tap');
  const { value: info } = root.energy;
  if (!info) throw new Error('no energy');
  act(() => root.energy.replace({ ...info, as_of: info.as_of + 1, current_energy: 0 }));
  expect(main.textContent).not.toContain('Start tapping');
  expect(main.textContent).toContain('Your energy is depleted for today');
  expect(screen.getByText(/^Full again in \d\d:\d\d:\d\d$/)).toBeTruthy();
  expect(screen.getByRole('link', { name: 'Spin the wheel' }).getAttribute('href')).toBe('/roulette');
  expect(screen.getByRole('link', { name: /depleted/ }).getAttribute('href')).toBe('/tap');
});

it.each([
  [3, 'primary'],
  [0, 'secondary'],
])('leads from the empty bag to the wheel: %i spins', async (daily_spins, variant) => {
  changeUser({ balance: { daily_spins } });
  const { root } = await start();
  const { value: info } = root.energy;
  if (!info) throw new Error('no energy');
  act(() => {
    root.energy.replace({ ...info, as_of: info.as_of + 1, current_energy: 0 });
    root.route.go('/tap');
  });
  expect(screen.getByRole('link', { name: 'Spin the wheel' }).dataset.variant).toBe(variant);
});

it('counts up to a balance that has grown, and tells it once to who hears it', async () => {
  document.documentElement.style.setProperty('--d-count', '700ms');
  changeUser({ balance: { game_mcbk: 100 } });
  const { main, root } = await start();
  const [seen, spoken] = main.querySelectorAll('section div > [aria-hidden], section [aria-live="polite"]');
  const before = Number.parseFloat(spoken?.textContent ?? '');
  expect(seen?.textContent).toBe(spoken?.textContent);
  changeUser({ balance: { game_mcbk: 200 } });
  await act(() => root.user.refresh());
  expect(spoken?.textContent).toBe((before + 100).toFixed(2));
  await act(() => vi.advanceTimersByTimeAsync(100));
  const between = Number.parseFloat(seen?.textContent ?? '');
  expect(between).toBeGreaterThan(before);
  expect(between).toBeLessThan(before + 100);
  await act(() => vi.advanceTimersByTimeAsync(700));
  expect(seen?.textContent).toBe(spoken?.textContent);
});
