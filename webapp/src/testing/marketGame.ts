import { expect } from 'vitest';
import { oneTon } from '../features/market/amount';
import { pass, playGame } from './playGame';

/** A player who stands in the market, and hears every toast. */
export async function inMarket() {
  const { root, host } = await playGame();
  const { orders, market, payments } = await root.loadTrade();
  root.route.go('/market');
  await pass(10);
  return { root, host, orders, market, payments };
}

export const five = 5n * oneTon;

export async function ordered() {
  const all = await inMarket();
  void all.orders.buy(five);
  await pass(10);
  expect(all.orders.open?.id).toBe(1);
  return all;
}
