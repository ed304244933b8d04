import { act, fireEvent, screen, within } from '@testing-library/react';
import { runInAction } from 'mobx';
import { beforeEach, expect, it } from 'vitest';
import { aPrice, launchPrices } from '../../testing/FakeMarket';
import { friendly } from '../../testing/FakePurse';
import { changeUser, server, setUpGame } from '../../testing/playGame';
import { closed, pass, showGame } from '../../testing/showGame';

setUpGame({ path: '/market', ticking: true });

beforeEach(() => {
  connect('0:aa');
});

function connect(wallet_address: string | null) {
  changeUser({ wallet_address });
}
const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }));

it('offers the launch price with its true end, and Skip puts it away', async () => {
  window.history.replaceState(null, '', '/');
  server.market.info = launchPrices();
  const { root } = await showGame();
  act(() => void root.tap.tap());
  await pass(1600);
  const modal = await screen.findByRole('dialog', { name: '10-Day Discount!' });
  expect(modal.textContent).toMatch(/07 days21 hours4[78] min\d\d sec/);
  expect(modal.textContent).toContain('Price today, 1 MCBK$0.0020');
  expect(modal.textContent).toContain('Last price, from day 88: $0.0100');
  expect(modal.textContent).toContain('1 TON ≈ 1,250 MCBK');
  press('Skip');
  await closed();
});

it('warns in the offer that the wallet holds too little', async () => {
  window.history.replaceState(null, '', '/');
  server.market.info = launchPrices();
  server.purse.balance = 0.5;
  const { root } = await showGame();
  act(() => void root.tap.tap());
  await pass(1600);
  const modal = await screen.findByRole('dialog', { name: '10-Day Discount!' });
  expect(within(modal).getByText('Your wallet holds 0.50 TON')).toBeTruthy();
});

it('takes no order at the launch price while the price of TON is stale, and says so', async () => {
  window.history.replaceState(null, '', '/');
  server.market.info = launchPrices();
  server.market.ton = aPrice({ stale: true });
  changeUser({ wallet_address: friendly('0:aa') });
  const { root } = await showGame();
  act(() => void root.tap.tap());
  await pass(1600);
  const modal = await screen.findByRole('dialog', { name: '10-Day Discount!' });
  const buy = within(modal).getByRole('button', { name: 'Buy to Discount' }) as HTMLButtonElement;
  expect([buy.disabled, modal.textContent?.includes('Sales are paused')]).toEqual([true, true]);
  server.market.ton = aPrice();
  await pass(30_000);
  expect([buy.disabled, modal.textContent?.includes('Sales are paused')]).toEqual([false, false]);
});

it.each([
  ['could not be loaded', ['cut', 'cut'], 'Failed to load pricing data'],
  ['is on its way', [], null],
] as const)(
  'takes no order at the launch price while the price of TON %s, and says so',
  async (_, weather, words) => {
    window.history.replaceState(null, '', '/');
    server.market.info = launchPrices();
    server.weatherOf['/api/token/ton-price'] = [...weather];
    changeUser({ wallet_address: friendly('0:aa') });
    const { root } = await showGame();
    act(() => void root.tap.tap());
    await pass(1600);
    const modal = await screen.findByRole('dialog', { name: '10-Day Discount!' });
    const { prices } = await root.loadTrade();
    if (words === null) act(() => runInAction(() => (prices.ton = null)));
    const buy = within(modal).getByRole('button', { name: 'Buy to Discount' }) as HTMLButtonElement;
    expect(buy.disabled).toBe(true);
    const pay = within(modal).getByText('You pay 1 TON');
    expect(pay.getAttribute('aria-busy')).toBe(String(words === null));
    expect(within(modal).queryByRole('status')?.textContent ?? null).toBe(words);
    await pass(120_000);
    expect([buy.disabled, modal.textContent?.includes('1 TON ≈')]).toEqual([false, true]);
  },
);
