import { flow, makeAutoObservable, observableRef, observableShallow, when } from 'mobx';
import { ApiError, asApiError, isTransient } from '../../api/error';
import type { AdRequest, AdsConfig } from '../../api/types';
import type { RootStore } from '../../app/RootStore';
import { errorKey } from '../../i18n/errors';
import { pause } from '../../pause';
import { isVisible } from '../../stores/PageLifecycle';
import { wait } from '../../stores/wait';
import { show } from './network';

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

/** An ad that has not ended by then is given up, milliseconds. */
const adTimeoutMs = 300_000;
/** Delays between polls for the confirmation, which the network sends to our server: 30 s in all. */
const firstPollsSeconds = [1, 2, 2, 3, 3, 4, 5, 5, 5];
/** The same once the modal no longer waits. */
const latePollsSeconds = [15, 30, 60, 120, 240, 480];
/** The configuration is reloaded after this while ads are switched off, milliseconds. */
const reloadAfterMs = 60_000;

/**
 * Rewarded ads, whatever they are for. The reward is the server's to pay, when the network tells it that the ad was
 * seen; here an ad is only shown, and its confirmation polled for. The player may leave meanwhile.
 */
export class AdStore {
  /** The ad network, once loaded. */
  config: AdsConfig | null = null;
  /** An ad is being fetched, shown or confirmed, and its modal waits for it. */
  busy = false;
  private currentStage: Stage = 'opening';
  /** Ads seen and not confirmed yet; late ones are polled for less often. */
  private readonly awaited = new Map<Seen, 'soon' | 'late'>();
  #reloadTimer: ReturnType<typeof setTimeout> | undefined;
  /** The ticket of the ad that the modal speaks of. */
  #shown: string | null = null;
  /** Collected rewards that are paid only once: another ad for the same one must not collect it again. */
  readonly #collected = new Map<string, Promise<void>>();

  readonly #root: RootStore;

  constructor(root: RootStore) {
    this.#root = root;
    makeAutoObservable<this, 'awaited'>(this, { config: observableRef, awaited: observableShallow });
  }

  /** Ads are known to be off: there is no network, or an admin has switched them off. */
  get isUnavailable(): boolean {
    return this.config !== null && !(this.config.enabled && this.config.script_url);
  }

  get stage(): Stage | 'none' {
    return this.#root.modals.has('ad') ? this.currentStage : 'none';
  }

  /** How many ads for this purpose await their confirmation. Late ones do not count: they may never be confirmed. */
  unconfirmedFor(purpose: Ad['purpose'], about?: number): number {
    const name = nameOf({ purpose, targetId: about });
    return [...this.awaited].filter(([{ ad }, is]) => nameOf(ad) === name && is === 'soon').length;
  }

  /** An ad is watched or not confirmed yet; a reloaded page would not know of it. */
  get hasPending(): boolean {
    return this.busy || this.awaited.size > 0;
  }

  /** Loads the configuration; until then, ads are taken to be available. */
  load = flow(function* (this: AdStore) {
    try {
      this.config = (yield* wait(this.#root.api.config(this.isUnavailable))).ads;
    } catch (error) {
      asApiError(error);
    }
    this.scheduleReload();
  });

  /** An admin who has switched ads off may switch them on again. */
  private scheduleReload(): void {
    clearTimeout(this.#reloadTimer);
    if (this.config?.script_url && !this.config.enabled)
      this.#reloadTimer = setTimeout(
        () => (isVisible() ? void this.load() : this.scheduleReload()),
        reloadAfterMs,
      );
  }

  /** Shows an ad under its modal, and waits for the reward for a while. */
  watch = flow(function* (this: AdStore, ad: Ad) {
    if (this.busy) return 'closed' satisfies Outcome;
    this.busy = true;
    this.currentStage = 'opening';
    this.#root.modals.enqueue({ is: 'ad' });
    const left = when(() => !this.#root.modals.has('ad'));
    const orLeft = <T>(step: Promise<T>) => Promise.race([step, left.then(() => 'left' as const)]);
    let outcome: Outcome = 'failed';
    try {
      outcome = yield* wait(this.steps(ad, orLeft));
    } catch (error) {
      const refusal = asApiError(error);
      const late = yield* wait(this.collectLate(ad, refusal));
      outcome = late === 'late' ? this.refused(refusal) : late;
    } finally {
      this.busy = false;
      if (outcome !== 'late') this.#root.modals.close('ad');
      left.catch(() => undefined);
      left.cancel();
    }
    return outcome;
  });

  private steps = flow(function* (this: AdStore, ad: Ad, orLeft: OrLeft) {
    if (!this.config && (yield* wait(orLeft(this.load()))) === 'left') return 'closed' as Outcome;
    if (!this.config) throw ApiError.offline();
    const { script_url: url } = this.config;
    if (!url || this.isUnavailable) return this.endWithToast('error', 'errors.ads_off', 'absent');
    const { purpose, targetId } = ad;
    const about = targetId === undefined ? { purpose } : { purpose, target_id: targetId };
    const ticket = yield* wait(orLeft(this.#root.api.startAd(about)));
    if (ticket === 'left') return 'closed';
    const network = yield* wait(orLeft(this.#root.platform.fetchNetwork(url).catch(() => null)));
    if (network === 'left') return 'closed';
    if (!network) return this.endWithToast('info', 'toast.ad_absent', 'absent');

    this.currentStage = 'playing';
    this.#shown = ticket.ticket;
    const playing = show(network, ticket.block_id);
    const end = yield* wait(
      orLeft(Promise.race([playing, pause(adTimeoutMs).then(() => 'overdue' as const)])),
    );
    if (end === 'left' || end === 'overdue') {
      // The network may still be showing it. If it is watched to its end, it is paid.
      void playing.then((seen) => (seen === 'watched' ? this.confirm(ad, ticket.ticket) : seen));
      return end === 'left' ? 'closed' : this.endWithToast('info', 'toast.ad_absent', 'absent');
    }
    if (end === 'closed') return this.endWithToast('info', 'toast.ad_closed', 'closed');
    if (end === 'absent') return this.endWithToast('info', 'toast.ad_absent', 'absent');

    this.currentStage = 'confirming';
    const outcome = yield* wait(orLeft(this.confirm(ad, ticket.ticket)));
    if (outcome === 'left') return this.endWithToast('info', 'toast.ad_late', 'late');
    if (outcome === 'late') this.currentStage = 'late';
    return outcome;
  });

  /** A ticket was refused because a late ad has been paid meanwhile: collects that reward. `late`: there was none. */
  private async collectLate(ad: Ad, { status }: ApiError): Promise<'confirmed' | 'failed' | 'late'> {
    const before = [...this.awaited.keys()].find((seen) => nameOf(seen.ad) === nameOf(ad));
    if (status !== 409 || !before || !comesOnce(ad)) return 'late';
    return this.poll(before, []);
  }

  /** Polls until the ad is confirmed; after half a minute it is late, and polling goes on in the background. */
  private async confirm(ad: Ad, ticket: string): Promise<'confirmed' | 'failed' | 'late'> {
    const seen: Seen = { ad, ticket };
    this.setState(seen, 'soon');
    const outcome = await this.poll(seen, firstPollsSeconds);
    this.setState(seen, outcome === 'late' ? 'late' : 'settled');
    if (outcome === 'late') void this.poll(seen, latePollsSeconds).finally(() => this.finishLate(seen));
    return outcome;
  }

  /** A late ad was confirmed or given up: its modal closes. */
  private finishLate(seen: Seen): void {
    this.setState(seen, 'settled');
    if (this.currentStage === 'late' && !this.busy && this.#shown === seen.ticket)
      this.#root.modals.close('ad');
  }

  private async poll(seen: Seen, pauses: readonly number[]): Promise<'confirmed' | 'failed' | 'late'> {
    const { ad } = seen;
    let isConfirmed = false;
    for (const delay of [0, ...pauses]) {
      if (delay > 0) await pause(delay * 1000);
      try {
        if (!isConfirmed) {
          const { confirmed } = await this.#root.api.completeAd(seen.ticket);
          // With server callbacks (s2s) only the call for the reward tells whether it is confirmed.
          isConfirmed = confirmed || this.config?.mode === 's2s';
        }
        if (!isConfirmed) continue;
        await this.collectOnce(ad);
        this.#root.tasks.markStale(); // a task counts watched ads
        return 'confirmed';
      } catch (error) {
        const refusal = asApiError(error);
        if (refusal.code === 'ad_not_confirmed' || isTransient(refusal)) continue;
        this.#root.toasts.show('error', errorKey(refusal.code));
        void this.#root.user.refresh();
        return 'failed';
      }
    }
    return 'late';
  }

  private collectOnce(ad: Ad): Promise<void> {
    if (!comesOnce(ad)) return ad.collect();
    const name = nameOf(ad);
    const under = this.#collected.get(name) ?? ad.collect();
    this.#collected.set(name, under);
    // After a failure it may be collected again.
    under.catch(() => this.#collected.delete(name));
    return under;
  }

  /** The server opens no ticket. */
  private refused(refusal: ApiError): Outcome {
    if (refusal.code === 'maintenance' && refusal.params.feature === 'ads') {
      if (this.config) this.config = { ...this.config, enabled: false };
      this.scheduleReload();
      return this.endWithToast('error', 'errors.ads_off', 'absent');
    }
    // A long retryAfter is the limit of ads an hour or a day, a short one that of calls a second (decision 0004).
    const enough = refusal.code === 'rate_limited' && (refusal.retryAfter ?? 0) > 30;
    this.#root.toasts.show('error', enough ? 'errors.ad_limit' : errorKey(refusal.code));
    if (refusal.status === 404 || refusal.status === 409) void this.#root.user.refresh();
    return 'failed';
  }

  private setState(seen: Seen, is: 'soon' | 'late' | 'settled'): void {
    if (is === 'settled') this.awaited.delete(seen);
    else this.awaited.set(seen, is);
  }

  private endWithToast<End extends Outcome>(
    kind: 'error' | 'info',
    text: 'errors.ads_off' | 'toast.ad_absent' | 'toast.ad_closed' | 'toast.ad_late',
    outcome: End,
  ): Outcome {
    this.#root.toasts.show(kind, text);
    return outcome;
  }
}

/** A step's result, or `left` if the player has closed the modal first. */
type OrLeft = <T>(step: Promise<T>) => Promise<T | 'left'>;

/** Each ad for a spin pays one; any other reward is paid once. */
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
