import type { Page } from '@playwright/test';

// What real clients do differently: the table behind launch.spec.ts.

/** A client of Telegram's: how it embeds the page, names itself and is heard. */
type Client = {
  readonly userAgent: string;
  readonly platform: string;
  /** In a frame of Telegram's page, by the proxy of a native client, or by `external.notify`. */
  readonly bridge: 'frame' | 'proxy' | 'notify';
  /** The game is for phones: these see a notice. */
  readonly desktop?: true;
};

const phone =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)';
const mac = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko)';

export const clients = {
  android: {
    userAgent:
      'Mozilla/5.0 (Linux; Android 13; SM-A536E; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/131.0.0.0 Mobile Safari/537.36 Telegram-Android/11.5.3 (Samsung SM-A536E; Android 13; SDK 33; AVERAGE)',
    platform: 'android',
    bridge: 'proxy',
  },
  ios: { userAgent: `${phone} Mobile/15E148`, platform: 'ios', bridge: 'proxy' },
  desktop: {
    userAgent:
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36',
    platform: 'tdesktop',
    bridge: 'proxy',
    desktop: true,
  },
  macos: { userAgent: mac, platform: 'macos', bridge: 'proxy', desktop: true },
  webA: { userAgent: `${phone} Version/18.1 Mobile/15E148 Safari/604.1`, platform: 'weba', bridge: 'frame' },
  webK: {
    userAgent:
      'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Mobile Safari/537.36',
    platform: 'web',
    bridge: 'frame',
  },
  other: {
    userAgent: 'Mozilla/5.0 (Linux; Android 9; rv) AppleWebKit/537.36 (KHTML, like Gecko) Mobile',
    platform: 'unknown',
    bridge: 'notify',
  },
} as const satisfies Record<string, Client>;

export type ClientName = keyof typeof clients;

/** Web Storage, both kinds of it, as clients leave it to a page. */
export const storages = {
  good: () => undefined,
  /** Blocked in a frame of another site. */
  throwing: () => {
    for (const name of ['localStorage', 'sessionStorage'])
      Object.defineProperty(window, name, {
        get: () => {
          throw new DOMException('The operation is insecure.', 'SecurityError');
        },
      });
  },
  full: () => {
    Storage.prototype.setItem = () => {
      throw new DOMException('The quota has been exceeded.', 'QuotaExceededError');
    };
  },
  /** An Android WebView with DOM storage switched off. */
  absent: () => {
    for (const name of ['localStorage', 'sessionStorage'])
      Object.defineProperty(window, name, { get: () => null });
  },
  /** Says nothing and keeps nothing. */
  forgetful: () => {
    Storage.prototype.setItem = () => undefined;
  },
  /** What another version, or another program on this host, left behind. */
  odd: () => {
    if (!location.protocol.startsWith('http')) return;
    for (const name of ['accumulated_taps', 'mines_accumulated_taps', 'asked_payments', 'unshown_spin'])
      localStorage.setItem(name, '[null, {"7": "x"');
    sessionStorage.setItem('tapps/launchParams', '{"odd":');
  },
} as const satisfies Record<string, () => void>;

export type StorageName = keyof typeof storages;

/** The parameters of a launch, before they become the fragment. */
type Parameters = Record<string, string>;

export type Launch = {
  /** What differs from an ordinary launch. */
  readonly name: string;
  readonly change?: (parameters: Parameters) => Parameters;
  /** Where in the address the parameters stand; in the fragment, unless said. */
  readonly address?: (root: string, query: string) => string;
  /** In the page, before anything of it runs. */
  readonly before?: () => void;
};

const with_ = (changed: Parameters) => (parameters: Parameters) => ({ ...parameters, ...changed });
const without =
  (...names: string[]) =>
  (parameters: Parameters) =>
    Object.fromEntries(Object.entries(parameters).filter(([name]) => !names.includes(name)));

const themes = {
  'with alpha': '{"bg_color":"#212121ff","text_color":"#ffffffff"}',
  short: '{"bg_color":"#fff"}',
  'as rgb()': '{"bg_color":"rgb(33, 33, 33)"}',
  'as rgba()': '{"bg_color":"rgba(33,33,33,0.9)"}',
  'an empty colour': '{"bg_color":""}',
  'no colour': '{"bg_color":null}',
  'a number': '{"bg_color":2171169}',
  nested: '{"bg_color":{"light":"#fff"}}',
  'an array': '[]',
  null: 'null',
  empty: '',
  'not JSON': '{bg_color:',
} as const;

const versions = ['', 'x', '99', '6.0', '6', '9.1', '7.10', '8.0-beta', ' 8.0 '] as const;
const platforms = ['', 'android_x', 'IOS', 'web_z', 'undefined'] as const;
const others: Readonly<Record<string, readonly string[]>> = {
  tgWebAppBotInline: ['1', '0', '', 'true'],
  tgWebAppStartParam: ['friend', '', '%%', 'я'.repeat(80)],
  tgWebAppFullscreen: ['', 'yes'],
  tgWebAppShowSettings: ['maybe'],
  tgWebAppDefaultColors: ['{}', '{"bg_color":"#fff"}', 'null', 'x'],
  tgWebAppColorScheme: ['purple'],
  tgWebAppUnknown: ['{"a":[1]}'],
  'tgWebAppOdd[]': ['a&b=c'],
};

export const ordinary: Launch = { name: 'ordinary' };

export const launches: readonly Launch[] = [
  ordinary,
  ...Object.entries(themes).map(([name, tgWebAppThemeParams]) => ({
    name: `theme ${name}`,
    change: with_({ tgWebAppThemeParams }),
  })),
  { name: 'theme absent', change: without('tgWebAppThemeParams') },
  ...versions.map((tgWebAppVersion) => ({
    name: `version "${tgWebAppVersion}"`,
    change: with_({ tgWebAppVersion }),
  })),
  { name: 'version absent', change: without('tgWebAppVersion') },
  ...platforms.map((tgWebAppPlatform) => ({
    name: `platform "${tgWebAppPlatform}"`,
    change: with_({ tgWebAppPlatform }),
  })),
  { name: 'platform absent', change: without('tgWebAppPlatform') },
  ...Object.entries(others).flatMap(([name, values]) =>
    values.map((value) => ({ name: `${name} "${value.slice(0, 12)}"`, change: with_({ [name]: value }) })),
  ),
  {
    name: 'launch data alone',
    change: without('tgWebAppVersion', 'tgWebAppPlatform', 'tgWebAppThemeParams'),
  },
  { name: 'launch data last', change: ({ tgWebAppData = '', ...rest }) => ({ ...rest, tgWebAppData }) },
  { name: 'a route before them', address: (root, query) => `${root}#/wallet?${query}` },
  { name: 'a path before them', address: (root, query) => `${root}#/wallet&${query}` },
  { name: 'in the query', address: (root, query) => `${root}?${query}` },
  {
    name: 'beside a query',
    address: (root, query) => `${root}?start=friend&tgWebAppStartParam=friend#${query}`,
  },
  {
    name: 'telegram-web-app.js is there too',
    before: () =>
      Object.assign(window, {
        Telegram: {
          WebApp: Object.freeze({ initData: '', platform: 'unknown', version: '6.0' }),
          WebView: { receiveEvent: () => undefined, onEvent: () => undefined },
        },
      }),
  },
  {
    name: 'a bridge that throws',
    before: () => {
      const fail = () => {
        throw new Error('the bridge is gone');
      };
      Object.defineProperty(window, 'TelegramWebviewProxy', { value: { postEvent: fail } });
      if (window.parent !== window) Object.defineProperty(window, 'parent', { value: { postMessage: fail } });
    },
  },
  {
    name: 'a bridge without words',
    before: () => Object.defineProperty(window, 'TelegramWebviewProxy', { value: {} }),
  },
  {
    name: 'a history that cannot be written',
    before: () => {
      history.replaceState = () => {
        throw new DOMException('Too many calls', 'SecurityError');
      };
    },
  },
];

type Receive = (type: string, data?: object) => void;

/** Where a native client says its events. */
export type NativeWindow = {
  Telegram?: { WebView?: { receiveEvent?: Receive } };
  TelegramGameProxy?: { receiveEvent?: Receive };
};

/** In a page of a native client: answers what the game asks of it, and notes what it was told as `__posted`. */
function nativeBridge(kind: 'proxy' | 'notify'): void {
  const posted: string[] = [];
  const insets = { top: 24, bottom: 12, left: 0, right: 0 };
  const answers: Record<string, () => [string, object]> = {
    web_app_request_viewport: () => [
      'viewport_changed',
      { height: innerHeight, width: innerWidth, is_state_stable: true, is_expanded: true },
    ],
    web_app_request_safe_area: () => ['safe_area_changed', insets],
    web_app_request_content_safe_area: () => ['content_safe_area_changed', { ...insets, top: 46 }],
    web_app_request_theme: () => ['theme_changed', { theme_params: {} }],
  };
  const heard = window as unknown as NativeWindow;
  const take = (type: string) => {
    posted.push(type);
    const answer = answers[type]?.();
    const receive = heard.Telegram?.WebView?.receiveEvent ?? heard.TelegramGameProxy?.receiveEvent;
    if (answer) setTimeout(() => receive?.(...answer));
  };
  const bridge =
    kind === 'proxy'
      ? { TelegramWebviewProxy: { postEvent: take } }
      : { external: { notify: (message: string) => take(JSON.parse(message).eventType) } };
  for (const [name, value] of Object.entries({ ...bridge, __posted: posted }))
    Object.defineProperty(window, name, { value, configurable: true });
}

/** In a page that stands for Telegram's web client: has the game in a frame, answers it, and notes what it was told. */
function webClient(address: string): void {
  const posted: string[] = [];
  Object.assign(window, { __posted: posted });
  document.body.style.margin = '0';
  const game = document.createElement('iframe');
  game.style.cssText = 'border: 0; width: 100vw; height: 100vh';
  addEventListener('message', ({ data, source }) => {
    if (source !== game.contentWindow) return;
    const { eventType } = JSON.parse(data);
    posted.push(eventType);
    const size = { height: innerHeight, width: innerWidth, is_state_stable: true, is_expanded: true };
    if (eventType === 'web_app_request_viewport')
      game.contentWindow?.postMessage(
        JSON.stringify({ eventType: 'viewport_changed', eventData: size }),
        '*',
      );
  });
  game.src = address;
  document.body.replaceChildren(game);
}

/** Opens the game as that client does. `signed` is an address with launch data, `host` a page that may frame the game. */
export async function openLaunch(
  page: Page,
  signed: string,
  host: string,
  { client, launch, storage }: { client: ClientName; launch: Launch; storage: StorageName },
): Promise<void> {
  const { platform, bridge } = clients[client];
  const url = new URL(signed);
  const parameters = {
    ...Object.fromEntries(new URLSearchParams(url.hash.slice(1))),
    tgWebAppPlatform: platform,
  };
  const query = new URLSearchParams(launch.change?.(parameters) ?? parameters).toString();
  const root = url.origin + url.pathname;
  const address = launch.address?.(root, query) ?? `${root}#${query}`;
  if (bridge !== 'frame') await page.addInitScript(nativeBridge, bridge);
  await page.addInitScript(storages[storage]);
  if (launch.before) await page.addInitScript(launch.before);
  if (bridge === 'frame') {
    await page.route(new URL('/assets/**/*.js', host).href, (route) =>
      route.fulfill({ contentType: 'text/javascript', body: '' }),
    );
    await page.goto(host);
    await page.evaluate(webClient, address);
  } else await page.goto(address);
}

/** What the game told the client. */
export const posted = (page: Page): Promise<string[]> =>
  page.evaluate(() => (window as unknown as { __posted?: string[] }).__posted ?? []);

/** The game's own document, wherever the client has put it. */
export const documentOf = (
  page: Page,
  client: ClientName,
): Pick<Page, 'getByRole' | 'getByText' | 'locator'> =>
  clients[client].bridge === 'frame' ? page.locator('iframe').contentFrame() : page;
