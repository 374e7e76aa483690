export interface Turn<T> {
  readonly result: T;
  /** Another request was already processing this message: its result is shared. */
  readonly shared: boolean;
}

/**
 * One turn per message and one turn at a time per conversation, within this process: repeats that arrive while a turn is
 * in progress wait for it instead of asking the model again. Between processes the unique index of the commit decides.
 */
export class TurnQueue<T> {
  private readonly running = new Map<string, Promise<T>>();
  private readonly tails = new Map<string, Promise<unknown>>();

  async once(conversation: string, messageId: string, work: () => Promise<T>): Promise<Turn<T>> {
    const key = `${conversation} ${messageId}`;
    const known = this.running.get(key);
    if (known) return { result: await known, shared: true };
    const turn = this.behind(conversation, work).finally(() => this.running.delete(key));
    this.running.set(key, turn);
    return { result: await turn, shared: false };
  }

  private behind(conversation: string, work: () => Promise<T>): Promise<T> {
    const before = this.tails.get(conversation) ?? Promise.resolve();
    const turn = before.then(work, work);
    const tail = turn
      .catch(() => undefined)
      .finally(() => {
        if (this.tails.get(conversation) === tail) this.tails.delete(conversation);
      });
    this.tails.set(conversation, tail);
    return turn;
  }
}
