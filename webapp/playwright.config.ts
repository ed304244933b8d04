import { existsSync } from 'node:fs';
import { defineConfig } from '@playwright/test';
import { app, appUrl, ops, sandbox, sandboxUrl } from './e2e/addresses';

const { CHROMIUM, E2E_DATA, E2E_DATABASE_URL, E2E_PICTURES } = process.env;
if (!E2E_DATA || !E2E_DATABASE_URL) {
  throw new Error('run scripts/e2e.sh sqlite or scripts/e2e.sh postgres: it makes the database and its folder');
}

const chromium =
  CHROMIUM ??
  ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find((path) => existsSync(path));
if (!chromium) throw new Error('no Chromium found; install it or set CHROMIUM to its path');

export default defineConfig({
  testDir: 'e2e',
  // One game, one clock, one process that is killed now and then: the tests take turns.
  workers: 1,
  retries: 0,
  timeout: 60_000,
  // The machine may be busy with other tests; a condition is waited for, never a time.
  expect: { timeout: 15_000 },
  forbidOnly: true,
  reporter: [['list']],
  // Pictures prove nothing, so they are taken only when asked for (`make pictures`).
  ...(E2E_PICTURES ? { grep: /@pictures/ } : { grepInvert: /@pictures/ }),
  use: {
    baseURL: sandboxUrl,
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    locale: 'en-GB',
    screenshot: 'only-on-failure',
    launchOptions: {
      executablePath: chromium,
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
    },
  },
  webServer: {
    command: [
      '../bin/sandbox -mcbk ../bin/mcbk',
      `-listen ${sandbox} -app ${app} -ops ${ops}`,
      `-data '${E2E_DATA}' -database '${E2E_DATABASE_URL}'`,
    ].join(' '),
    url: `${appUrl}/health/ready`,
    reuseExistingServer: false,
    gracefulShutdown: { signal: 'SIGTERM', timeout: 30_000 },
    stdout: 'ignore',
  },
});
