import { flow, makeAutoObservable, observableRef } from 'mobx';
import type { Api } from '../../api/client';
import { asApiError } from '../../api/error';
import type { EnergyInfo } from '../../api/types';
import { RequestSequence } from '../../stores/RequestSequence';
import { wait } from '../../stores/wait';

export type Energy = { is: 'loading' } | { is: 'known'; info: EnergyInfo } | { is: 'failed' };

/** Energy as the server knows it; taps it has not counted yet are subtracted by the TapCounter. */
export class EnergyStore {
  energy: Energy = { is: 'loading' };
  readonly #api: Api;
  readonly #requests = new RequestSequence();

  constructor(api: Api) {
    this.#api = api;
    makeAutoObservable(this, { energy: observableRef });
  }

  get info(): EnergyInfo | null {
    return this.energy.is === 'known' ? this.energy.info : null;
  }

  /** True if this answer was taken: it came, and no newer one before it. After a failure the last known energy stays. */
  load = flow(function* (this: EnergyStore) {
    const request = this.#requests.next();
    if (this.energy.is === 'failed') this.energy = { is: 'loading' };
    try {
      const info = yield* wait(this.#api.energy());
      if (!this.#requests.accept(request)) return false;
      this.energy = { is: 'known', info };
      return true;
    } catch (error) {
      asApiError(error);
      if (this.#requests.isLast(request) && this.energy.is === 'loading') this.energy = { is: 'failed' };
      return false;
    }
  });

  /** The answer to a tap batch is newer than whatever was requested before. */
  replace(info: EnergyInfo): void {
    this.#requests.supersede();
    this.energy = { is: 'known', info };
  }
}
