import { flow, makeAutoObservable } from 'mobx';
import { asApiError } from '../../api/error';
import type { CardSubject, Recap } from '../../api/types';
import { perRoot } from '../../app/perRoot';
import { useRoot } from '../../app/RootContext';
import type { RootStore } from '../../app/RootStore';
import { errorKey } from '../../i18n/errors';
import { Resource } from '../../stores/Resource';
import { wait } from '../../stores/wait';

/** The player's season once it is over, and the pictures that the bot sends of it and of a tournament. */
class RecapStore {
  readonly season: Resource<Recap>;
  sending: CardSubject | null = null;
  /** Of what a picture was sent in this visit. */
  readonly sent = new Set<CardSubject>();

  readonly #root: RootStore;

  constructor(root: RootStore) {
    this.#root = root;
    this.season = new Resource(() => root.api.recap());
    makeAutoObservable(this, { season: false });
  }

  /** Has the bot send the picture to the player, who is asked first if it may not write to them. */
  send = flow(function* (this: RecapStore, of: CardSubject) {
    if (this.sending !== null) return;
    this.sending = of;
    try {
      if (!(yield* wait(this.#root.writeAccess.allowed()))) return;
      yield* wait(this.#root.api.sendCard(of));
      this.sent.add(of);
      this.#root.toasts.show('success', 'toast.card_sent');
    } catch (error) {
      this.#root.toasts.show('error', errorKey(asApiError(error).code));
    } finally {
      this.sending = null;
    }
  });
}

const recapOf = perRoot((root) => new RecapStore(root));

export const useRecap = () => recapOf(useRoot());
