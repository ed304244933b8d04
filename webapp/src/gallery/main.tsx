// Every component in every state, for development: `npm run dev`, then /gallery.html. The production build starts
// from index.html alone, so nothing of this ships. ?show=<name> shows one screen, &lang=ru speaks Russian.
import '../styles/tokens.css';
import '../styles/global.css';
import i18next from 'i18next';
import { createRoot } from 'react-dom/client';
import { initReactI18next } from 'react-i18next';
import { en } from '../i18n/en';
import { ru } from '../i18n/ru';
import { Kit } from './Kit';
import { screens } from './screens';

const query = new URLSearchParams(location.search);
const lng = query.get('lang') ?? 'en';
document.documentElement.lang = lng;

await i18next.use(initReactI18next).init({
  lng,
  resources: { en: { translation: en }, ru: { translation: ru } },
  interpolation: { escapeValue: false },
});

const show = screens[query.get('show') ?? ''] ?? (() => <Kit />);
const root = document.getElementById('root');
if (root) createRoot(root).render(show());
