import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { parse } from 'yaml';
import { expect, test } from './test';

type Operation = { tags?: string[] };

test('the API is a page that a person reads without a network', async ({ page, context }, info) => {
  const file = info.outputPath('api.html');
  execFileSync('node', ['../scripts/api-page.mjs', file]);
  const asked: string[] = [];
  context.on('request', (request) => asked.push(request.url()));
  await page.setViewportSize({ width: 1200, height: 900 });
  await page.goto(pathToFileURL(file).href);

  const { paths } = parse(readFileSync('../api/openapi.yaml', 'utf8')) as {
    paths: Record<string, Record<string, Operation>>;
  };
  const shown = Object.values(paths).flatMap((path) => Object.values(path).flatMap(({ tags }) => tags ?? []));
  await expect(page.locator('.opblock')).toHaveCount(shown.length);

  const taps = page.locator('.opblock', { hasText: '/tap/perform-batch-tap' });
  await taps.getByRole('button').first().click();
  await expect(taps).toContainText('Idempotency-Key');
  await expect(taps).toContainText('"total_taps"');
  expect(asked).toEqual([pathToFileURL(file).href]);
});
