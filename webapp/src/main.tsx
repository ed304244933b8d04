import './styles/tokens.css';
import './styles/global.css';
import { configure } from 'mobx';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { connect } from './api/client';
import { App } from './app/App';
import { ErrorBoundary } from './app/ErrorBoundary';
import { RootContext } from './app/RootContext';
import { RootStore } from './app/RootStore';
import { copy } from './clipboard';
import { fetchNetwork } from './features/ads/network';
import { flushOnUnload } from './features/digging/flushOnUnload';
import { speak } from './i18n';
import { openSounds } from './sound';
import { openDevice } from './storage';
import {
  backButton,
  closeApp,
  confirmClosing,
  haptics,
  openInvoice,
  openPage,
  readLaunch,
  requestWriteAccess,
  startTelegram,
} from './telegram';
import { openWallet, walletName } from './wallet';

configure({ enforceActions: 'always' });

// Vite adds the stylesheets of lazy code to the head, and they must follow the first, which index.html has below the splash.
for (const sheet of document.querySelectorAll('body > link[rel="stylesheet"]')) {
  const first = sheet.cloneNode();
  first.addEventListener('load', () => sheet.remove());
  document.head.append(first);
}

const newId = () => crypto.randomUUID();

const store = new RootStore({
  connect: (initData, onRefusal) =>
    connect({ baseUrl: '/api', fetch: (request, init) => fetch(request, init), initData, newId, onRefusal }),
  host: {
    launch: readLaunch,
    start: startTelegram,
    backButton,
    confirmClosing,
    closeApp,
    requestWriteAccess,
    errorHaptic: () => haptics.notify('error'),
    rewardHaptic: () => haptics.notify('success'),
    openPage,
    openInvoice,
  },
  storage: openDevice('localStorage'),
  speak,
  flushOnUnload,
  fetchNetwork,
  playSounds: openSounds(),
  openWallet,
  walletName,
  newId,
  random: Math.random,
  randomBytes: (length) => crypto.getRandomValues(new Uint8Array(length)),
  // Browsers omit it on insecure origins.
  subtle: crypto.subtle ?? null,
  copy,
  now: Date.now,
  elapsed: () => performance.now(),
  prefersReducedMotion: () => matchMedia('(prefers-reduced-motion: reduce)').matches,
});

const element = document.getElementById('root');
if (element) {
  createRoot(element).render(
    <StrictMode>
      <RootContext value={store}>
        <ErrorBoundary>
          <App />
        </ErrorBoundary>
      </RootContext>
    </StrictMode>,
  );
}
void store.boot.start();
