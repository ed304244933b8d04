import {
  CHAIN,
  THEME,
  TonConnect,
  TonConnectError,
  TonConnectUI,
  UserRejectsError,
  type Wallet,
} from '@tonconnect/ui-react';
import { afterEach, beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { openStorage } from '../storage';
import type { Options } from '.';
import { openConnector, proofOf } from './connector';
import { isKept, tonConnectStorage } from './session';
import { settings } from './settings';

const wallet = {
  app_name: 'tonkeeper',
  name: 'Tonkeeper',
  image: 'https://mcbk.test/wallet.png',
  about_url: 'https://mcbk.test',
  universal_url: 'https://mcbk.test/connect',
  bridge: [{ type: 'sse', url: 'https://mcbk.test/bridge' }],
  platforms: ['ios', 'android'],
  features: [{ name: 'SendTransaction', maxMessages: 4 }],
};

let asked: string[];
let list: unknown;

beforeEach(() => {
  localStorage.clear();
  asked = [];
  list = [wallet];
  vi.stubGlobal('fetch', async (url: string | URL | Request) => {
    asked.push(url instanceof Request ? url.url : String(url));
    return Response.json(list);
  });
});

afterEach(() => {
  document.body.innerHTML = '';
});

const options = (change: Partial<Options> = {}): Options => ({
  manifest: 'https://mcbk.test/tonconnect-manifest.json',
  list: 'https://mcbk.test/wallets.json',
  app: 'tonkeeper',
  network: 'mainnet',
  returnTo: 'https://t.me/mcbk_bot',
  language: 'en',
  storage: tonConnectStorage(
    openStorage(() => localStorage),
    7,
  ),
  ...change,
});

it('asks our own list and nobody else, and has no account before one is connected', async () => {
  const app = await openConnector(options());
  await app.restored;
  await new Promise((later) => setTimeout(later, 50));
  expect(new Set(asked)).toEqual(new Set(['https://mcbk.test/wallets.json']));
  expect(app.account).toBeNull();
  expect(document.querySelector('#tc-widget-root')).not.toBeNull();
  // No handler, which the page's policy would complain of.
  expect(document.body.getAttributeNode('ontouchstart')?.namespaceURI).toBe('urn:mcbk');
});

it.each([[[]], [[{ ...wallet, app_name: 'another' }]], [{ code: 'internal' }]])(
  'without the named app in the list (%j) begins nothing: the library would take a list of its own',
  async (given) => {
    list = given;
    await expect(openConnector(options())).rejects.toThrow('tonkeeper');
    expect(asked).toEqual(['https://mcbk.test/wallets.json']);
  },
);

it('does not wait for a list that does not come', async () => {
  vi.useFakeTimers();
  vi.stubGlobal(
    'fetch',
    (_: unknown, { signal }: RequestInit = {}) =>
      new Promise((_, fail) => signal?.addEventListener('abort', () => fail(signal.reason))),
  );
  const failed = vi.fn();
  openConnector(options()).catch(failed);
  await vi.advanceTimersByTimeAsync(14_000);
  expect(failed).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(2000);
  expect(failed).toHaveBeenCalledTimes(1);
});

/** The library's windows come and go by timers of its own, which a busy machine is behind with. */
const slow = { timeout: 10_000 };

const inWidget = (selector: string) => document.querySelector<HTMLElement>(`#tc-widget-root ${selector}`);
const modal = '[data-tc-modal]';

/** The widget on a phone, connected where `account` is given. The wallet's answer to a payment is up to the test. */
async function onPhone(account: Partial<Wallet> | null = null) {
  vi.stubGlobal('open', vi.fn());
  vi.stubGlobal('scrollTo', vi.fn());
  vi.spyOn(navigator, 'userAgent', 'get').mockReturnValue('iPhone');
  vi.spyOn(window, 'innerWidth', 'get').mockReturnValue(390);
  vi.spyOn(TonConnect.prototype, 'connect').mockReturnValue('https://mcbk.test/connect' as never); // no bridge
  const listeners = vi.spyOn(TonConnect.prototype, 'onStatusChange');
  let settle = { sent: () => {}, declined: () => {} };
  vi.spyOn(TonConnect.prototype, 'sendTransaction').mockImplementation(
    () =>
      new Promise((resolve, reject) => {
        settle = {
          sent: () => resolve({ boc: '' } as never),
          declined: () => reject(new UserRejectsError()),
        };
      }),
  );
  const app = await openConnector(options());
  if (account) {
    vi.spyOn(TonConnect.prototype, 'getSessionId').mockResolvedValue('session');
    vi.spyOn(TonConnect.prototype, 'connected', 'get').mockReturnValue(true);
    vi.spyOn(TonConnect.prototype, 'account', 'get').mockReturnValue(account.account ?? null);
    vi.spyOn(TonConnect.prototype, 'wallet', 'get').mockReturnValue(account as Wallet);
  }
  const windows: (string | null)[] = [];
  app.onWindow((window) => windows.push(window));
  const declined = vi.fn();
  app.onDecline(declined);
  await app.restored;
  const text = () => inWidget(modal)?.textContent?.replaceAll('\u00a0', ' ') ?? '';
  const shows = (part: string) => vi.waitUntil(() => text().includes(part), slow);
  const closed = () => vi.waitUntil(() => !inWidget(modal), slow);
  // The library remembers beyond its page that a window is open.
  onTestFinished(async () => {
    app.close();
    await closed();
  });
  return {
    app,
    windows,
    declined,
    shows,
    closed,
    settle: () => settle,
    fails: (error: TonConnectError) => {
      for (const [, listener] of listeners.mock.calls) listener?.(error);
    },
  };
}

it('shows a loader until the payload is known, and the connection after that', async () => {
  const phone = await onPhone();
  await phone.app.open();
  await phone.shows('Loading wallets');
  phone.app.setPayload('payload');
  await phone.shows('Continue in Tonkeeper…');
  expect(vi.mocked(TonConnect.prototype.connect).mock.calls.at(-1)?.[1]).toEqual({ tonProof: 'payload' });
  expect(phone.windows.at(-1)).toBe('connect');
  phone.app.close();
  await phone.closed();
  expect(phone.windows.at(-1)).toBeNull();
});

it('reports that the connection was declined, but no other failure', async () => {
  const phone = await onPhone();
  phone.fails(new TonConnectError('another'));
  expect(phone.declined).not.toHaveBeenCalled();
  phone.fails(new UserRejectsError());
  expect(phone.declined).toHaveBeenCalledTimes(1);
});

const account = { address: `0:${'a'.repeat(64)}`, chain: CHAIN.MAINNET, walletStateInit: '' };
const transfer = { to: 'UQ', nanotons: '1', payload: '', validUntil: 1 };

it.each([
  ['sent', 'Transaction sent'],
  ['declined', 'Transaction canceled'],
] as const)('shows a payment that is to be confirmed, and that it was %s', async (outcome, text) => {
  const phone = await onPhone({ account });
  const answer = phone.app.pay(transfer);
  await phone.shows('Confirm the transaction');
  expect(phone.windows.at(-1)).toBe('payment');
  phone.settle()[outcome]();
  expect(await answer).toEqual({ outcome, shown: true });
  await phone.shows(text);
  phone.app.close();
  await phone.closed();
  expect(phone.windows.at(-1)).toBeNull();
});

it.each(['sent', 'declined'] as const)(
  'hears that a payment was %s though its window was closed, and shows nothing more',
  async (outcome) => {
    const phone = await onPhone({ account });
    const answer = phone.app.pay(transfer);
    await phone.shows('Confirm the transaction');
    phone.app.close();
    await phone.closed();
    phone.settle()[outcome]();
    expect(await answer).toEqual({ outcome, shown: false });
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(inWidget(modal)).toBeNull();
  },
);

it('cannot pay while nothing is connected', async () => {
  const app = await openConnector(options());
  expect(await app.pay(transfer)).toEqual({ outcome: 'failed', shown: false });
});

it('speaks another language without forgetting its other settings', async () => {
  const app = await openConnector(options());
  const told = vi.spyOn(TonConnectUI.prototype, 'uiOptions', 'set');
  app.setLanguage('ru');
  expect(told.mock.calls.at(-1)?.[0]).toMatchObject(
    settings({ language: 'ru', returnTo: options().returnTo }),
  );
});

it('dresses the library’s windows as the specification has it', () => {
  expect(settings({ language: 'ru', returnTo: 'https://t.me/mcbk_bot' })).toMatchObject({
    language: 'ru',
    uiPreferences: {
      theme: THEME.DARK,
      borderRadius: 'm',
      colorsSet: { DARK: { background: { primary: '#2E2218' } } },
    },
    enableAndroidBackHandler: true,
    walletsRequiredFeatures: { sendTransaction: { minMessages: 1 } },
    actionsConfiguration: {
      returnStrategy: 'back',
      twaReturnUrl: 'https://t.me/mcbk_bot',
    },
  });
  expect(settings({ language: 'en', returnTo: null }).actionsConfiguration).not.toHaveProperty(
    'twaReturnUrl',
  );
});

it('keeps a connection under its player’s own key, and forgets it', async () => {
  const box = openStorage(() => localStorage);
  const connection = 'ton-connect-storage_bridge-connection';
  await tonConnectStorage(box, 7).setItem(connection, '{}');
  expect([isKept(box, 7), isKept(box, 8)]).toEqual([true, false]);
  expect(await tonConnectStorage(box, 7).getItem(connection)).toBe('{}');
  await tonConnectStorage(box, 7).removeItem(connection);
  expect([isKept(box, 7), await tonConnectStorage(box, 7).getItem(connection)]).toEqual([false, null]);
});

it('tells a proof only with the key of its wallet', () => {
  const keyless = { address: '0:1', chain: CHAIN.TESTNET, walletStateInit: 'init' };
  const proof = {
    timestamp: 1,
    domain: { lengthBytes: 9, value: 'mcbk.test' },
    payload: 'nonce',
    signature: 'signed',
  };
  const signed = { tonProof: { name: 'ton_proof' as const, proof } };
  expect(proofOf({ ...keyless, publicKey: 'key' }, signed)).toEqual({
    ...proof,
    public_key: 'key',
    state_init: 'init',
  });
  expect(proofOf(keyless, signed)).toBeNull();
  expect(proofOf({ ...keyless, publicKey: 'key' }, undefined)).toBeNull();
});
