import { flow, makeAutoObservable, observableRef } from 'mobx';
import type { Api } from '../api/client';
import type { Settings } from '../api/types';
import type { Clock } from './Clock';
import { wait } from './wait';

/** Where the 90-day season stands. */
export class SettingsStore {
  settings: Settings | null = null;

  constructor(
    private readonly api: Api,
    private readonly clock: Clock,
    private readonly device: () => number,
  ) {
    makeAutoObservable<this, 'api' | 'clock' | 'device'>(this, {
      settings: observableRef,
      api: false,
      clock: false,
      device: false,
    });
  }

  load = flow(function* (this: SettingsStore) {
    const asked = this.device();
    this.settings = yield* wait(this.api.settings());
    this.clock.set(this.settings.server_time, asked, this.device());
  });
}
