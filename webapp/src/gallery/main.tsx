// Every component in every state, for development: `npm run dev`, then /gallery.html. The production build starts
// from index.html alone, so nothing of this ships. ?show=<name> shows one screen, &lang=ru speaks Russian.
import '../styles/tokens.css';
import '../styles/global.css';
import { createRoot } from 'react-dom/client';
import { languageOf, speak } from '../i18n';
import { Kit } from './Kit';
import { screens } from './screens';

const query = new URLSearchParams(location.search);
await speak(languageOf(query.get('lang')));

const show = screens[query.get('show') ?? ''] ?? (() => <Kit />);
const root = document.getElementById('root');
if (root) createRoot(root).render(show());
