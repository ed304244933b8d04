import { afterEach, expect, it, vi } from 'vitest';
import { launchData } from './pretend';

const data = launchData();
const ordinary = {
  tgWebAppData: data,
  tgWebAppVersion: '8.0',
  tgWebAppPlatform: 'android',
  tgWebAppThemeParams: '{}',
};
const query = (changed: Record<string, string>) => new URLSearchParams(changed).toString();

const sound = Object.getOwnPropertyDescriptor(window, 'sessionStorage') as PropertyDescriptor;

/** A page of this address; each has modules of its own. */
async function visit(address: string) {
  vi.resetModules();
  window.history.replaceState(null, '', address);
  return import('./launch');
}

afterEach(() => {
  Object.defineProperty(window, 'sessionStorage', sound);
  window.history.replaceState(null, '', '/');
});

it.each([
  ['alpha', { ...ordinary, tgWebAppThemeParams: '{"bg_color":"#212121ff"}' }],
  ['no colours', { ...ordinary, tgWebAppThemeParams: 'null' }],
  ['nothing but launch data', { tgWebAppData: data }],
  ['odd flags', { ...ordinary, tgWebAppBotInline: 'maybe', tgWebAppStartParam: '%%', tgWebAppNew: '[' }],
])('a launch with %s is read', async (_, parameters) => {
  const { readLaunch } = await visit(`/#${query(parameters)}`);
  expect(readLaunch()).toMatchObject({
    is: 'telegram',
    initData: data,
    languageCode: 'ru',
    cannotBeMessaged: true,
  });
});

it.each([
  ['in the fragment', `/#${query(ordinary)}`, '/'],
  ['after a route of ours', `/wallet#/x?${query(ordinary)}`, '/wallet'],
  ['in the query', `/?a=1&${query(ordinary)}`, '/?a=1'],
  ['beside a query', `/?start=FRIEND#${query(ordinary)}`, '/?start=FRIEND'],
])('launch data %s leave the address', async (_, address, left) => {
  const { readLaunch } = await visit(address);
  expect(readLaunch()).toMatchObject({ is: 'telegram', initData: data });
  expect(location.pathname + location.search + location.hash).toBe(left);
});

it.each([
  ['8.0', '8.0'],
  ['9', '9'],
  ['99', '99'],
  ['', '6.0'],
  ['x', '6.0'],
  ['8.0-beta', '6.0'],
])('version "%s" counts as %s', async (tgWebAppVersion, version) => {
  const { readLaunch } = await visit(`/#${query({ ...ordinary, tgWebAppVersion })}`);
  expect(readLaunch()).toMatchObject({ version });
});

it.each([
  ['no user', 'auth_date=1&hash=ff'],
  ['a user that is no JSON', 'user={&hash=ff'],
  ['a user that is null', 'user=null&hash=ff'],
  ['a user that is a number', 'user=7&hash=ff'],
  ['a language that is a number', 'user={"id":7,"language_code":7}&hash=ff'],
  ['unknown fields, no signature', 'user={"id":7,"is_new":[1]}&hash=ff&new_field=1'],
])('launch data with %s is the server’s to judge', async (_, tgWebAppData) => {
  const { readLaunch } = await visit(`/#${query({ ...ordinary, tgWebAppData })}`);
  expect(readLaunch()).toMatchObject({ is: 'telegram', initData: tgWebAppData, languageCode: null });
});

it.each([
  ['nothing', '/'],
  ['a fragment', '/#about'],
  ['empty launch data', `/#${query({ ...ordinary, tgWebAppData: '' })}`],
  ['a start code alone', '/?tgWebAppStartParam=FRIEND'],
])('with %s in the address it is outside', async (_, address) => {
  const { readLaunch } = await visit(address);
  expect(readLaunch().is).toBe('outside');
  expect(location.pathname + location.search + location.hash).toBe(address);
});

it('the visit’s launch is read after a reload, and a newer one replaces it', async () => {
  (await visit(`/#${query(ordinary)}`)).readLaunch();
  expect((await visit('/wallet')).readLaunch()).toMatchObject({ initData: data, version: '8.0' });
  const newer = launchData({ allows: true });
  (await visit(`/#${query({ ...ordinary, tgWebAppData: newer })}`)).readLaunch();
  expect((await visit('/')).readLaunch()).toMatchObject({ initData: newer });
});

it.each(['{', '7', '{"a":1}', 'null', '""'])('stored parameters %s are no launch', async (text) => {
  sessionStorage.setItem('tapps/launchParams', text);
  const { readLaunch } = await visit('/');
  expect(readLaunch().is).toBe('outside');
});

it('a reload puts back what could not be stored', async () => {
  vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
    throw new DOMException('full', 'QuotaExceededError');
  });
  const { readLaunch, reload } = await visit(`/#${query(ordinary)}`);
  readLaunch();
  expect(location.hash).toBe('');
  vi.spyOn(console, 'error').mockImplementation(() => undefined); // jsdom does not reload
  reload();
  expect(new URLSearchParams(location.hash.slice(1)).get('tgWebAppData')).toBe(data);
});

it('an address that cannot be changed still launches', async () => {
  const { readLaunch } = await visit(`/#${query(ordinary)}`);
  vi.spyOn(window.history, 'replaceState').mockImplementation(() => {
    throw new DOMException('too many', 'SecurityError');
  });
  expect(readLaunch()).toMatchObject({ is: 'telegram', initData: data });
  vi.restoreAllMocks();
});
