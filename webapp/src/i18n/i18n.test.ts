import i18next from 'i18next';
import { expect, it, vi } from 'vitest';
import { en } from './en';
import { errorKey } from './errors';
import { languageOf, speak } from './index';
import { ru } from './ru';

it('speaks Russian to Russians and English to everyone else', () => {
  expect(languageOf('ru')).toBe('ru');
  expect(languageOf('ru-RU')).toBe('ru');
  expect(languageOf('en')).toBe('en');
  expect(languageOf('pt-br')).toBe('en');
  expect(languageOf(null)).toBe('en');
});

it('changes the language of the whole page', async () => {
  await speak('ru');
  expect(document.documentElement.lang).toBe('ru');
  expect(i18next.t('home.days', { count: 1 })).toBe('1 день в игре');
  expect(i18next.t('home.days', { count: 42 })).toBe('42 дня в игре');
  expect(i18next.t('home.left', { count: 48 })).toBe('Осталось 48 дней');
  await speak('en');
  expect(i18next.t('home.days', { count: 1 })).toBe('1 day in the game');
});

it('ends in the language that was wanted last, whichever texts come last', async () => {
  i18next.removeResourceBundle('ru', 'translation');
  let come = () => {};
  const texts = new Promise<void>((done) => {
    come = done;
  });
  vi.doMock('./ru', async () => {
    await texts;
    return { ru };
  });
  vi.resetModules();
  const { speak } = await import('./index');
  const late = speak('ru');
  await speak('en');
  come();
  await late;
  expect([i18next.language, document.documentElement.lang]).toEqual(['en', 'en']);
  await speak('ru');
  expect(i18next.language).toBe('ru');
});

it.each([
  ['is wanted are', false],
  ['nobody wants any more are not', true],
])('the missing texts of a language that %s a failure', async (_, left) => {
  i18next.removeResourceBundle('ru', 'translation');
  vi.doMock('./ru', () => {
    throw new Error('offline');
  });
  vi.resetModules();
  const { speak } = await import('./index');
  const late = speak('ru');
  if (left) await speak('en');
  expect(await late).toBe(left);
  vi.doUnmock('./ru');
});

it('has words for every refusal, and honest ones for a refusal it does not know', () => {
  expect(errorKey('season_over')).toBe('errors.season_over');
  expect(errorKey('something_new')).toBe('errors.internal');
  expect(errorKey('toString')).toBe('errors.internal');
});

it('leaves no blank in Russian that the English text does not fill', () => {
  const blanks = (text: string) => text.match(/\{\{\w+\}\}/g) ?? [];
  const compare = (english: object, russian: object, path: string) => {
    for (const [key, text] of Object.entries(english)) {
      const other = (russian as Record<string, unknown>)[key];
      if (typeof text !== 'string') compare(text, other as object, `${path}${key}.`);
      else for (const blank of blanks(String(other))) expect([path + key, ...blanks(text)]).toContain(blank);
    }
  };
  compare(en, ru, '');
});

it('says in Russian all that fills the English text', () => {
  const blanks = (text: string) => [...new Set(text.match(/\{\{\w+\}\}/g))].sort();
  const compare = (english: object, russian: object, path: string) => {
    for (const [key, text] of Object.entries(english)) {
      const other = (russian as Record<string, unknown>)[key];
      if (typeof text === 'string')
        expect([path + key, ...blanks(String(other))]).toEqual([path + key, ...blanks(text)]);
      else compare(text, other as object, `${path}${key}.`);
    }
  };
  compare(en, ru, '');
  expect([en.discount.title, ru.discount.title].filter((title) => !title.includes('10'))).toEqual([]);
});
