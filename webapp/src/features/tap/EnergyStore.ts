import { flow, makeAutoObservable, observableRef } from 'mobx';
import type { Api } from '../../api/client';
import { asApiError } from '../../api/error';
import type { EnergyInfo } from '../../api/types';
import { wait } from '../../stores/wait';

export type Energy = { is: 'loading' } | { is: 'known'; info: EnergyInfo } | { is: 'failed' };

/** Energy as the server last told it; taps it has not counted yet are the TapStore's to subtract. */
export class EnergyStore {
  energy: Energy = { is: 'loading' };
  /** Counts replacements, so that an answer asked for earlier cannot overwrite a newer one. */
  private age = 0;

  constructor(private readonly api: Api) {
    makeAutoObservable<this, 'api' | 'age'>(this, { energy: observableRef, api: false, age: false });
  }

  get info(): EnergyInfo | null {
    return this.energy.is === 'known' ? this.energy.info : null;
  }

  /** On failure what was known stays; with nothing known yet the screen offers to try again. */
  load = flow(function* (this: EnergyStore) {
    const asked = this.age;
    if (this.energy.is === 'failed') this.energy = { is: 'loading' };
    try {
      const info = yield* wait(this.api.energy());
      if (this.age === asked) this.replace(info);
    } catch (error) {
      asApiError(error);
      if (this.energy.is === 'loading') this.energy = { is: 'failed' };
    }
  });

  replace(info: EnergyInfo): void {
    this.age += 1;
    this.energy = { is: 'known', info };
  }
}
