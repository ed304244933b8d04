import type { CardSubject, Recap } from '../api/types';

/** A season of somebody who played most of it. */
export function aRecap(change: Partial<Recap> = {}): Recap {
  return {
    days: 84,
    taps: 45_200,
    mcbk: 12_480.25,
    rank: 128,
    friends: 7,
    best_win_mcbk: 20,
    best_win_points: 0,
    ...change,
  };
}

/** The season's recap, and the pictures that the bot sends. */
export class FakeRecap {
  season = aRecap();
  /** Pictures that the bot was to send. */
  readonly cards: CardSubject[] = [];

  answer(call: string, body: unknown): unknown {
    if (call === 'GET /user/recap') return this.season;
    if (call !== 'POST /user/card') return undefined;
    this.cards.push((body as { of: CardSubject }).of);
    return { queued: true };
  }

  /** The answer is 202: the picture is still to be sent. */
  isQueued(answer: unknown): boolean {
    return typeof answer === 'object' && answer !== null && 'queued' in answer;
  }
}
