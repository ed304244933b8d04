import { act, cleanup, fireEvent, screen, within } from '@testing-library/react';
import axe from 'axe-core';
import { beforeAll, expect, it, vi } from 'vitest';
import type { MineResult } from '../../api/types';
import { aMiner, aResult, someMiners } from '../../testing/FakeMines';
import { changeUser, server, setUpGame } from '../../testing/playGame';
import { closed, pass, press, showGame } from '../../testing/showGame';

// Else the first test waits for the code, which takes a busy machine longer than a test may wait.
beforeAll(async () => void (await Promise.all([import('./screens'), import('./Mines')])));

setUpGame({ ticking: true, user: { wallet_address: 'UQwallet' } });

async function open(path: string, shown: string) {
  const { root, host } = await showGame({ path });
  await screen.findByText(shown);
  await pass(50);
  return { root, host };
}

const dig = async (name = 'Dig: Copper') => {
  fireEvent.click(screen.getByRole('button', { name }), { detail: 0 });
  await pass(100);
};

it('is dug in: each tap tells what it brought, and the mine empties', async () => {
  server.mines.own(4, 2340);
  await open('/mines', 'Copper Mine');
  expect(screen.getByText('1 Tap = 1 MCBK')).toBeTruthy();
  await dig();
  expect(screen.getByText('+1.00')).toBeTruthy();
  await dig();
  expect(screen.getByRole('progressbar', { name: 'Ores in the mine 2,320 of 4,000' })).toBeTruthy();
  expect(screen.getByText('05:1', { exact: false })).toBeTruthy();
  expect((await axe.run(document.body, { rules: { region: { enabled: false } } })).violations).toEqual([]);
});

it('offers the Gold Rush to who has no mine, and Connect Wallet to who has no wallet', async () => {
  await open('/mines', 'Stone Mine');
  await press('Dig: Stone');
  const modal = await screen.findByRole('dialog', { name: 'Gold Rush for 15 Days!' });
  expect(modal.textContent).toContain('First place wins30\u00a0TON');
  expect(within(modal).getByText('Dig in mines every day and earn x2 on ore')).toBeTruthy();
  expect(modal.textContent).toContain('1\u00a0TON');
  await press('Skip');
  expect(screen.queryByRole('dialog', { name: 'Gold Rush for 15 Days!' })).toBeNull();
  changeUser({ wallet_address: null });
  cleanup();
  const { root } = await open('/mines', 'Stone Mine');
  await press(/Upgrade Your Mine/);
  await press('Connect Wallet');
  expect(await screen.findByText('Connecting wallet...')).toBeTruthy();
  expect(root.route.path).toBe('/mines');
});

it('says that a mine is open that another page has bought, and sells it no more', async () => {
  await open('/mines', 'Stone Mine');
  await press('Dig: Stone');
  await screen.findByRole('dialog', { name: 'Gold Rush for 15 Days!' });
  server.mines.own(1);
  await press('Buy to Start');
  expect(await screen.findByText('Paid: the mine is open.')).toBeTruthy();
  await closed();
});

it.each([
  ['2026-03-10T00:00:01Z', 'Dig in mines every day and earn x2 on ore'],
  [
    '2026-03-10T00:00:00Z',
    'Dig until the tournament ends. It is too late for x2 on ore: that takes 10 days.',
  ],
])('promises the ore of daily diggers only while there are days enough: until %s', async (end, words) => {
  server.mines.tournament = { ...server.mines.tournament, ends_at: end };
  await open('/mines', 'Stone Mine');
  await press('Dig: Stone');
  const modal = await screen.findByRole('dialog', { name: 'Gold Rush for 15 Days!' });
  expect(within(modal).getByText(words)).toBeTruthy();
});

it.each([
  ['2026-03-10T21:48:00Z', true, 4000, 'Dig every day to keep x2'],
  ['2026-03-10T21:48:00Z', true, 3990, 'x2: dug every day so far'],
  ['2026-03-10T21:48:00Z', false, 3990, 'No x2: a day was missed'],
  ['2026-03-05T00:00:00Z', true, 4000, 'Dig every day to keep x2'],
  ['2026-03-05T00:00:00Z', false, 4000, 'No x2: a day was missed'],
])(
  'tells a miner how they stand with x2: until %s, %s, with %i of 4000 energy',
  async (ends_at, digs_daily, energy, words) => {
    server.mines.own(4, energy);
    server.mines.tournament = { ...server.mines.tournament, ends_at, digs_daily };
    await open('/mines', 'Copper Mine');
    expect(screen.getByText(words)).toBeTruthy();
  },
);

it.each([true, false])(
  'says nothing of x2 to who began too late for it (no day missed: %s)',
  async (digs_daily) => {
    server.mines.own(4, 3990);
    server.mines.tournament = { ...server.mines.tournament, digs_daily, daily_possible: false };
    await open('/mines', 'Copper Mine');
    expect(screen.queryByText(/x2/)).toBeNull();
  },
);

it('asks who has not dug today to, in Russian', async () => {
  server.serverTime = '2026-03-01T03:00:00Z';
  vi.setSystemTime(Date.parse(server.serverTime));
  const noon = Date.parse('2026-03-01T12:00:00Z');
  Object.defineProperty(server.mines, 'fullIn', { get: () => noon - Date.now() });
  server.mines.own(4);
  changeUser({ language: 'ru' });
  await open('/mines', 'Шахта: Медь');
  expect(screen.getByText('Копните сегодня, иначе x2 пропадёт')).toBeTruthy();
});

it('sells the next mine only, by a payment that is waited for', async () => {
  server.mines.own(4);
  const { host } = await open('/mines', 'Copper Mine');
  await press(/Upgrade Your Mine/);
  const sheet = await screen.findByRole('dialog', { name: 'Upgrade Your Mine' });
  expect(within(sheet).getByText('4 of 10')).toBeTruthy();
  expect(within(sheet).getAllByText('Open')).toHaveLength(3);
  expect(within(sheet).getByText('5.5 TON')).toBeTruthy();
  const buttons = within(sheet).getAllByRole('button', { name: /Open the/ });
  expect(buttons.map((button) => button.getAttribute('aria-label'))).toEqual([
    'Open the Silver mine for 3 TON',
  ]);
  await press('Open the Silver mine for 3 TON');
  await press('Buy');
  const waiting = await screen.findByRole('dialog', { name: 'Waiting for your payment' });
  expect(waiting.textContent).toContain('Silver');
  expect(host.opened).toHaveLength(1);
  server.mines.paid();
  await pass(3100);
  const opened = await screen.findByRole('dialog', { name: 'The mine is open' });
  expect(opened.textContent).toContain('Silver Mine');
  await press('Start digging');
  await closed();
  expect(await screen.findByText('Silver Mine')).toBeTruthy();
});

it('says why nothing is sold in the last half hour', async () => {
  const sales_end_at = new Date(Date.now() - 1000).toISOString();
  server.mines.tournament = { ...server.mines.tournament, sales_end_at };
  await open('/mines', 'Stone Mine');
  await press('Dig: Stone');
  const modal = await screen.findByRole('dialog', { name: 'Gold Rush for 15 Days!' });
  expect(within(modal).getByText('Mine sales are closed')).toBeTruthy();
  expect(within(modal).getByRole('button', { name: 'Buy to Start' })).toHaveProperty('disabled', true);
});

it.each([
  ['2026-03-04T10:30:00Z', 'The season has not started yet.', /^Starts Mar 4/],
  ['2025-11-01T00:00:00Z', 'The season is over. Thank you for playing!', /^Season over$/],
])('sells no mine outside the season that starts at %s, and says why', async (start, words, note) => {
  server.seasonStart = start;
  await open('/mines', 'Stone Mine');
  const peek = screen.getByRole('button', { name: /Upgrade Your Mine/ });
  expect(within(peek).getByText(note)).toBeTruthy();
  await press(/Upgrade Your Mine/);
  const modal = await screen.findByRole('dialog', { name: 'Gold Rush for 15 Days!' });
  expect(within(modal).getByText(words)).toBeTruthy();
  expect(within(modal).getByRole('button', { name: 'Buy to Start' })).toHaveProperty('disabled', true);
});

it('promises nothing of a payment for an order that was cancelled', async () => {
  server.mines.own(4);
  await open('/mines', 'Copper Mine');
  await press(/Upgrade Your Mine/);
  await press('Open the Silver mine for 3 TON');
  await press('Buy');
  await press('Cancel the order');
  const over = await screen.findByRole('dialog', { name: 'The order is cancelled' });
  expect(over.textContent).toContain('this order opens no mine');
});

it('says why nobody digs before the tournament and after it', async () => {
  server.mines.own(1);
  server.mines.tournament = { ...server.mines.tournament, status: 'closed' };
  await open('/mines', 'Stone Mine');
  expect(screen.getByText('The tournament is over. We are counting the ore.')).toBeTruthy();
  await dig('Dig: Stone');
  expect(server.mines.taps).toBe(0);
});

it('shows what came of a tournament that is over', async () => {
  server.mines.tournament = { ...server.mines.tournament, status: 'final', result: aResult() };
  await open('/mines', 'The tournament is over');
  const { body } = document;
  expect(body.textContent).toContain('Your place#2');
  expect(body.textContent).toContain('x2');
  expect(body.textContent).toContain('20\u00a0TON');
  expect(screen.getByText('Prizes are paid once an admin has confirmed them.')).toBeTruthy();
  expect(screen.getByRole('link', { name: 'Open Wallet' })).toBeTruthy();
});

it.each([
  [{ rank: 1, prize_ton: 30, prize_mcbk: 100_000 }, 'You won!30\u00a0TON+100,000'],
  [{ rank: 7, prize_ton: 0, prize_mcbk: 10_000 }, 'You won a prize!+10,000'],
])('tells who won so, with the prize and the place: %o', async (change, words) => {
  server.mines.tournament = { ...server.mines.tournament, status: 'final', result: aResult(change) };
  await open('/mines', 'The tournament is over');
  expect(document.body.textContent).toContain(words);
  expect(document.body.textContent).toContain(`Your place#${change.rank}`);
});

it.each(['panel', 'offer'])('the %s is gone once the tournament is final', async (which) => {
  if (which === 'panel') server.mines.own(4);
  server.mines.tournament = { ...server.mines.tournament, status: 'closed', ends_at: '2026-03-01T11:59:00Z' };
  const { root, host } = await open('/mines', which === 'panel' ? 'Copper Mine' : 'Stone Mine');
  const mines = await root.loadMines();
  await act(async () => (which === 'panel' ? mines.purchase.openUpgrades() : mines.purchase.offer()));
  await screen.findByRole('dialog');
  server.mines.tournament = { ...server.mines.tournament, status: 'final', result: aResult() };
  await pass(130_000);
  await screen.findByText('The tournament is over');
  expect(root.modals.closable).toBe(false);
  await act(async () => host.back?.());
  expect(root.route.path).toBe('/');
});

it('tells how far a prize in TON has come', async () => {
  const shows = async (change: Partial<MineResult>, wallet: boolean) => {
    const result = aResult({ prize_given: true, ...change });
    server.mines.tournament = { ...server.mines.tournament, status: 'awarded', result };
    await open('/mines', 'The tournament is over');
    const said = screen.getByText(/^Your (prize|MCBK) has been paid/).textContent;
    expect(screen.queryAllByRole('link', { name: 'Open Wallet' })).toHaveLength(wallet ? 1 : 0);
    cleanup();
    return said;
  };
  const owed = 'Your MCBK has been paid. TON is sent by hand, once an admin has approved it.';
  expect(await shows({ payout: 'due' }, true)).toBe(owed);
  expect(await shows({ payout: 'approved' }, false)).toBe(owed);
  expect(await shows({ payout: 'sent' }, false)).toBe(owed);
  expect(await shows({ payout: 'settled' }, false)).toBe('Your prize has been paid.');
  expect(await shows({ payout: 'cancelled' }, false)).toContain('An admin cancelled the prize');
  expect(await shows({ prize_ton: 0 }, false)).toBe('Your prize has been paid.');
});

it('lists the best miners, with the player on top', async () => {
  server.mines.miners = someMiners();
  server.mines.me = aMiner();
  await open('/mines-leaderboard', 'Top miners');
  expect(await screen.findByText('#37')).toBeTruthy();
  expect(screen.getByText('3,416 taps')).toBeTruthy();
  expect(screen.getAllByRole('img', { name: 'TON' })).toHaveLength(3);
});

it('says that there is no miner yet', async () => {
  await open('/mines-leaderboard', 'Top miners');
  expect(await screen.findByText('No miners yet. Be the first to start mining!')).toBeTruthy();
});

it.each(['closed', 'awarded'] as const)('says that nobody dug in a tournament that is %s', async (status) => {
  server.mines.tournament = { ...server.mines.tournament, status };
  await open('/mines-leaderboard', 'Nobody dug in this tournament');
});

it('has every figure of the rules from the server', async () => {
  await open('/mines-rules', 'Mines rules');
  const table = await screen.findByRole('table');
  expect(within(table).getAllByRole('row')).toHaveLength(11);
  expect(within(table).getByRole('row', { name: 'Diamond 5.5 TON 10,000 2.5' })).toBeTruthy();
  expect(screen.getByText('11th to 100th')).toBeTruthy();
  expect(screen.getByText('One tap spends 10 energy.', { exact: false })).toBeTruthy();
  expect((await axe.run(document.body, { rules: { region: { enabled: false } } })).violations).toEqual([]);
});

it('says on the ore that an admin has closed the mines, until it can be dug again', async () => {
  server.mines.own(4, 2340);
  await open('/mines', 'Copper Mine');
  server.weatherOf['/api/mines/mine'] = [
    { status: 503, code: 'maintenance', params: { feature: 'mines' }, retryAfter: 15 },
  ];
  await dig();
  await pass(35_000); // it is sent, and the toast has gone
  const [ore, offer] = screen.getAllByText('Technical works');
  expect(ore?.getAttribute('role')).toBe('status');
  expect(offer?.closest('button')?.textContent).toContain('Upgrade Your Mine');
  await dig();
  expect(screen.getByRole('progressbar', { name: 'Ores in the mine 2,330 of 4,000' })).toBeTruthy();
  await pass(15_000);
  expect(screen.queryByText('Technical works')).toBeNull();
  await dig();
  expect(screen.getByRole('progressbar', { name: 'Ores in the mine 2,320 of 4,000' })).toBeTruthy();
});

it('sells no mine while an admin has closed the mines, and says so on the ore and in the offer', async () => {
  await open('/mines', 'Tap the ore to open your first mine');
  await dig('Dig: Stone');
  const offer = await screen.findByRole('dialog', { name: 'Gold Rush for 15 Days!' });
  server.weatherOf['/api/mines/create-payment'] = [
    { status: 503, code: 'maintenance', params: { feature: 'mines' }, retryAfter: 15 },
  ];
  const buy = within(offer).getByRole<HTMLButtonElement>('button', { name: 'Buy to Start' });
  fireEvent.click(buy);
  await pass(100);
  expect(within(offer).getByText('Technical works')).toBeTruthy();
  expect([buy.disabled, screen.queryByText('Tap the ore to open your first mine')]).toEqual([true, null]);
  await pass(60_000);
  expect(buy.disabled).toBe(false);
  expect(screen.getByText('Tap the ore to open your first mine')).toBeTruthy();
});

it('says on the ore that mines are no longer sold', async () => {
  server.mines.tournament = { ...server.mines.tournament, sales_end_at: new Date(Date.now()).toISOString() };
  await open('/mines', 'Stone Mine');
  expect(screen.queryByText('Tap the ore to open your first mine')).toBeNull();
  expect(screen.getAllByText('Mine sales are closed')[0]?.getAttribute('role')).toBe('status');
});

it('offers to try again when the mines do not answer', async () => {
  server.weatherOf['/api/mines/status'] = [
    { status: 503, code: 'maintenance', params: { feature: 'mines' } },
  ];
  await open('/mines', 'Technical works');
  await press('Retry');
  expect(await screen.findByText('1 Tap = 0.25 MCBK')).toBeTruthy();
});

it('shows in the panel that the mines are awaited, that they do not answer, and the way to try again', async () => {
  server.mines.own(4);
  server.weatherOf['/api/mines/status'] = [
    { status: 503, code: 'maintenance', params: { feature: 'mines' } },
  ];
  await open('/mines', 'Technical works');
  await press(/Upgrade Your Mine/);
  const sheet = await screen.findByRole('dialog', { name: 'Upgrade Your Mine' });
  expect(within(sheet).getByText('Technical works')).toBeTruthy();
  server.delay = 1000;
  fireEvent.click(within(sheet).getByRole('button', { name: 'Retry' }));
  await pass(500);
  expect(within(sheet).getByRole('status')).toBeTruthy();
  await pass(600);
  expect(within(sheet).getByText('4 of 10')).toBeTruthy();
});

it('offers the Gold Rush also to who opened the panel before anybody knew that they have no mine', async () => {
  server.weatherOf['/api/mines/status'] = ['cut'];
  const { root } = await open('/mines', 'Retry');
  await press(/Upgrade Your Mine/);
  const sheet = await screen.findByRole('dialog', { name: 'Upgrade Your Mine' });
  fireEvent.click(within(sheet).getByRole('button', { name: 'Retry' }));
  await pass(100);
  expect(await screen.findByRole('dialog', { name: 'Gold Rush for 15 Days!' })).toBeTruthy();
  expect(root.modals.sheet).toBe('none');
});
