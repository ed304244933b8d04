import { connect } from '../api/client';
import type { Platform } from '../app/Platform';
import type { AdNetwork } from '../features/ads/network';
import { openStorage } from '../storage';
import type { InvoiceStatus, Launch } from '../telegram';
import type { FakeServer } from './FakeServer';
import { FakeWallet } from './FakeWallet';

let ids = 0;

/** Everything around the stores, played by a fake server and a fake Telegram. */
export function createTestPlatform(server: FakeServer, launch: Partial<Launch> = {}) {
  const newId = () => {
    ids += 1;
    return `batch-${ids}`;
  };
  const host = {
    launch: {
      is: 'telegram',
      initData: '7',
      cannotBeMessaged: false,
      version: '8.0',
      referralCode: null,
      languageCode: 'en',
      desktop: false,
      ...launch,
    } as Launch,
    back: null as (() => void) | null,
    confirms: false,
    closable: true,
    closed: false,
    /** How often Telegram was to ask whether the bot may write. */
    asked: 0,
    /** Whether this client can. */
    asks: true,
    /** Answers what was asked last, where somebody waits for it. */
    answerWrite: null as ((allowed: boolean) => void) | null,
    spoken: [] as string[],
    /** The ad network: each ad that is shown waits here to be ended. Null: its script does not come. */
    ads: [] as { end: (word: unknown) => void; refuse: (word: unknown) => void }[] | null,
    /** How often a reward was felt. */
    rewards: 0,
    /** Whether the player asked for less motion. */
    calm: false,
    /** Pages that were opened outside of the game. */
    opened: [] as string[],
    /** Invoices that were opened over the game, each until it is closed. */
    invoices: [] as { link: string; close: (status: InvoiceStatus | null) => void }[],
    /** Texts put where they can be pasted from. Null: the device does not let us. */
    copied: [] as string[] | null,
    /** Whether sounds were to be played, each time. Null: the device plays none. */
    sounds: [] as boolean[] | null,
    /** Whether the texts of a language come. */
    texts: true,
    /** The wallet app on the player's phone. */
    wallet: new FakeWallet(),
    /** What the list of wallets calls apps. */
    walletNames: { tonkeeper: 'Tonkeeper' } as Record<string, string>,
  };
  const platform: Platform = {
    connect: (initData, onRefusal) =>
      connect({ baseUrl: 'http://mcbk.test/api', fetch: server.fetch, initData, newId, onRefusal }),
    host: {
      launch: () => host.launch,
      start: () => Promise.resolve(),
      backButton: (onPress) => {
        host.back = onPress;
      },
      confirmClosing: (on) => {
        host.confirms = on;
      },
      closeApp: () =>
        host.closable
          ? () => {
              host.closed = true;
            }
          : null,
      requestWriteAccess: (onAnswer) => {
        if (host.asks) host.asked += 1;
        host.answerWrite = onAnswer ?? null;
        return host.asks;
      },
      errorHaptic: () => {},
      rewardHaptic: () => {
        host.rewards += 1;
      },
      openPage: (link) => {
        host.opened.push(link);
      },
      openInvoice: (link) => new Promise((close) => host.invoices.push({ link, close })),
    },
    storage: openStorage(() => localStorage),
    speak: async (language) => {
      host.spoken.push(language);
      return host.texts;
    },
    flushOnUnload: (path, batch, initData) => server.beacon(path, batch, initData),
    fetchNetwork: async (): Promise<AdNetwork> => {
      const { ads } = host;
      if (!ads) throw new Error('blocked');
      return {
        init: () => ({ show: () => new Promise((end, refuse) => ads.push({ end, refuse })) }),
      };
    },
    playSounds: async (on) => {
      if (!host.sounds) throw new Error('no speaker');
      host.sounds.push(on);
    },
    openWallet: (options) => host.wallet.open(options),
    walletName: async (_, app) => {
      const name = host.walletNames[app];
      if (name === undefined) throw new Error('not in the list');
      return name;
    },
    newId,
    random: () => 0,
    randomBytes: (length) => new Uint8Array(length).fill(0xa5),
    subtle: crypto.subtle,
    copy: async (text) => {
      host.copied?.push(text);
      return host.copied !== null;
    },
    now: Date.now,
    elapsed: () => performance.now(),
    prefersReducedMotion: () => host.calm,
  };
  return { platform, host };
}
