import { reaction } from 'mobx';
import { use } from 'react';
import { useRoot } from '../../app/RootContext';
import type { RootStore } from '../../app/RootStore';
import { isVisible, onPage } from '../../stores/PageLifecycle';
import { whenBecomes } from '../../stores/whenBecomes';
import { type DigResult, MineDigging } from './MineDigging';
import { MinePurchase } from './MinePurchase';
import { MinersBoard } from './MinersBoard';
import { refetchJitterMs } from './schedule';
import { Tournament } from './Tournament';

/** The player's mines. Loaded when they are opened, or when unsent ore is stored. */
export class Mines {
  readonly tournament: Tournament;
  readonly digging: MineDigging;
  readonly purchase: MinePurchase;
  readonly board: MinersBoard;

  constructor(private readonly root: RootStore) {
    this.tournament = new Tournament(root);
    this.board = new MinersBoard(root.api);
    this.digging = new MineDigging(root, this.tournament, this.board);
    this.purchase = new MinePurchase(root, this.tournament, this.digging);
  }

  /** Connects the mines to the rest of the game. Called once. */
  start(): void {
    const { root, tournament, purchase } = this;
    const { batches } = this.digging;
    reaction(
      () => root.user.user?.id,
      (player) => {
        if (player !== undefined) batches.start(player);
      },
      { fireImmediately: true },
    );
    whenBecomes(
      () => root.shell.ready && root.user.user?.age_consent_accepted === true,
      () => batches.resume(),
      { fireImmediately: true },
    );
    reaction(
      () => root.isOn('/mines'),
      (here, wasHere) => {
        if (here) this.enter();
        else if (wasHere) this.leave();
      },
      { fireImmediately: true },
    );
    reaction(
      () => (root.isOn('/mines') ? tournament.overdue : -1),
      (overdue) => {
        if (overdue >= 0 && isVisible())
          setTimeout(() => void tournament.load(), root.platform.random() * refetchJitterMs);
      },
    );
    whenBecomes(
      () => tournament.over, // the result has neither panel nor offer
      () => {
        purchase.closeOffer();
        if (root.modals.sheet === 'mines') root.modals.closeSheet();
      },
      { fireImmediately: true },
    );
    whenBecomes(
      () => root.modals.shown?.is === 'mine' && tournament.owns(root.modals.shown.level),
      () => purchase.closeOffer(), // another page of the player has bought it
      { fireImmediately: true },
    );
    reaction(
      () => tournament.resource.state.is,
      (is) => {
        // The panel was opened before it was known that the player has no mine.
        if (is !== 'ready' || root.modals.sheet !== 'mines' || !tournament.isBeginner) return;
        root.modals.closeSheet();
        purchase.offer();
      },
    );
    // The bag sets the same, and does not know the mines: the last reaction decides for both.
    reaction(
      () => [root.tap.batches, batches].map(({ unsaved }) => unsaved).join(),
      (unsaved) => root.platform.host.confirmClosing(unsaved.includes('true')),
    );
    onPage('background', () => batches.flushOnUnload());
    onPage('foreground', () => this.onForeground());
    onPage('online', () => this.onForeground());
    window.addEventListener('storage', () => batches.reread());
  }

  dig(): DigResult {
    const result = this.digging.dig();
    if (result.is === 'locked') this.purchase.offer();
    return result;
  }

  /** Leaderboard and rules open. */
  refetch(): void {
    void this.tournament.load();
    void this.board.miners.load();
  }

  private enter(): void {
    this.digging.counter.enter();
    void this.purchase.loadTrade().then((trade) => {
      void trade?.orders.find();
      void trade?.market.loadConfig();
    });
  }

  private leave(): void {
    this.purchase.closeOffer();
    this.digging.counter.leave();
  }

  private onForeground(): void {
    const { batches } = this.digging;
    batches.onForeground();
    if (!this.root.isOn('/mines')) return;
    if (batches.count === 0) void this.tournament.load();
    void this.purchase.trade?.market.loadConfig(); // sales may be open again
  }
}

/** Suspends what is rendered until the stores are there. */
export function useMines(): Mines {
  return use(useRoot().loadMines());
}
