import i18next from 'i18next';
import { initReactI18next } from 'react-i18next';
import type { Language } from '../format';
import { en } from './en';

declare module 'i18next' {
  interface CustomTypeOptions {
    resources: { translation: typeof en };
  }
}

void i18next.use(initReactI18next).init({
  lng: 'en',
  fallbackLng: 'en',
  resources: { en: { translation: en } },
  interpolation: { escapeValue: false }, // React escapes
});

/** Telegram's language code, such as "ru" or "pt-br", as a language of the game. */
export function languageOf(code: string | null): Language {
  return code?.toLowerCase().startsWith('ru') ? 'ru' : 'en';
}

/** Asked for last. */
let wanted: Language = 'en';

/**
 * Switches the game's language. Russian is loaded when first needed; false if that fails, and the language stays.
 */
export async function speak(language: Language): Promise<boolean> {
  wanted = language;
  if (language === 'ru' && !i18next.hasResourceBundle('ru', 'translation')) {
    try {
      const { ru } = await import('./ru');
      i18next.addResourceBundle('ru', 'translation', ru);
    } catch {
      return language !== wanted; // superseded meanwhile: no failure
    }
  }
  if (language !== wanted) return true; // another was chosen while this one's texts were on their way
  await i18next.changeLanguage(language);
  document.documentElement.lang = language;
  return true;
}
