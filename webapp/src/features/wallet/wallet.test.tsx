import { act, cleanup, fireEvent, render, screen, within } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { speak } from '../../i18n';
import { aTransaction, friendly } from '../../testing/FakePurse';
import { changeUser, requestsTo, server, setUpGame } from '../../testing/playGame';
import { pass, press, showGame } from '../../testing/showGame';
import { TransactionRow } from './TransactionRow';

const ours = friendly('0:aa');

setUpGame({
  ticking: true,
  user: {
    wallet_address: ours,
    wallet_proven: true,
    balance: {
      game_mcbk: 4000,
      referral_game_mcbk: 980.25,
      purchased_mcbk: 7500,
      game_points: 4000,
      referral_game_points: 120,
    },
    stats: { won_mcbk: 348 },
  },
});

async function open(path = '/wallet') {
  const { root, host } = await showGame({ path });
  await root.loadTrade();
  await pass(50);
  return { root, host, phone: host.wallet };
}

const words = async () => (await screen.findByRole('main')).textContent;
const disconnected = () => {
  changeUser({ wallet_address: null, wallet_proven: false });
};

it('shows the price, what the wallet holds and everything the player owns', async () => {
  await open();
  await screen.findByText('MCBK Coins Information');
  const shown = await words();
  expect(shown).toContain('1 MCBK ≈$0.0050');
  expect(shown).toContain('UQa…AAA');
  expect(shown).toContain('TON$31.2512.50');
  expect(shown).toContain('MCBK$24.904,980.25');
  expect(shown).toContain('Total MCBK12,480.25');
  expect(shown).toContain('Purchased MCBK7,500');
  expect(shown).toContain('Won MCBK348');
  expect(shown).toContain('Points MCBK4,120');
  expect(shown).not.toContain('Approximate');
  expect(shown).toContain('By day 100 there will be a big AirDrop');
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'AirDrop' }).disabled).toBe(true);
});

it('tells what one TON costs while nobody tells what the wallet holds, and without a wallet', async () => {
  server.purse.balance = null;
  const { root } = await open();
  await screen.findByText('MCBK Coins Information');
  expect(await words()).toContain('1 TON$2.50Balance unknown');
  fireEvent.click(screen.getByRole('button', { name: 'Manage wallet' }));
  fireEvent.click(await screen.findByRole('button', { name: 'Disconnect' }));
  await pass(100);
  expect(root.user.user?.wallet_address).toBeNull();
  expect(await words()).toContain('1 TON$2.50');
  expect(screen.queryByRole('button', { name: 'Manage wallet' })).toBeNull();
});

it('waits for the first answer about a wallet beside what one TON costs, and calls nothing unknown before', async () => {
  const { root } = await open('/');
  await root.loadTrade();
  await pass(2000);
  server.delay = 800;
  await act(async () => root.route.go('/wallet'));
  await pass(100);
  await screen.findByText('MCBK Coins Information');
  expect(await words()).toMatch(/1 TON(…|\$2\.50)One moment/);
  await pass(800);
  expect(await words()).toContain('TON$31.2512.50');
  expect(await words()).not.toContain('One moment');
});

it('asks again without a word once it has said that the balance is unknown', async () => {
  server.purse.balance = null;
  await open();
  await screen.findByText('MCBK Coins Information');
  server.delay = 400;
  await pass(30_100);
  expect(await words()).toContain('1 TON$2.50Balance unknown');
});

it('values nothing where no price could be loaded, and says so', async () => {
  server.weatherOf['/api/token/price-info'] = Array(9).fill('cut');
  server.weatherOf['/api/token/ton-price'] = Array(9).fill('cut');
  await open();
  await screen.findByText('MCBK Coins Information');
  const shown = await words();
  expect(shown).toContain('1 MCBK ≈Failed to load pricing dataRetry');
  expect(shown).toContain('TON–12.50');
  expect(shown).toContain('MCBK–4,980.25');
});

it('is connected from its own screen and from Home', async () => {
  disconnected();
  const { root, phone } = await open('/');
  fireEvent.click(await screen.findByRole('button', { name: 'Connect' }));
  await pass(350);
  expect(phone.isOpen).toBe(true);
  act(() => root.back());
  expect(phone.isOpen).toBe(false);
  act(() => root.route.go('/wallet'));
  await screen.findByRole('button', { name: 'Connect Wallet' });
  await pass(350);
  await press('Connect Wallet', 350);
  expect(phone.isOpen).toBe(true);
  await act(() => phone.accept());
  await pass(50);
  expect(await words()).toContain('UQa…AAA');
});

it('names the app in the panel, and asks for a proof where there is none', async () => {
  const { phone } = await open();
  fireEvent.click(await screen.findByRole('button', { name: 'Manage wallet' }));
  const panel = await screen.findByRole('dialog', { name: 'Wallet' });
  expect(panel.textContent).toContain('UQa…AAATonkeeperActive');
  expect(within(panel).queryByRole('button', { name: 'Connect again' })).toBeNull();
  cleanup();
  changeUser({ wallet_proven: false });
  const again = await open();
  fireEvent.click(await screen.findByRole('button', { name: 'Manage wallet' }));
  fireEvent.click(await screen.findByRole('button', { name: 'Connect again' }));
  await pass(350);
  expect([phone.isOpen, again.phone.isOpen]).toEqual([false, true]);
  expect(screen.queryByRole('dialog', { name: 'Wallet' })).toBeNull(); // behind it nobody would reach the wallet's window
});

it('copies the connected address, whole, or says how to', async () => {
  const { host } = await open();
  fireEvent.click(await screen.findByRole('button', { name: 'Manage wallet' }));
  const panel = await screen.findByRole('dialog', { name: 'Wallet' });
  fireEvent.click(within(panel).getByRole('button', { name: 'Copy address' }));
  await pass(50);
  expect(host.copied).toEqual([ours]);
  expect(screen.getByText('Address copied!')).toBeTruthy();
  expect(panel.textContent).not.toContain(ours);
  await pass(2000);
  host.copied = null;
  fireEvent.click(within(panel).getByRole('button', { name: 'Copy address' }));
  await pass(50);
  expect(screen.getByText('Press and hold the text to copy it.')).toBeTruthy();
  expect(panel.textContent).toContain(ours);
});

it('says of each row what it was, when, and what it brought or took', () => {
  const said = (change: Parameters<typeof aTransaction>[0]) =>
    render(<TransactionRow one={aTransaction(change)} />).container.textContent;
  expect(said({})).toBe('Coins boughtMCBK · Mar 1+2,500+$12.50');
  expect(said({ name: 'From a friend', type: 'referral', amount: 12.5, amount_usd: '+0.06' })).toBe(
    'From a friendReferral · Mar 1+12.50+$0.06',
  );
  expect(said({ amount: 0.004, amount_usd: '+0.00' })).toContain('+0.004+');
  expect(said({ amount: 12.345 })).toContain('+12.34+');
  const mine = { asset: 'TON', amount: 2.5, amount_usd: '-6.25', is_withdraw: true } as const;
  expect(said({ name: 'Copper mine', ...mine })).toBe('Copper mineTON · Mar 1−2.50\u00a0TON−$6.25');
});

it('dates a row by the day of where the player is, in their language', async () => {
  const late = aTransaction({ created_at: '2026-02-28T23:30:00Z' });
  const dated = () => render(<TransactionRow one={late} />).container.textContent;
  vi.stubEnv('TZ', 'Asia/Tokyo');
  expect(dated()).toContain('Mar 1');
  vi.stubEnv('TZ', 'UTC');
  expect(dated()).toContain('Feb 28');
  await speak('ru');
  expect(dated()).toContain('28 февр.');
});

it('lists them by tabs, and says where there is none', async () => {
  server.purse.history = [aTransaction()];
  const { root } = await open();
  fireEvent.click(await screen.findByRole('button', { name: /Last: \+2,500 MCBK/ }));
  const sheet = await screen.findByRole('dialog', { name: 'Transactions' });
  const { history } = await root.loadTrade();
  expect(history.shown.list).toMatchObject({ is: 'rows', rows: [{ id: 1 }] });
  fireEvent.click(within(sheet).getByRole('tab', { name: 'Referral' }));
  await pass(100);
  expect(sheet.textContent).toContain('No transactions');
  fireEvent.click(within(sheet).getByRole('tab', { name: 'MCBK' }));
  await pass(100);
  const asked = requestsTo('user/transactions');
  expect(new Set(asked.map(({ query }) => query))).toEqual(
    new Set(['all', 'referrals', 'purchases'].map((type) => `?type=${type}&limit=20&offset=0`)),
  );
  expect(history.shown.list).toMatchObject({ is: 'rows', rows: [{ id: 1 }] });
});

it('lets a payment be confirmed in the connected wallet beside its link', async () => {
  disconnected();
  const { root, phone } = await open('/market');
  const { connection, orders } = await root.loadTrade();
  void connection.connect();
  await pass(350);
  await act(() => phone.accept());
  await pass(50);
  await act(async () => void orders.buy(1_000_000_000n));
  await pass(50);
  const sheet = await screen.findByRole('dialog', { name: 'Waiting for your payment' });
  expect(phone.requests.length).toBe(1);
  const confirm = within(sheet).getByRole('button', { name: /Confirm in Tonkeeper/ });
  expect(confirm.getAttribute('aria-busy')).toBe('true');
  await act(async () => phone.requests[0]?.answer('declined'));
  fireEvent.click(within(sheet).getByRole('button', { name: 'Confirm in Tonkeeper' }));
  expect(phone.requests.length).toBe(2);
  expect(within(sheet).getByRole('button', { name: 'Open Tonkeeper' })).toBeTruthy();
  await act(async () => phone.requests[1]?.answer('sent'));
  // The chain does not show it yet: nothing there would pay again, or cancel what was paid.
  const offered = within(sheet)
    .getAllByRole('button')
    .map((button) => button.getAttribute('aria-label') ?? button.textContent);
  expect(offered.filter((name) => name !== 'Close')).toEqual(['Connect Wallet']); // TON Connect's own
  expect(within(sheet).getByRole('heading', { name: 'Your payment is on its way' })).toBeTruthy();
  expect(within(sheet).getByText('Coins on your balance').closest('li')?.getAttribute('aria-current')).toBe(
    'step',
  );
});
