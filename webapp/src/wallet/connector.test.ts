import {
  CHAIN,
  THEME,
  TonConnect,
  TonConnectError,
  TonConnectUI,
  UserRejectsError,
} from '@tonconnect/ui-react';
import { afterEach, beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { openStorage } from '../storage';
import { isKept, type Options, shelfOf } from '.';
import { openConnector, proofOf } from './connector';
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
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  document.body.innerHTML = '';
});

const options = (change: Partial<Options> = {}): Options => ({
  manifest: 'https://mcbk.test/tonconnect-manifest.json',
  list: 'https://mcbk.test/wallets.json',
  app: 'tonkeeper',
  network: 'mainnet',
  returnTo: 'https://t.me/mcbk_bot',
  language: 'en',
  storage: shelfOf(
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
const patient = { timeout: 10_000 };

/** On a phone, with the window of a connection open. The answer has what the player is told in it, and is a way to fail. */
async function onPhone(named = 'tonkeeper') {
  list = [{ ...wallet, app_name: named }];
  vi.stubGlobal('open', vi.fn());
  vi.stubGlobal('scrollTo', vi.fn());
  vi.spyOn(navigator, 'userAgent', 'get').mockReturnValue('iPhone');
  vi.spyOn(window, 'innerWidth', 'get').mockReturnValue(390);
  vi.spyOn(TonConnect.prototype, 'connect').mockReturnValue('https://mcbk.test/connect' as never); // no bridge
  const loaded = vi.spyOn(TonConnect.prototype, 'onStatusChange');
  const app = await openConnector(options({ app: named }));
  await app.restored;
  const declined = vi.fn();
  app.onDecline(declined);
  app.onWindow(() => undefined);
  const root = () => document.querySelector<HTMLElement>('#tc-widget-root');
  const part = async (selector: string) => {
    const here = () => root()?.querySelector(`[data-tc-wallets-modal-connection-mobile] ${selector}`);
    await vi.waitUntil(here, patient);
    return here() as HTMLElement;
  };
  const open = async () => {
    await app.open();
    await part('h2');
  };
  const gone = () =>
    vi.waitUntil(() => !root()?.querySelector('[data-tc-wallets-modal-connection-mobile]'), patient);
  await open();
  // That a window is open the library remembers past its page.
  onTestFinished(async () => {
    app.close();
    await gone();
  });
  return {
    app,
    open,
    gone,
    declined,
    fails: (error: TonConnectError) => {
      for (const [, hear] of loaded.mock.calls) hear?.(error);
    },
    press: async (name: string) => {
      await part('button');
      const all = [...(root()?.querySelectorAll('button') ?? [])];
      all.find(({ textContent }) => textContent === name)?.click();
    },
    /** What the window shows; the words are the library's until ours hide them. */
    shown: async () => {
      const text = await part('h1 + div > h2');
      const spinner = await part('h1 + div > svg');
      const hidden = getComputedStyle(text).visibility === 'hidden';
      return {
        says: hidden ? root()?.style.getPropertyValue('--declined') : text.textContent,
        spins: getComputedStyle(spinner).display !== 'none',
      };
    },
  };
}

const waits = { says: 'Continue in Tonkeeper…', spins: true };
const tells = { says: '"Connection declined"', spins: false };

it('waits no longer once the connection is declined, until it is asked for again', async () => {
  const phone = await onPhone();
  expect(await phone.shown()).toEqual(waits);
  const no = () => phone.fails(new UserRejectsError());
  no();
  expect(phone.declined).toHaveBeenCalledTimes(1);
  expect(await phone.shown()).toEqual(tells);
  await phone.press('GET'); // leads to no wallet app
  expect(await phone.shown()).toEqual(tells);
  await phone.press('Retry');
  expect(await phone.shown()).toEqual(waits);
  no();
  expect(await phone.shown()).toEqual(tells);
  phone.app.close();
  await phone.gone();
  await phone.open();
  expect(await phone.shown()).toEqual(waits);
});

it('waits too while the code for another device is shown, and leaves to the library what else went wrong', async () => {
  const phone = await onPhone();
  const declined = () => document.querySelector('[data-declined]') !== null;
  phone.fails(new UserRejectsError());
  expect(declined()).toBe(true);
  await phone.press('Show QR Code');
  expect(declined()).toBe(false);
  phone.fails(new UserRejectsError());
  expect(declined()).toBe(true);
  phone.fails(new TonConnectError('another'));
  expect(declined()).toBe(false);
});

it('of Telegram’s own wallet the window says nothing', async () => {
  const phone = await onPhone('telegram-wallet');
  phone.fails(new UserRejectsError());
  expect(phone.declined).toHaveBeenCalledTimes(1);
  expect(await phone.shown()).toEqual(waits);
});

it('cannot pay while nothing is connected', async () => {
  const app = await openConnector(options());
  const transfer = { to: 'UQ', nanotons: '1', payload: '', validUntil: 1 };
  expect(await app.pay(transfer)).toBe('failed');
});

it('speaks another language without forgetting its other settings', async () => {
  const app = await openConnector(options());
  const loaded = vi.spyOn(TonConnectUI.prototype, 'uiOptions', 'set');
  app.speak('ru');
  expect(loaded.mock.calls.at(-1)?.[0]).toMatchObject(
    settings({ language: 'ru', returnTo: options().returnTo }),
  );
});

it('dresses the library’s windows as the specification has it', () => {
  expect(settings({ language: 'ru', returnTo: 'https://t.me/mcbk_bot' })).toMatchObject({
    language: 'ru',
    uiPreferences: { theme: THEME.DARK, borderRadius: 'm', colorsSet: { DARK: { accent: '#0098EA' } } },
    enableAndroidBackHandler: true,
    walletsRequiredFeatures: { sendTransaction: { minMessages: 1 } },
    actionsConfiguration: {
      modals: [],
      notifications: [],
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
  await shelfOf(box, 7).setItem(connection, '{}');
  expect([isKept(box, 7), isKept(box, 8)]).toEqual([true, false]);
  expect(await shelfOf(box, 7).getItem(connection)).toBe('{}');
  await shelfOf(box, 7).removeItem(connection);
  expect([isKept(box, 7), await shelfOf(box, 7).getItem(connection)]).toEqual([false, null]);
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
