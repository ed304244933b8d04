import { type BrowserContext, expect, type Page, test } from '@playwright/test';
import type { Phone } from './phone';
import type { Game, Person, Sandbox } from './sandbox';

/** Finalised payments are read each four seconds; a busy machine is behind with that. */
const soon = 30_000;

/** The player, who has accepted the rules and connected a wallet, stands in the market. */
export async function customer(sandbox: Sandbox, phone: Phone): Promise<Game> {
  const game = await sandbox.game(phone.player);
  await game.me();
  await game.acceptAge();
  await game.connect(await sandbox.wallet(phone.player));
  await enter(phone);
  return game;
}

export async function enter(phone: Phone): Promise<void> {
  await phone.visit('/market');
  await expect(phone.app.getByText(phone.words.market.one, { exact: true })).toBeVisible();
}

/** Presses Buy for so much; the market's answer is up to the test. */
export async function press(phone: Phone, ton: string): Promise<void> {
  const { market } = phone.words;
  await phone.app.getByRole('textbox', { name: market.pay }).fill(ton);
  await phone.app.getByRole('checkbox').check();
  await phone.app.getByRole('button', { name: market.buy.replace('{{wallet}}', 'Sandbox wallet') }).tap();
}

/** Orders coins, and has the pretend wallet that the payment link opened. */
export async function order(phone: Phone, context: BrowserContext, ton = '1'): Promise<Page> {
  const opened = context.waitForEvent('page');
  await press(phone, ton);
  const purse = await opened;
  await expect(phone.modal(phone.words.order.pending)).toBeVisible();
  return purse;
}

/** Finds the order again after the page was loaded anew. */
export async function reload(phone: Phone): Promise<void> {
  await phone.page.bringToFront();
  await enter(phone);
  await phone.app.getByRole('button', { name: phone.words.market.waiting }).tap();
  await expect(phone.modal(phone.words.order.pending)).toBeVisible();
}

/** Somebody pays in the pretend wallet by one of its buttons. */
export async function pay(purse: Page, who: Person, way = 'Pay'): Promise<void> {
  await purse.bringToFront();
  await purse.getByRole('combobox', { name: 'Who pays' }).selectOption(String(who.id));
  await purse.getByRole('button', { name: way, exact: true }).click();
  await expect(purse.getByRole('status')).toHaveText(/^Sent /);
  await purse.close();
}

/** The server has credited the newest order in time; its drawer follows. A story with a payment may take longer than others. */
export async function credited(game: Game): Promise<void> {
  test.slow();
  await expect.poll(async () => (await game.orders())[0]?.status, { timeout: soon }).toBe('paid');
}

// --- the wallet that is connected ---

export const connect = (phone: Phone) =>
  phone.app.getByRole('button', { name: phone.words.wallet.connect, exact: true });
export const manage = (phone: Phone) => phone.app.getByRole('button', { name: phone.words.wallet.manage });
/** TON Connect's own window, which names the wallet of the list. */
export const waiting = (phone: Phone) => phone.app.getByText('Continue in Sandbox wallet…');

/** TON Connect's window of a payment. */
export const payment = (phone: Phone) => phone.app.locator('[data-tc-actions-modal-container]');

/** The player stands before their wallet in the game. */
export async function openWallet(phone: Phone): Promise<void> {
  await phone.visit('/wallet');
  await expect(phone.app.getByText(phone.words.wallet.information)).toBeVisible();
}

/** Presses what leads to the wallet app, and has its page. */
export async function leads(context: BrowserContext, act: () => Promise<void>): Promise<Page> {
  const opened = context.waitForEvent('page');
  await act();
  return opened;
}

/** The player connects their wallet, and stands in the game again. */
export async function connected(phone: Phone, context: BrowserContext): Promise<void> {
  const app = await leads(context, () => connect(phone).tap());
  await app
    .getByRole('region', { name: 'Connect', exact: true })
    .getByRole('button', { name: 'Connect' })
    .tap();
  await expect(app.getByRole('status').first()).toHaveText(/^Connected/);
  await app.close();
  await phone.page.bringToFront();
  await expect(manage(phone)).toBeVisible();
  await expect(waiting(phone)).toHaveCount(0);
}
