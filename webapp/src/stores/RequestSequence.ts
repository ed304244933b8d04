/** Numbers the requests for one thing, so that an answer asked for earlier cannot overwrite a newer one. */
export class RequestSequence {
  private started = 0;
  private accepted = 0;

  /** A request is about to be made. */
  next(): number {
    this.started += 1;
    return this.started;
  }

  /** Its answer has come: true unless it is to be dropped, since a newer one was taken. */
  accept(request: number): boolean {
    if (request <= this.accepted) return false;
    this.accepted = request;
    return true;
  }

  /** Nothing was asked for after it, so that its failure is the last word. */
  isLast(request: number): boolean {
    return request === this.started;
  }

  /** Something else told more than whatever was asked for before. True if that is still on its way, and will be dropped. */
  supersede(): boolean {
    const late = this.started > this.accepted;
    this.accepted = this.started;
    return late;
  }
}
