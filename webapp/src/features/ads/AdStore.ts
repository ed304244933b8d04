import { flow, makeAutoObservable, observableRef, observableShallow, when } from 'mobx';
import type { Api } from '../../api/client';
import { ApiError, asApiError, isTransient } from '../../api/error';
import type { AdRequest, AdsConfig } from '../../api/types';
import { errorKey } from '../../i18n/errors';
import type { ModalStore } from '../../stores/ModalStore';
import { isVisible } from '../../stores/PageLifecycle';
import type { ToastStore } from '../../stores/ToastStore';
import type { UserStore } from '../../stores/UserStore';
import { wait } from '../../stores/wait';
import { type AdNetwork, show } from './network';

/** What an ad is watched for. */
export type Ad = {
  readonly purpose: AdRequest['purpose'];
  /** The spin or advice it is about. */
  readonly targetId?: number;
  /** The visit whose reward it doubles, counted from the first: the server goes by the day of the ticket. */
  readonly visit?: number;
  /**
   * The purpose's own call, which returns what the confirmation has paid, and takes it into the game. Until then it
   * rejects with `ad_not_confirmed` and is made again, if need be after `watch` has given up.
   */
  readonly collect: () => Promise<void>;
};

/**
 * What came of it. `closed`: not seen to its end. `absent`: there is no ad to see. `failed`: our server said no. `late`:
 * seen, but not confirmed yet; when it is, `collect` brings it. The player has been told in every case.
 */
export type Outcome = 'confirmed' | 'closed' | 'absent' | 'failed' | 'late';

/** An ad that was seen to its end. */
type Seen = { readonly ad: Ad; readonly ticket: string };

/** Where the ad modal stands. */
export type Stage = 'opening' | 'playing' | 'confirming' | 'late';

/** An ad that has not ended after this long is given up; milliseconds. */
const longestAd = 300_000;
/** Waits between questions whether the ad is confirmed (the network calls our server, not us): 30 s in all. */
const soon = [1, 2, 2, 3, 3, 4, 5, 5, 5].map(seconds);
/** And after that, while nobody waits for it. */
const later = [15, 30, 60, 120, 240, 480].map(seconds);
/** Ads that an admin has switched off are asked for again after this, milliseconds. */
const rest = 60_000;

/**
 * Rewarded ads, whatever they are for. The reward is the server's to pay, when the network tells it that the ad was
 * seen; here an ad is only shown and asked after. Nothing waits for an ad but who asked for it, and they may leave.
 */
export class AdStore {
  /** The ad network, once asked for. */
  config: AdsConfig | null = null;
  /** An ad is being fetched, shown or confirmed, and somebody waits for it. */
  busy = false;
  private at: Stage = 'opening';
  /** Seen and not confirmed yet; those that are late are asked after less often. */
  private readonly awaited = new Map<Seen, 'soon' | 'late'>();
  #resting: ReturnType<typeof setTimeout> | undefined;
  /** The ticket of the ad that the modal speaks of. */
  #shown: string | null = null;
  /** Rewards that come once, and have come or are coming: another ad for the same one brings nothing more, and nobody is told twice. */
  readonly #brought = new Map<string, Promise<void>>();

  readonly #api: Api;
  readonly #modals: ModalStore;
  readonly #toasts: ToastStore;
  readonly #user: UserStore;
  readonly #fetchNetwork: (url: string) => Promise<AdNetwork>;
  /** An ad was seen and confirmed, which a task counts. */
  readonly #seen: () => void;

  constructor(
    api: Api,
    modals: ModalStore,
    toasts: ToastStore,
    user: UserStore,
    fetchNetwork: (url: string) => Promise<AdNetwork>,
    seen: () => void,
  ) {
    this.#api = api;
    this.#modals = modals;
    this.#toasts = toasts;
    this.#user = user;
    this.#fetchNetwork = fetchNetwork;
    this.#seen = seen;
    makeAutoObservable<this, 'awaited'>(this, { config: observableRef, awaited: observableShallow });
  }

  /** Ads are known to be off, for want of a network or by an admin's word: the buttons say so. */
  get off(): boolean {
    return this.config !== null && !(this.config.enabled && this.config.script_url);
  }

  get stage(): Stage | 'none' {
    return this.#modals.holds('ad') ? this.at : 'none';
  }

  /** How many ads for this were seen just now, so that their rewards are about to come. One that is late may never be confirmed. */
  dueOf(purpose: Ad['purpose'], about?: number): number {
    const name = nameOf({ purpose, targetId: about });
    return [...this.awaited].filter(([{ ad }, is]) => nameOf(ad) === name && is === 'soon').length;
  }

  /** An ad is watched or asked after, and a page opened anew would not know of it. */
  get unsettled(): boolean {
    return this.busy || this.awaited.size > 0;
  }

  /** Quietly: as long as it is not known, ads are taken to be there. */
  load = flow(function* (this: AdStore) {
    try {
      this.config = (yield* wait(this.#api.config(this.off))).ads;
    } catch (error) {
      asApiError(error);
    }
    this.scheduleReload();
  });

  /** Where there are ads, and none now, an admin has switched them off, and may switch them on. */
  private scheduleReload(): void {
    clearTimeout(this.#resting);
    if (this.config?.script_url && !this.config.enabled)
      this.#resting = setTimeout(() => (isVisible() ? void this.load() : this.scheduleReload()), rest);
  }

  /** Shows an ad under its modal, and waits until the reward is here or no longer worth waiting for. */
  watch = flow(function* (this: AdStore, ad: Ad) {
    if (this.busy) return 'closed' satisfies Outcome;
    this.busy = true;
    this.at = 'opening';
    this.#modals.enqueue({ is: 'ad' });
    const left = when(() => !this.#modals.holds('ad'));
    const orLeft = <T>(step: Promise<T>) => Promise.race([step, left.then(() => 'left' as const)]);
    let outcome: Outcome = 'failed';
    try {
      outcome = yield* wait(this.steps(ad, orLeft));
    } catch (error) {
      const refusal = asApiError(error);
      const came = yield* wait(this.came(ad, refusal));
      outcome = came === 'late' ? this.refused(refusal) : came;
    } finally {
      this.busy = false;
      if (outcome !== 'late') this.#modals.close('ad');
      left.catch(() => undefined);
      left.cancel();
    }
    return outcome;
  });

  private steps = flow(function* (this: AdStore, ad: Ad, orLeft: OrLeft) {
    if (!this.config && (yield* wait(orLeft(this.load()))) === 'left') return 'closed' as Outcome;
    if (!this.config) throw ApiError.offline();
    const { script_url: url } = this.config;
    if (!url || this.off) return this.say('error', 'errors.ads_off', 'absent');
    const ticket = yield* wait(orLeft(this.#api.startAd(request(ad))));
    if (ticket === 'left') return 'closed';
    const network = yield* wait(orLeft(this.#fetchNetwork(url).catch(() => null)));
    if (network === 'left') return 'closed';
    if (!network) return this.say('info', 'toast.ad_absent', 'absent');

    this.at = 'playing';
    this.#shown = ticket.ticket;
    const playing = show(network, ticket.block_id);
    const end = yield* wait(orLeft(Promise.race([playing, after(longestAd, 'overdue' as const)])));
    if (end === 'left' || end === 'overdue') {
      // The network may still be showing it. Seen after all, it is paid; only nobody waits for it here.
      void playing.then((seen) => (seen === 'watched' ? this.confirm(ad, ticket.ticket) : seen));
      return end === 'left' ? 'closed' : this.say('info', 'toast.ad_absent', 'absent');
    }
    if (end === 'closed') return this.say('info', 'toast.ad_closed', 'closed');
    if (end === 'absent') return this.say('info', 'toast.ad_absent', 'absent');

    this.at = 'confirming';
    const outcome = yield* wait(orLeft(this.confirm(ad, ticket.ticket)));
    if (outcome === 'left') return this.say('info', 'toast.ad_late', 'late');
    if (outcome === 'late') this.at = 'late';
    return outcome;
  });

  /** No ticket is opened for what an ad that is late has brought meanwhile; then it is told now. `late`: it has not come. */
  private async came(ad: Ad, { status }: ApiError): Promise<'confirmed' | 'failed' | 'late'> {
    const before = [...this.awaited.keys()].find((seen) => nameOf(seen.ad) === nameOf(ad));
    if (status !== 409 || !before || !comesOnce(ad)) return 'late';
    return this.poll(before, []);
  }

  /** Asks until the ad is confirmed; after half a minute that is late, and it goes on asking by itself. */
  private async confirm(ad: Ad, ticket: string): Promise<'confirmed' | 'failed' | 'late'> {
    const seen: Seen = { ad, ticket };
    this.note(seen, 'soon');
    const outcome = await this.poll(seen, soon);
    this.note(seen, outcome === 'late' ? 'late' : 'settled');
    if (outcome === 'late') void this.poll(seen, later).finally(() => this.settle(seen));
    return outcome;
  }

  /** What was late is here, or given up: nothing says any longer that it is on its way. */
  private settle(seen: Seen): void {
    this.note(seen, 'settled');
    if (this.at === 'late' && !this.busy && this.#shown === seen.ticket) this.#modals.close('ad');
  }

  private async poll(seen: Seen, pauses: readonly number[]): Promise<'confirmed' | 'failed' | 'late'> {
    const { ad } = seen;
    let isConfirmed = false;
    for (const pause of [0, ...pauses]) {
      if (pause > 0) await after(pause, null);
      try {
        if (!isConfirmed) {
          const { confirmed } = await this.#api.completeAd(seen.ticket);
          // Where our word does not count, only the call for the reward tells, and whose callback came is all the same.
          isConfirmed = confirmed || this.config?.mode === 's2s';
        }
        if (!isConfirmed) continue;
        await this.bring(ad);
        this.#seen();
        return 'confirmed';
      } catch (error) {
        const refusal = asApiError(error);
        if (refusal.code === 'ad_not_confirmed' || isTransient(refusal)) continue;
        this.#toasts.show('error', errorKey(refusal.code));
        void this.#user.refresh();
        return 'failed';
      }
    }
    return 'late';
  }

  private bring(ad: Ad): Promise<void> {
    if (!comesOnce(ad)) return ad.collect();
    const name = nameOf(ad);
    const under = this.#brought.get(name) ?? ad.collect();
    this.#brought.set(name, under);
    // Then it may be asked for again.
    under.catch(() => this.#brought.delete(name));
    return under;
  }

  /** The server opens no ticket. */
  private refused(refusal: ApiError): Outcome {
    if (refusal.code === 'maintenance' && refusal.params.feature === 'ads') {
      if (this.config) this.config = { ...this.config, enabled: false };
      this.scheduleReload();
      return this.say('error', 'errors.ads_off', 'absent');
    }
    // Decision 0004: so many calls a second are too fast; so many ads an hour or a day are all there are.
    const enough = refusal.code === 'rate_limited' && (refusal.retryAfter ?? 0) > 30;
    this.#toasts.show('error', enough ? 'errors.ad_limit' : errorKey(refusal.code));
    if (refusal.status === 404 || refusal.status === 409) void this.#user.refresh();
    return 'failed';
  }

  private note(seen: Seen, is: 'soon' | 'late' | 'settled'): void {
    if (is === 'settled') this.awaited.delete(seen);
    else this.awaited.set(seen, is);
  }

  private say<End extends Outcome>(
    kind: 'error' | 'info',
    text: 'errors.ads_off' | 'toast.ad_absent' | 'toast.ad_closed' | 'toast.ad_late',
    outcome: End,
  ): Outcome {
    this.#toasts.show(kind, text);
    return outcome;
  }
}

/** What a step has come to, or that the player has closed the ad modal first. */
type OrLeft = <T>(step: Promise<T>) => Promise<T | 'left'>;

function request({ purpose, targetId }: Ad): AdRequest {
  return targetId === undefined ? { purpose } : { purpose, target_id: targetId };
}

/** Of spins each ad brings one. */
function comesOnce({ purpose }: Ad): boolean {
  return purpose !== 'spin';
}

function nameOf({
  purpose,
  targetId,
  visit,
}: Pick<Ad, 'purpose' | 'visit'> & { targetId?: number | undefined }): string {
  return `${purpose} ${targetId ?? visit}`;
}

function seconds(count: number): number {
  return count * 1000;
}

function after<T>(milliseconds: number, value: T): Promise<T> {
  return new Promise((done) => setTimeout(() => done(value), milliseconds));
}
