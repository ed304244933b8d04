import { existsSync } from 'node:fs';
import { defineConfig, type PlaywrightTestConfig } from '@playwright/test';
import { app, appUrl, galleryPort, galleryUrl, ops, sandbox, sandboxUrl } from './e2e/addresses';

// The first has no windows of its own around a page, which take as long to draw as the game.
const names = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome'] as const;
const places = names.map((name) => `/usr/bin/${name}`);
const chromium = process.env.CHROMIUM ?? places.find((path) => existsSync(path)) ?? places[0];

/** What this run is of, as scripts/e2e.sh says: of all tests those that go side by side, those that go alone, or pictures. */
const turn = process.env.E2E_TURN ?? 'together';
/** What `make test` plays; all the rest, tagged `long`, is for `make test-long`. */
const short = process.env.E2E_FORM === 'short';
const turns: Record<string, PlaywrightTestConfig> = {
  together: {
    workers: 3,
    fullyParallel: true,
    grepInvert: short ? /@alone|@pictures|@films|@long/ : /@alone|@pictures|@films/,
  },
  alone: { workers: 1, grep: /@alone/, ...(short && { grepInvert: /@long/ }) },
  // Pictures prove nothing, so they are taken only when asked for (`make pictures`), and the last shows them all.
  pictures: { workers: 1, grep: /@pictures/ },
  films: { workers: 1, grep: /@films/ },
};

const gallery = {
  command: [
    'npx vite build --mode gallery --logLevel warn --outDir "$E2E_DATA/gallery"',
    `exec npx vite preview --outDir "$E2E_DATA/gallery" --port ${galleryPort} --strictPort`,
  ].join(' && '),
  url: galleryUrl,
  reuseExistingServer: false,
  timeout: 120_000,
  stdout: 'ignore' as const,
};

const chosen = turns[turn];
if (!chosen) throw new Error(`E2E_TURN is one of ${Object.keys(turns)}, not ${turn}`);

export default defineConfig({
  testDir: 'e2e',
  // Of its own for each turn, so that the next one does not take away the pictures of what failed.
  outputDir: `test-results/${turn}`,
  // They play one game: who needs it to themselves, or the machine, is tagged `alone`.
  ...chosen,
  // One test that a busy machine disturbed does not fail a run; the list names it as flaky at its end. RERUNS=0 looks for such tests.
  retries: Number(process.env.RERUNS ?? 1),
  timeout: 120_000,
  // The machine may be busy with other tests; a condition is waited for, never a time.
  expect: { timeout: 15_000 },
  forbidOnly: true,
  reporter: [['list']],
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
    // Nobody goes to the gallery alone, or in the short form.
    ...(turn === 'alone' || short ? [] : [gallery]),
  ],
});
