import { act, fireEvent, screen, within } from '@testing-library/react';
import { beforeEach, expect, it } from 'vitest';
import type { InvoiceStatus } from '../../telegram';
import { aStarsOrder, launchPrices } from '../../testing/FakeMarket';
import { requestsTo, server, setUpGame } from '../../testing/playGame';
import { faults, pass, press, showGame } from '../../testing/showGame';

setUpGame({ path: '/market', ticking: true });

beforeEach(() => {
  server.market.payWith = ['TON', 'XTR'];
});

const main = () => screen.getByRole('main').textContent;
const dialog = (name: string) => screen.findByRole('dialog', { name });

it('lets the player choose between TON and Stars, where no wallet is asked for', async () => {
  await showGame();
  await screen.findByRole('tab', { name: 'TON', selected: true });
  expect(screen.getByRole('button', { name: 'Connect Wallet' })).toBeTruthy();
  fireEvent.click(screen.getByRole('tab', { name: 'Stars' }));
  await pass(10);
  expect(screen.queryByRole('textbox')).toBeNull();
  expect(screen.queryByRole('button', { name: 'Connect Wallet' })).toBeNull();
  expect(main()).toContain('1 Star$0.013');
  expect(main()).toContain('You get≈260$1.30');
  await press('500 Stars');
  expect(screen.getByRole('button', { name: '500 Stars' }).getAttribute('aria-pressed')).toBe('true');
  expect(main()).toContain('You get≈1,300$6.50');
  expect(screen.getByRole<HTMLButtonElement>('button', { name: /^Buy for/ }).disabled).toBe(true);
  fireEvent.click(screen.getByRole('checkbox'));
  await press(/^Buy for.*500$/);
  expect(requestsTo('token/stars').map(({ body }) => body)).toEqual([{ stars: 500 }]);
  await dialog('Waiting for your payment');
});

it.each([
  [['TON'] as const, 'Connect Wallet'],
  [['XTR'] as const, /^Buy for.*100$/],
])('has no choice where %o alone is taken', async (payWith, button) => {
  server.market.payWith = payWith;
  await showGame();
  expect(await screen.findByRole('button', { name: button })).toBeTruthy();
  expect(screen.queryByRole('tab')).toBeNull();
});

it('sells nothing at a price that did not come', async () => {
  server.market.payWith = ['XTR'];
  server.weatherOf['/api/token/price-info'] = ['cut', 'cut'];
  await showGame();
  fireEvent.click(await screen.findByRole('checkbox'));
  expect(screen.getByRole<HTMLButtonElement>('button', { name: /^Buy for/ }).disabled).toBe(true);
});

/** The drawer of an order whose payment Telegram has closed so. */
async function closedAs(status: InvoiceStatus | null) {
  server.market.payWith = ['XTR'];
  const game = await showGame();
  fireEvent.click(await screen.findByRole('checkbox'));
  await press(/^Buy for/);
  game.host.invoices[0]?.close(status);
  await pass(10);
  return { ...game, sheet: await screen.findByRole('dialog') };
}

it.each([
  ['paid', 'Telegram has confirmed; your coins are on their way.', 'Your payment is on its way'],
  ['pending', 'still processing', 'Your payment is on its way'],
  ['failed', 'The payment failed. You can try again.', 'Waiting for your payment'],
  ['cancelled', 'You closed the payment. The order is still open.', 'Waiting for your payment'],
] as const)('says what it means that Telegram said %s', async (status, words, title) => {
  const { sheet, host } = await closedAs(status);
  expect(sheet.textContent).toContain(words);
  await dialog(title);
  const again = within(sheet).queryByRole('button', { name: /^Pay / });
  const cancel = within(sheet).queryByRole('button', { name: 'Cancel the order' });
  const open = status === 'failed' || status === 'cancelled';
  expect([again !== null, cancel !== null]).toEqual([open, open]);
  if (again) fireEvent.click(again);
  await pass(10);
  expect(host.invoices.length).toBe(open ? 2 : 1);
  expect(sheet.textContent).not.toContain('Pay another way');
});

it('celebrates once the server says that it is paid, and says if it is given back', async () => {
  const { sheet } = await closedAs('paid');
  server.market.becomes(1, { status: 'paid', paid_mcbk: 260 });
  await pass(3000);
  await dialog('Coins added to your balance');
  expect(sheet.textContent).toContain('You got+260');
  expect(sheet.textContent).toContain('You paid100');
  server.market.becomes(1, { status: 'refunded' });
  await pass(3000);
  await dialog('Your Stars were given back');
  expect(sheet.textContent).toContain('Telegram has returned your Stars.');
});

it('shows an order that waits, with its Stars, and what happens after its end', async () => {
  server.market.orders = [aStarsOrder({ stars: 2500, mcbk_amount: 6500 })];
  await showGame();
  await press(/^Order awaiting payment.*2,500 Stars/);
  const sheet = await dialog('Waiting for your payment');
  expect(within(sheet).getByRole('button', { name: /^Pay.*2,500$/ })).toBeTruthy();
  expect(await faults()).toEqual([]);
});

it.each(['expired', 'cancelled'] as const)(
  'says what becomes of Stars for one that is %s',
  async (status) => {
    const { sheet } = await closedAs('failed');
    server.market.becomes(1, { status });
    await pass(3000);
    expect(sheet.textContent).toContain('If Telegram has already taken your Stars, they are not lost');
  },
);

it('offers the discount in Stars in the market, and no wallet', async () => {
  server.market.info = launchPrices();
  const { root, host } = await showGame({ path: '/' });
  act(() => void root.tap.tap());
  await pass(2000);
  const modal = await dialog('10-Day Discount!');
  fireEvent.click(within(modal).getByRole('tab', { name: 'Stars' }));
  await pass(10);
  expect(modal.textContent).toContain('100 Stars ≈ 650 MCBK');
  await press('Buy to Discount');
  expect([root.route.path, host.wallet.windows, requestsTo('token/purchase').length]).toEqual([
    '/market',
    0,
    0,
  ]);
  expect(await screen.findByRole('button', { name: /^Buy for.*100$/ })).toBeTruthy();
});
