import { createContext, useContext } from 'react';
import { useTranslation } from 'react-i18next';
import type { Language } from '../format';
import { languageOf } from '../i18n';
import type { RootStore } from './RootStore';

export const RootContext = createContext<RootStore | null>(null);

export function useRoot(): RootStore {
  const root = useContext(RootContext);
  if (!root) throw new Error('useRoot outside of the app');
  return root;
}

/** The language on screen, for figures. */
export function useLanguage(): Language {
  return languageOf(useTranslation().i18n.language);
}
