/** Numbers the requests for one thing, so that an answer asked for earlier cannot overwrite a newer one. */
export class Turns {
  private asked = 0;
  private taken = 0;

  /** A request is about to be made. */
  next(): number {
    this.asked += 1;
    return this.asked;
  }

  /** Its answer has come: true unless it is to be dropped, since a newer one was taken. */
  take(turn: number): boolean {
    if (turn <= this.taken) return false;
    this.taken = turn;
    return true;
  }

  /** Nothing was asked for after it, so that its failure is the last word. */
  isLast(turn: number): boolean {
    return turn === this.asked;
  }

  /** Something else told more than whatever was asked for before. True if that is still on its way, and will be dropped. */
  overtake(): boolean {
    const late = this.asked > this.taken;
    this.taken = this.asked;
    return late;
  }
}
