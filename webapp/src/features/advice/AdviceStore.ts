import { flow, makeAutoObservable, observableRef } from 'mobx';
import { asApiError } from '../../api/error';
import type { Prediction, User } from '../../api/types';
import type { RootStore } from '../../app/RootStore';
import { formatInteger } from '../../format';
import { errorKey } from '../../i18n/errors';
import { wait } from '../../stores/wait';

/** What is being waited for, if anything. */
type Doing = 'nothing' | 'asking' | 'claiming';

/** After these the advice is not available any more, and the player is reloaded. */
const over: readonly string[] = ['already_claimed', 'expired', 'not_found'];

/** Spec §2 and §3: one advice a UTC day, which pays points once: as they are, or twice after an ad. */
export class AdviceStore {
  /** The advice last heard. It stays while its modal leaves. */
  advice: Prediction | null = null;
  doing: Doing = 'nothing';
  readonly #root: RootStore;

  constructor(root: RootStore) {
    this.#root = root;
    makeAutoObservable(this, { advice: observableRef });
  }

  /** Today's advice was neither claimed nor doubled. */
  get ready(): boolean {
    return (this.#root.user.user?.can_get_prediction ?? false) && this.#root.settings.season === 'running';
  }

  /** Today's advice was claimed. The server also offers none out of the season and without consent. */
  get done(): boolean {
    const user = this.#root.user;
    const settings = this.#root.settings;
    if (!user.user?.age_consent_accepted || user.user.can_get_prediction) return false;
    return settings.season === 'running' && settings.wasRunning;
  }

  /** An ad for it was seen just now, and only the network's word is missing. */
  get awaited(): boolean {
    return this.#root.ads.unconfirmedFor('prediction', this.advice?.id) > 0;
  }

  request = flow(function* (this: AdviceStore) {
    if (!this.ready || this.doing !== 'nothing') return;
    this.doing = 'asking';
    try {
      this.advice = yield* wait(this.#root.api.prediction());
      this.#root.tasks.markStale(); // one counts it
      // If the player has left the screen, it is shown at the next request.
      if (this.#root.isOn('/')) this.#root.modals.enqueue({ is: 'advice' });
    } catch (error) {
      this.refused(asApiError(error).code);
    } finally {
      this.doing = 'nothing';
    }
  });

  claim = flow(function* (this: AdviceStore) {
    const { advice } = this;
    if (!advice || this.doing !== 'nothing') return false;
    this.doing = 'claiming';
    try {
      const { user } = yield* wait(this.#root.api.claimPrediction(advice.id));
      this.paid(user, advice.reward_points);
      return true;
    } catch (error) {
      this.refused(asApiError(error).code);
      return false;
    } finally {
      this.doing = 'nothing';
    }
  });

  double = flow(function* (this: AdviceStore) {
    const { advice } = this;
    if (!advice || this.doing !== 'nothing') return 'closed';
    const outcome = yield* wait(
      this.#root.ads.watch({
        purpose: 'prediction',
        targetId: advice.id,
        collect: () => this.collect(advice),
      }),
    );
    if (outcome === 'late') this.close();
    return outcome;
  });

  close(): void {
    this.#root.modals.close('advice');
  }

  private collect = flow(function* (this: AdviceStore, advice: Prediction) {
    const { user } = yield* wait(this.#root.api.doublePrediction(advice.id));
    this.paid(user, 2 * advice.reward_points);
  });

  private paid(user: User, points: number): void {
    this.#root.user.accept(user);
    this.close();
    this.#root.toasts.show('success', 'toast.points', { points: formatInteger(points, user.language) });
  }

  private refused(code: string): void {
    this.#root.toasts.show('error', errorKey(code));
    if (!over.includes(code)) return;
    this.close();
    void this.#root.user.refresh();
  }
}
