import { fireEvent, screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import type { Launch } from '../../telegram';
import { aResult } from '../../testing/FakeMines';
import { aRecap } from '../../testing/FakeRecap';
import { changeUser, requestsTo, server, setUpGame } from '../../testing/playGame';
import { faults, pass, showGame } from '../../testing/showGame';

setUpGame({ ticking: true });

/** Home after the season. */
async function over(launch: Partial<Launch> = {}) {
  server.seasonStart = '2025-11-01T00:00:00Z';
  changeUser({ can_get_prediction: false });
  const game = await showGame({ path: '/', launch });
  await screen.findByText(/Your season|Ваш сезон/);
  await pass(100);
  return game;
}

const send = () => screen.getByRole('button', { name: /^(Send the picture|The picture|Прислать)/ });
const facts = () =>
  [...document.querySelectorAll('dl > div')].map((fact) => fact.textContent?.replaceAll('\u00a0', ' '));

it.each([
  ['en', ['Coins earned12,480', 'Your Place#128', 'Days played84', 'Taps45,200', 'Friends7', 'Best win+20']],
  ['ru', ['Монеты12 480', 'Ваше место#128', 'Дней в игре84', 'Тапы45 200', 'Друзья7', 'Лучший выигрыш+20']],
] as const)('shows what was done in the season, in %s', async (language, figures) => {
  changeUser({ language });
  await over();
  expect(facts()).toEqual(figures);
  expect(screen.queryByText(/The bag is closed|Мешок закрыт/)).toBeNull();
  expect(await faults()).toEqual([]);
});

it('asks for no season while it runs', async () => {
  await showGame({ path: '/' });
  await pass(5000);
  expect(requestsTo('user/recap')).toEqual([]);
  expect(screen.getByText('Start tapping')).toBeTruthy();
});

it('shows points where no coins were won, and no place before it is known', async () => {
  server.recap.season = aRecap({ best_win_mcbk: 0, best_win_points: 150, rank: null });
  await over();
  expect(facts()).toContain('Best win+150');
  expect(facts()).toContain('Your Place#–');
});

it('can be asked for again when it did not come', async () => {
  server.weatherOf['/api/user/recap'] = [{ status: 500, code: 'internal' }];
  await over();
  const failed = screen.getByText('Failed to load your season').parentElement as HTMLElement;
  fireEvent.click(within(failed).getByRole('button', { name: 'Retry' }));
  await pass(100);
  expect(facts()).toContain('Taps45,200');
});

it('has the bot send the picture once', async () => {
  const { root } = await over();
  fireEvent.click(send());
  fireEvent.click(send());
  await pass(100);
  expect(server.recap.cards).toEqual(['season']);
  expect(root.toasts.shown?.text).toBe('toast.card_sent');
  expect(send()).toHaveProperty('disabled', true);
  expect(send().textContent).toBe('The picture is in your chat');
});

it('says why no picture comes, and can be pressed again', async () => {
  const { root } = await over();
  server.weatherOf['/api/user/card'] = [{ status: 409, code: 'bot_blocked' }];
  fireEvent.click(send());
  await pass(100);
  expect(root.toasts.shown?.text).toBe('errors.bot_blocked');
  fireEvent.click(send());
  await pass(100);
  expect(server.recap.cards).toEqual(['season']);
});

it('is sent only once the bot may write', async () => {
  const { host } = await over({ cannotBeMessaged: true });
  fireEvent.click(send());
  await pass(100);
  expect([host.asked, server.recap.cards]).toEqual([1, []]);
  host.answerWrite?.(false);
  await pass(100);
  expect(server.recap.cards).toEqual([]);
  fireEvent.click(send());
  await pass(100);
  host.answerWrite?.(true);
  await pass(100);
  expect([host.asked, server.recap.cards]).toEqual([2, ['season']]);
});

it('is sent where the client cannot ask', async () => {
  const { host } = await over({ cannotBeMessaged: true });
  host.asks = false;
  fireEvent.click(send());
  await pass(100);
  expect(server.recap.cards).toEqual(['season']);
});

it('is there of a tournament, too, for whoever dug', async () => {
  server.mines.tournament = { ...server.mines.tournament, status: 'final', result: aResult() };
  const { root } = await showGame({ path: '/mines' });
  await screen.findByText('You won a prize!');
  fireEvent.click(send());
  await pass(100);
  expect(server.recap.cards).toEqual(['tournament']);
  server.mines.tournament = {
    ...server.mines.tournament,
    result: aResult({ mcbk: 0, prize_ton: 0, prize_mcbk: 0 }),
  };
  void (await root.loadMines()).tournament.load();
  await pass(100);
  expect(screen.queryByRole('button', { name: /^(Send the picture|The picture)/ })).toBeNull();
});
