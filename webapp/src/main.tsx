import './styles/tokens.css';
import './styles/global.css';
import { createRoot } from 'react-dom/client';
import { connect } from './api/client';
import { App } from './app/App';
import { Mishap } from './app/Mishap';
import { RootContext } from './app/RootContext';
import { copy } from './clipboard';
import { fetchNetwork } from './features/ads/network';
import { sayFarewell } from './features/tap/farewell';
import { languageOf, speak } from './i18n';
import { openSounds } from './sound';
import { openDevice } from './storage';
import { RootStore } from './stores/RootStore';
import {
  askToWrite,
  backButton,
  closer,
  confirmClosing,
  haptics,
  openPage,
  readLaunch,
  startTelegram,
} from './telegram';
import { openWallet, walletName } from './wallet';

const newId = () => crypto.randomUUID();

const store = new RootStore({
  connect: (initData, onRefusal) =>
    connect({ baseUrl: '/api', fetch: (request, init) => fetch(request, init), initData, newId, onRefusal }),
  host: {
    launch: readLaunch,
    start: startTelegram,
    backButton,
    confirmClosing,
    closer,
    askToWrite,
    errorHaptic: () => haptics.notify('error'),
    rewardHaptic: () => haptics.notify('success'),
    openPage,
  },
  box: openDevice('localStorage'),
  speak,
  languageOf,
  farewell: sayFarewell,
  fetchNetwork,
  playSounds: openSounds(),
  openWallet,
  walletName,
  newId,
  random: Math.random,
  randomBytes: (length) => crypto.getRandomValues(new Uint8Array(length)),
  // Browsers leave it out where somebody on the way could have changed the page.
  subtle: crypto.subtle ?? null,
  copy,
  now: Date.now,
  elapsed: () => performance.now(),
  calm: () => matchMedia('(prefers-reduced-motion: reduce)').matches,
});

const element = document.getElementById('root');
if (element) {
  createRoot(element).render(
    <RootContext value={store}>
      <Mishap>
        <App />
      </Mishap>
    </RootContext>,
  );
}
void store.start();
