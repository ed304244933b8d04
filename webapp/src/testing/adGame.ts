import { expect, vi } from 'vitest';
import { ApiError, type ErrorCode } from '../api/error';
import type { RootStore } from '../app/RootStore';
import { type Ad, AdStore } from '../features/ads/AdStore';
import type { AdNetwork } from '../features/ads/network';
import { ModalStore } from '../stores/ModalStore';
import { ToastStore } from '../stores/ToastStore';
import { UserStore } from '../stores/UserStore';
import { connectApi, pass, server } from './playGame';

export const paths = () => server.requests.map(({ path }) => path.replace('/api', ''));

/** Ads whose end the test chooses, and a reward that is collected from `paid` on. */
export function open(purpose: Ad['purpose'] = 'spin') {
  const said: string[] = [];
  const api = connectApi();
  const modals = new ModalStore();
  const toasts = new ToastStore((toast) => said.push(toast.text));
  const ends: { end: (word: unknown) => void; refuse: (word: unknown) => void }[] = [];
  const network: AdNetwork = {
    init: () => ({ show: () => new Promise((end, refuse) => ends.push({ end, refuse })) }),
  };
  const script = { come: () => Promise.resolve(network), urls: [] as string[] };
  const seen = vi.fn();
  const fetchNetwork = (url: string) => {
    script.urls.push(url);
    return script.come();
  };
  const user = new UserStore({ api, toasts } as RootStore);
  const root = {
    api,
    modals,
    toasts,
    user,
    platform: { fetchNetwork },
    tasks: { markStale: seen as () => void },
  };
  const ads = new AdStore(root as RootStore);
  const purse = { paid: false, collected: 0, tries: 0, refusal: 'ad_not_confirmed' as ErrorCode };
  const slow = { answers: 0 };
  const collect = async () => {
    purse.tries += 1;
    if (!purse.paid) throw new ApiError({ code: purse.refusal, status: 409 });
    if (slow.answers > 0) await new Promise((come) => setTimeout(come, slow.answers));
    purse.collected += 1;
  };
  const watch = async (targetId?: number) => {
    const outcome = ads.watch({ purpose, ...(targetId === undefined ? {} : { targetId }), collect });
    await pass(0);
    return outcome;
  };
  /** Begins to watch, as far as the ad itself; the answer says what became of it. */
  const play = async () => {
    const outcome = { is: 'none' };
    void ads.watch({ purpose, collect }).then((is) => Object.assign(outcome, { is }));
    await pass(0);
    return { outcome, ad: ends[0] ?? expect.fail('no ad is shown') };
  };
  return { ads, modals, said, script, purse, slow, watch, play, ends, seen };
}

/** An ad for the prize of spin 12 was seen, and its confirmation is late. */
export async function oneIsLate() {
  const opened = open('roulette');
  void opened.watch(12);
  await pass(0);
  opened.ends[0]?.end(watched);
  await pass(31_000);
  return opened;
}

export const watched = { done: true };
