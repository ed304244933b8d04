import { flow, makeAutoObservable, observableRef } from 'mobx';
import type { Api } from '../../api/client';
import { asApiError } from '../../api/error';
import type { EnergyInfo } from '../../api/types';
import { RequestSequence } from '../../stores/RequestSequence';
import { wait } from '../../stores/wait';

export type Energy = { is: 'loading' } | { is: 'known'; info: EnergyInfo } | { is: 'failed' };

/** Energy as the server last told it; taps it has not counted yet are the TapStore's to subtract. */
export class EnergyStore {
  energy: Energy = { is: 'loading' };
  private readonly requests = new RequestSequence();

  constructor(private readonly api: Api) {
    makeAutoObservable<this, 'api' | 'requests'>(this, {
      energy: observableRef,
      api: false,
      requests: false,
    });
  }

  get info(): EnergyInfo | null {
    return this.energy.is === 'known' ? this.energy.info : null;
  }

  /**
   * True if this answer was taken: it came, and nothing newer had. On failure what was known stays; with nothing known yet the
   * screen offers to try again.
   */
  load = flow(function* (this: EnergyStore) {
    const turn = this.requests.next();
    if (this.energy.is === 'failed') this.energy = { is: 'loading' };
    try {
      const info = yield* wait(this.api.energy());
      if (!this.requests.accept(turn)) return false;
      this.energy = { is: 'known', info };
      return true;
    } catch (error) {
      asApiError(error);
      if (this.requests.isLast(turn) && this.energy.is === 'loading') this.energy = { is: 'failed' };
      return false;
    }
  });

  /** What a tap batch brought is newer than whatever was asked for before. */
  replace(info: EnergyInfo): void {
    this.requests.supersede();
    this.energy = { is: 'known', info };
  }
}
