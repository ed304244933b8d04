import { flow, makeAutoObservable, observableRef } from 'mobx';
import type { Api } from '../../api/client';
import { asApiError } from '../../api/error';
import type { MinesStatus } from '../../api/types';
import { wait } from '../../stores/wait';

/** The mines as Home's card shows them; their own store comes with their code. */
export class MinesSummary {
  status: MinesStatus | null = null;

  readonly #api: Api;

  constructor(api: Api) {
    this.#api = api;
    makeAutoObservable(this, { status: observableRef });
  }

  load = flow(function* (this: MinesSummary) {
    try {
      this.status = yield* wait(this.#api.mines());
    } catch (error) {
      asApiError(error); // the card says what it says of mines in general
    }
  });
}
