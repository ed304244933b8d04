import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'vite';
import { afterEach, beforeEach, expect, it } from 'vitest';

let folder = '';

beforeEach(() => {
  folder = mkdtempSync('node_modules/.styles-'); // what lies there Vitest leaves as it is built
});

afterEach(() => {
  rmSync(folder, { recursive: true });
  document.head.replaceChildren();
});

/** A program built as the game is, whose screens share a stylesheet and have one each. */
async function screens(): Promise<Record<'wheel' | 'market', () => Promise<{ name: string }>>> {
  const put = (name: string, text: string) => writeFileSync(join(folder, name), text);
  for (const name of ['wheel', 'market', 'card']) put(`${name}.css`, `.${name} { color: red }`);
  put('card.js', `import './card.css'; export const card = document.title;`);
  for (const name of ['wheel', 'market'])
    put(
      `${name}.js`,
      `import './${name}.css'; import { card } from './card'; export const name = '${name}' + card;`,
    );
  put('index.js', `window.screens = { wheel: () => import('./wheel'), market: () => import('./market') };`);
  await build({
    configFile: 'vite.config.ts',
    root: folder,
    logLevel: 'warn',
    build: { rolldownOptions: { input: join(folder, 'index.js') } },
  });
  const assets = join(folder, 'dist/assets');
  const entry = readdirSync(assets).find((name) => /^index-.*\.js$/.test(name));
  await import(/* @vite-ignore */ pathToFileURL(join(assets, String(entry))).href);
  return (window as never as { screens: Awaited<ReturnType<typeof screens>> }).screens;
}

/** The page's stylesheets; jsdom fetches none, so a test says what became of each. */
const sheets = () => [...document.querySelectorAll<HTMLLinkElement>('link[rel=stylesheet]')];
const sheet = (name: string) => sheets().find(({ href }) => href.includes(`/${name}-`));
const come = (...names: string[]) => {
  for (const name of names) sheet(name)?.dispatchEvent(new Event('load'));
};
const fail = (...names: string[]) => {
  for (const name of names) sheet(name)?.dispatchEvent(new Event('error'));
};

it('fetches a stylesheet that failed again with the next try, and only then has the screen', async () => {
  const { wheel } = await screens();
  const first = wheel();
  expect(sheets()).toHaveLength(2);
  come('card');
  fail('wheel');
  await expect(first).rejects.toThrow('Unable to preload CSS');
  const second = wheel();
  fail('wheel');
  await expect(second).rejects.toThrow('Unable to preload CSS');
  const third = wheel();
  expect(sheets()).toHaveLength(2);
  come('wheel');
  expect((await third).name).toBe('wheel');
  await wheel();
  expect(sheets()).toHaveLength(2);
});

it('fetches again what failed with another screen that shares it', async () => {
  const { wheel, market } = await screens();
  const prefetched = wheel();
  fail('card', 'wheel');
  await expect(prefetched).rejects.toThrow('Unable to preload CSS');
  const opened = market();
  come('card', 'market');
  expect((await opened).name).toBe('market');
  expect(sheet('card')).toBeTruthy();
  // What only the other one needs is none of its business.
  expect(sheet('wheel')).toBeUndefined();
});
