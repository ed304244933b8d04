import { flow, makeAutoObservable, observableRef } from 'mobx';
import type { Api } from '../../api/client';
import { asApiError } from '../../api/error';
import type { EnergyInfo } from '../../api/types';
import { wait } from '../../stores/wait';

export type Energy = { is: 'loading' } | { is: 'known'; info: EnergyInfo } | { is: 'failed' };

/** Energy as the server last told it; taps it has not counted yet are the TapStore's to subtract. */
export class EnergyStore {
  energy: Energy = { is: 'loading' };
  /** Numbers the requests, so that an answer asked for earlier cannot overwrite a newer one. */
  private asked = 0;
  private answered = 0;

  constructor(private readonly api: Api) {
    makeAutoObservable<this, 'api' | 'asked' | 'answered'>(this, {
      energy: observableRef,
      api: false,
      asked: false,
      answered: false,
    });
  }

  get info(): EnergyInfo | null {
    return this.energy.is === 'known' ? this.energy.info : null;
  }

  /**
   * True if this answer was taken: it came, and nothing newer had. On failure what was known stays; with nothing known yet the screen offers to
   * try again.
   */
  load = flow(function* (this: EnergyStore) {
    this.asked += 1;
    const turn = this.asked;
    if (this.energy.is === 'failed') this.energy = { is: 'loading' };
    try {
      const info = yield* wait(this.api.energy());
      if (turn <= this.answered) return false;
      this.know(info, turn);
      return true;
    } catch (error) {
      asApiError(error);
      if (turn === this.asked && this.energy.is === 'loading') this.energy = { is: 'failed' };
      return false;
    }
  });

  /** What a tap batch brought is newer than whatever was asked for before. */
  replace(info: EnergyInfo): void {
    this.know(info, this.asked);
  }

  private know(info: EnergyInfo, turn: number): void {
    this.answered = turn;
    this.energy = { is: 'known', info };
  }
}
