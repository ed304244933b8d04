import { act, fireEvent, screen, within } from '@testing-library/react';
import { runInAction } from 'mobx';
import { beforeEach, expect, it, vi } from 'vitest';
import { anOrder, aPrice, launchPrices, priceInfo } from '../../testing/FakeMarket';
import { changeUser, requestsTo, server, setUpGame } from '../../testing/playGame';
import { pass, showGame } from '../../testing/showGame';

setUpGame({ path: '/market', ticking: true });

beforeEach(() => {
  connect('0:aa');
});

function connect(wallet_address: string | null) {
  changeUser({ wallet_address });
}

const field = () => screen.findByRole<HTMLInputElement>('textbox', { name: 'You pay, TON' });
const buyButton = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Buy in Tonkeeper' });
const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }));
const purchases = () => requestsTo('token/purchase');

it('shows the rate, the price, its next change and what was sold', async () => {
  await showGame();
  await field();
  await pass(10);
  const { textContent } = screen.getByRole('main');
  expect(textContent).toContain('2.50 USDT');
  expect(textContent).toContain('$0.0050');
  expect(textContent).toContain('Next price $0.0053');
  expect(textContent).toMatch(/21:4[78]:\d\d/);
  expect(textContent).toContain('18,402,118of 30,000,000');
  expect(textContent).toContain('61%');
});

it('computes what an amount brings, steps it by tenths and clamps it once it is written', async () => {
  await showGame();
  const input = await field();
  expect(input.value).toBe('1.0');
  press('More');
  expect(input.value).toBe('1.1');
  fireEvent.change(input, { target: { value: '5,0' } });
  await pass(10);
  expect(screen.getByRole('main').textContent).toContain('You get≈2,500$12.50');
  for (const [written, shown] of [
    ['-3', '1.0'],
    ['five', '1.0'],
    ['', '1.0'],
    ['0.5', '1.0'],
    ['4000', '1000.0'],
    ['2.1234567891', '2.1'],
  ]) {
    fireEvent.change(input, { target: { value: written } });
    fireEvent.blur(input);
    expect(input.value).toBe(shown);
  }
  // All that the wallet holds but what sending it may cost.
  press('Max');
  expect(input.value).toBe('12.4');
});

it('writes one of a few amounts by one press, and its pile grows', async () => {
  await showGame();
  const input = await field();
  const coins = () => document.querySelectorAll('main svg image').length;
  const few = coins();
  const piles = [1, 5, 10, 50].map((ton) => {
    press(`${ton} TON`);
    expect(input.value).toBe(`${ton}.0`);
    return coins();
  });
  expect(piles[0]).toBe(few);
  expect(new Set(piles).size).toBe(4);
  expect(piles).toEqual(piles.toSorted((a, b) => a - b));
});

it('warns before a payment that the wallet cannot make', async () => {
  server.purse.balance = 1.991377996;
  const { root } = await showGame();
  const input = await field();
  fireEvent.click(screen.getByRole('checkbox'));
  await pass(10);
  expect(screen.queryByText(/wallet holds/)).toBeNull();
  fireEvent.change(input, { target: { value: '2' } });
  expect(screen.getByText('Your wallet holds 1.99 TON')).toBeTruthy();
  expect(buyButton().disabled).toBe(false);
  press('Buy in Tonkeeper');
  await pass(10);
  const sheet = await screen.findByRole('dialog', { name: 'Waiting for your payment' });
  expect(within(sheet).getByText('Your wallet holds 1.99 TON')).toBeTruthy();
  act(() => root.modals.closeSheet());
  press('Max');
  expect(input.value).toBe('1.8');
  await vi.waitFor(() => expect(screen.queryByText(/wallet holds/)).toBeNull());
});

it('says below the field what is wrong with it, and buys nothing', async () => {
  await showGame();
  const input = await field();
  fireEvent.click(screen.getByRole('checkbox'));
  for (const [written, fault] of [
    ['0.0', 'Minimum here: 1 TON'],
    ['0.9', 'Minimum here: 1 TON'],
    ['1000.1', 'Maximum purchase is 1000 TON'],
    ['1.2.3', 'Invalid amount'],
  ]) {
    fireEvent.change(input, { target: { value: written } });
    expect(screen.getByRole('alert').textContent).toBe(fault);
    expect(input.getAttribute('aria-invalid')).toBe('true');
    expect(buyButton().disabled).toBe(true);
  }
  fireEvent.change(input, { target: { value: '1' } });
  expect(screen.queryByRole('alert')).toBeNull();
  expect(buyButton().disabled).toBe(false);
});

it('sells only to who has agreed to the policy, whose link comes back here', async () => {
  await showGame();
  await field();
  expect(buyButton().disabled).toBe(true);
  expect(screen.getByRole('link', { name: 'Privacy Policy' }).getAttribute('href')).toBe(
    '/privacy?source=market',
  );
  fireEvent.click(screen.getByRole('checkbox'));
  expect(buyButton().disabled).toBe(false);
});

it('without a wallet connects one, and calls nobody', async () => {
  connect(null);
  const { root } = await showGame();
  await field();
  await pass(10);
  expect(screen.queryByRole('button', { name: 'Buy in Tonkeeper' })).toBeNull();
  press('Connect Wallet');
  expect(await screen.findByText('Connecting wallet...')).toBeTruthy();
  await pass(310);
  expect(screen.queryByText('Connecting wallet...')).toBeNull();
  expect(purchases()).toEqual([]);
  connect('0:aa');
  await act(() => root.user.load(null));
  fireEvent.click(screen.getByRole('checkbox'));
  expect(buyButton().disabled).toBe(false);
});

it('leads from Buy to the coins', async () => {
  const { host } = await showGame();
  fireEvent.change(await field(), { target: { value: '5' } });
  fireEvent.click(screen.getByRole('checkbox'));
  press('Buy in Tonkeeper');
  await pass(10);
  const sheet = await screen.findByRole('dialog', { name: 'Waiting for your payment' });
  expect(screen.getByText('Link created, redirecting to Tonkeeper')).toBeTruthy();
  expect(sheet.textContent).toContain('You pay5\u00a0TON');
  expect(sheet.textContent).toContain('You get2,500');
  expect(sheet.textContent).toMatch(/1(5:00|4:5\d)/);
  press('Open Tonkeeper');
  expect(host.opened.length).toBe(2);
  const reveal = vi.fn();
  Element.prototype.scrollIntoView = reveal;
  press('Pay another way');
  const code = screen.getByRole('img', { name: 'QR code of the payment link' });
  expect((reveal.mock.instances[0] as Element).contains(code)).toBe(true);
  for (const what of ['Comment', 'Amount, TON', 'Address']) press(`Copy: ${what}`);
  await pass(10);
  expect(host.copied).toEqual(['MC-ABCDE12341', '5', 'UQBvQ8m1tttttttttttttttttttttttttttttttttttttttt']);
  changeUser({ balance: { purchased_mcbk: 7500 } });
  server.market.info = { ...server.market.info, purchased_total: 2_007_500 };
  server.market.becomes(1, { status: 'paid' });
  await pass(3000);
  await pass(10);
  expect(await screen.findByRole('dialog', { name: 'Coins added to your balance' })).toBe(sheet);
  expect(sheet.textContent).toContain('Purchased MCBK7,500.00');
  expect(document.body.textContent).toContain('2,007,500of 30,000,000');
});

it.each([
  [
    'paid',
    { paid_ton: 2.5, paid_mcbk: 1250 },
    ['You paid2.5\u00a0TON', 'You got+1,250', 'The order was for 5 TON.'],
  ],
  ['held', { held_ton: 0.000000005 }, ['Ordered for5\u00a0TON', '0.000000005 TON is under review']],
  ['paid', { paid_ton: 5, paid_mcbk: 2500, held_ton: 1 }, ['You got+2,500', '1 TON is under review']],
] as const)('tells what came for an order that is %s', async (status, change, loaded) => {
  server.market.orders = [anOrder()];
  await showGame();
  await field();
  await pass(10);
  fireEvent.click(screen.getByRole('button', { name: /Order awaiting payment/ }));
  const sheet = await screen.findByRole('dialog', { name: 'Waiting for your payment' });
  server.market.becomes(1, { status, ...change });
  await pass(3000);
  await pass(10);
  for (const words of loaded) expect(sheet.textContent).toContain(words);
  expect(sheet.textContent?.includes('The order was for')).toBe(loaded.length === 3);
});

it('lets an order be paid, or cancelled, for which too little came', async () => {
  server.market.orders = [anOrder({ status: 'held', held_ton: 0.05, payable: true })];
  const { host } = await showGame();
  await field();
  await pass(10);
  const row = screen.getByRole('button', { name: /Payment under review/ });
  expect(row.textContent).toMatch(/0\.05 TON.*14:\d\d/);
  fireEvent.click(row);
  const sheet = await screen.findByRole('dialog', { name: 'Payment under review' });
  expect(sheet.textContent).toContain('You pay5\u00a0TON');
  expect(sheet.textContent).toMatch(/0\.05 TON is under review.*Payment link created/);
  const before = host.opened.length;
  press('Open Tonkeeper');
  expect(host.opened.length).toBe(before + 1);
  press('Cancel the order');
  await pass(10);
  expect(screen.queryByRole('button', { name: 'Open Tonkeeper' })).toBeNull();
  expect(sheet.textContent).toContain('0.05 TON is under review');
});

it('offers an order that was left open, and says when its time is over', async () => {
  server.market.orders = [anOrder({ expires_at: '2026-03-01T12:01:00Z' })];
  await showGame();
  await field();
  await pass(10);
  expect(screen.getAllByRole('timer').length).toBe(1); // the order's, not the price's
  fireEvent.click(screen.getByRole('button', { name: /Order awaiting payment/ }));
  const sheet = await screen.findByRole('dialog', { name: 'Waiting for your payment' });
  expect(screen.getByRole('button', { name: 'Open Tonkeeper' })).toBeTruthy();
  await pass(60_000);
  expect(sheet.textContent).toContain('Time is up');
  expect(screen.queryByRole('button', { name: 'Open Tonkeeper' })).toBeNull();
  server.market.becomes(1, { status: 'expired' });
  await pass(3000);
  await pass(10);
  expect(await screen.findByRole('dialog', { name: 'The order has expired' })).toBe(sheet);
  expect(sheet.textContent).toContain('No payment arrived. Nothing was taken.');
});

it('promises for a mine’s order no price and no credit, but what holds of it', async () => {
  server.market.orders = [anOrder({ kind: 'mine', level: 1, expires_at: '2026-03-01T12:01:00Z' })];
  const { root } = await showGame();
  await field();
  await pass(10);
  act(() => root.modals.openSheet('order'));
  const sheet = await screen.findByRole('dialog', { name: 'Waiting for your payment' });
  expect(sheet.textContent).toContain('The order is open for');
  await pass(60_000);
  expect(sheet.textContent).toContain('opens the mine if it is still your next one');
  expect(sheet.textContent).not.toMatch(/price is locked|credited/);
});

it('shows no made-up figure, and tries again when asked to', async () => {
  server.weatherOf['/api/token/price-info'] = Array(5).fill('cut');
  server.weatherOf['/api/token/ton-price'] = Array(5).fill('cut');
  await showGame();
  await field();
  await pass(10);
  const main = screen.getByRole('main');
  expect(main.textContent).toMatch(/^Market1 MCBK–1.TON–Failed to load pricing dataRetryYou pay/);
  expect(main.textContent).not.toMatch(/2\.50|0\.001|Approximate/);
  // What nobody knows the price of brings nobody knows how much.
  expect(main.textContent).toContain('You getFailed to load pricing data');
  server.weatherOf = {};
  press('Retry');
  await pass(120_000);
  expect(main.textContent).toContain('You get≈');
  expect(main.textContent).not.toContain('Failed to load pricing data');
  expect(main.textContent).toContain('$0.0050');
});

it.each([
  [
    'the price of TON is stale',
    'Sales are paused until the price is up to date',
    () => {
      server.market.ton = aPrice({ stale: true });
    },
  ],
  [
    'the price of TON does not come',
    'Failed to load pricing data',
    () => {
      server.weatherOf['/api/token/ton-price'] = Array(9).fill('cut');
    },
  ],
  [
    'the price of MCBK does not come',
    'Failed to load pricing data',
    () => {
      server.weatherOf['/api/token/price-info'] = Array(9).fill('cut');
    },
  ],
])('sells nothing while %s, says so, and goes on by itself', async (_, words, happens) => {
  happens();
  await showGame();
  await field();
  await pass(10);
  fireEvent.click(screen.getByRole('checkbox'));
  const main = screen.getByRole('main');
  const paused = `You get${words}`;
  expect([main.textContent?.includes(paused), buyButton().disabled]).toEqual([true, true]);
  server.weatherOf = {};
  server.market.ton = aPrice();
  await pass(30_000);
  expect([main.textContent?.includes(paused), buyButton().disabled]).toEqual([false, false]);
  expect(main.textContent).toContain('You get≈500');
});

it('stops selling at a price that this phone could not renew for ten minutes, and calls nothing paused', async () => {
  await showGame();
  await field();
  await pass(10);
  fireEvent.click(screen.getByRole('checkbox'));
  expect(buyButton().disabled).toBe(false);
  server.weatherOf['/api/token/ton-price'] = Array(99).fill('cut');
  await pass(602_000);
  expect(buyButton().disabled).toBe(true);
  expect(screen.getByText('Failed to load pricing data')).toBeTruthy();
});

it('awaits the first prices before it sells, and calls nothing paused', async () => {
  const { root } = await showGame();
  await field();
  await pass(10);
  const { market, prices } = await root.loadTrade();
  fireEvent.click(screen.getByRole('checkbox'));
  act(() => runInAction(() => (prices.ton = null)));
  expect([market.pricing, buyButton().disabled]).toEqual(['awaited', true]);
  expect(screen.getByText('You get').parentElement?.getAttribute('aria-busy')).toBe('true');
  expect(screen.queryByText(/paused/)).toBeNull();
});

it('has no next price when the last one holds', async () => {
  server.market.info = priceInfo({ price: 0.01, next_price: null, next_change_at: null });
  await showGame();
  expect(await screen.findByText('The last price of the season')).toBeTruthy();
});

it('says that sales are closed, and sells nothing', async () => {
  server.market.open = false;
  await showGame();
  expect(await screen.findByText('Sales are closed')).toBeTruthy();
  expect(screen.queryByRole('textbox')).toBeNull();
});

it('counts down in Russian with the right plurals', async () => {
  window.history.replaceState(null, '', '/');
  server.market.info = launchPrices();
  changeUser({ language: 'ru' });
  const { root } = await showGame();
  act(() => void root.tap.tap());
  await pass(1600);
  const modal = await screen.findByRole('dialog', { name: '10-дневная скидка!' });
  expect(modal.textContent).toMatch(/07 дней21 час4[78] мин\d\d сек/);
});

it('speaks Russian, with its comma', async () => {
  changeUser({ language: 'ru' });
  await showGame();
  const input = await screen.findByRole<HTMLInputElement>('textbox', { name: 'Вы платите, TON' });
  expect(input.value).toBe('1,0');
  await pass(10);
  expect(screen.getByRole('main').textContent).toContain('$0,0050');
});
