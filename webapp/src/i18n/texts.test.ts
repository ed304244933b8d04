import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { ApiError } from '../api/error';
import { en } from './en';
import { ru } from './ru';

/** Texts that Russian leaves as they are. */
const sameInBoth = {
  'common.mcbk': 'the name of the coin',
  'common.ton': 'the name of the coin',
  'common.stars': 'the name of what Telegram sells',
  'home.rank': 'a number sign and figures',
  'ranks.unknown': 'a number sign and a dash',
  'age.badge': 'a number',
  'wallet.airdrop': 'a word of its own',
  'discount.brings': 'names of coins and figures',
  'discount.brings_stars': 'names and figures',
};

// From webapp/, where the tests are started.
const product = readFileSync('../docs/product.md', 'utf8');
const schema = readFileSync('src/api/schema.gen.ts', 'utf8');
/** The code that ships and says texts. */
const sources = readdirSync('src', { encoding: 'utf8', recursive: true })
  .filter((path) => /\.tsx?$/.test(path) && !/^(i18n|gallery|testing)\/|\.(test|gen)\./.test(path))
  .map((path) => readFileSync(`src/${path}`, 'utf8'));

type Section = { readonly [name: string]: string | Section };

/** Every key with its text, such as ['home.rank', '#{{rank}}']. */
function texts(section: Section, path = ''): [string, string][] {
  return Object.entries(section).flatMap(([name, text]) =>
    typeof text === 'string' ? [[path + name, text]] : texts(text, `${path}${name}.`),
  );
}

/** The key that a text is asked for by: that of a plural form is without the form. */
function asked(key: string): string {
  return key.replace(/_(one|few|many|other)$/, '');
}

/** What the page says in quotes, with its `<message>` as our `{{message}}`. */
function messages(page: string): string[] {
  const [, table = ''] = /^## 8\. .*?\n(\|.*?)\n\n/ms.exec(page) ?? [];
  return [...table.matchAll(/"([^"]+)"/g)].map(([, words = '']) => words.replace(/<(\w+)>/g, '{{$1}}'));
}

const english = texts(en);

const refusals = /ErrorCode: "(.*)";$/m.exec(schema)?.[1]?.split('" | "') ?? [];
/** What `errorKey` makes a text of. */
const codes = [...refusals, ApiError.offline().code];
const literals = new Set(sources.flatMap((code) => code.match(/(?<=['"`])[a-z]+\.\w+(?=['"`])/g) ?? []));
const said = (key: string) => literals.has(asked(key)) || codes.some((code) => key === `errors.${code}`);

it('knows the words of the server for an error it has no words for', () => {
  const [, words] = /internalError: +\{\S+ "(.+)"\}/.exec(readFileSync('../api/refusals.go', 'utf8')) ?? [];
  expect(en.errors.internal).toBe(words);
});

it('has a text for every message the product page quotes', () => {
  const quoted = messages(product);
  expect(quoted).toContain('Error: {{message}}');
  const ours = english.map(([, text]) => text);
  expect(quoted.filter((message) => !ours.includes(message))).toEqual([]);
});

it('has a text for every code a call can fail with', () => {
  expect(codes).toContain('no_spins_left');
  expect(codes.filter((code) => !Object.hasOwn(en.errors, code))).toEqual([]);
});

it('says everything in Russian, but for what is the same in both', () => {
  const russian = texts(ru);
  expect(russian.filter(([, text]) => text.trim() === '')).toEqual([]);
  const theirs = new Map(russian);
  expect(english.filter(([key]) => !theirs.has(key)).map(([key]) => key)).toEqual([]);
  const same = english.filter(([key, text]) => theirs.get(key) === text).map(([key]) => key);
  expect(same.sort()).toEqual(Object.keys(sameInBoth).sort());
});

it('holds no text that nobody says', () => {
  expect(sources.length).toBeGreaterThan(50);
  const unsaid = english.map(([key]) => key).filter((key) => !said(key));
  expect(unsaid).toEqual([]);
});

it('promises in the privacy policy what the program does', () => {
  const [, days] =
    /^const originRetention = (\d+) \* 24 \* time\.Hour$/m.exec(
      readFileSync('../models/privacy/erase.go', 'utf8'),
    ) ?? [];
  expect(days).toBeDefined();
  for (const { privacy, profile } of [en, ru]) {
    // No browser and no system is written down, and of an address only what it makes.
    expect(privacy.kept_text).not.toMatch(/browser|operating|браузер|систем/);
    expect(privacy.kept_text).toMatch(
      new RegExp(
        `(first visit|первого визита)[^.]*\\b${days}\\b|\\b${days}\\b[^.]*(first visit|первого визита)`,
      ),
    );
    // The switch for messages is found by its name.
    expect(privacy.choices_text).toContain(profile.notifications);
    expect(privacy.choices_text).not.toMatch(/stopping|остановить/);
  }
});

it('promises nothing that a setting may change, or that holds for other prizes', () => {
  for (const { shell, wallet } of [en, ru]) {
    expect(shell.expired_text).not.toMatch(/\bday|hour|сутк|час/);
    expect(wallet.unproven).toContain(en.common.ton);
  }
  // What the rules call by a word the mine calls by it too.
  for (const text of [ru.mines.restore_fact, ru.mines.full_in]) expect(text).toMatch(/пополн/i);
});
