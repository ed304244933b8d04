import { existsSync } from 'node:fs';
import { defineConfig } from '@playwright/test';
import { app, appUrl, galleryPort, galleryUrl, ops, sandbox, sandboxUrl } from './e2e/addresses';

const places = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'] as const;
const chromium = process.env.CHROMIUM ?? places.find((path) => existsSync(path)) ?? places[0];

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
  ...(process.env.E2E_PICTURES ? { grep: /@pictures/ } : { grepInvert: /@pictures/ }),
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
  webServer: [
    {
      // scripts/e2e.sh makes the database and the folder; the shell reads their names.
      command: [
        `../bin/sandbox -mcbk ../bin/mcbk -listen ${sandbox} -app ${app} -ops ${ops}`,
        // biome-ignore lint/suspicious/noTemplateCurlyInString: for the shell
        '-data "${E2E_DATA:?run scripts/e2e.sh}" -database "${E2E_DATABASE_URL:?run scripts/e2e.sh}"',
      ].join(' '),
      url: `${appUrl}/health/ready`,
      reuseExistingServer: false,
      gracefulShutdown: { signal: 'SIGTERM', timeout: 30_000 },
      stdout: 'ignore',
    },
    {
      command: [
        'npx vite build --mode gallery --logLevel warn --outDir "$E2E_DATA/gallery"',
        `exec npx vite preview --outDir "$E2E_DATA/gallery" --port ${galleryPort} --strictPort`,
      ].join(' && '),
      url: galleryUrl,
      reuseExistingServer: false,
      timeout: 120_000,
      stdout: 'ignore',
    },
  ],
});
