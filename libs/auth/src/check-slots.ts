import { TooMany } from '@platform/errors';
import { Semaphore } from '@platform/runtime';

/** Limits how many run at once and how many wait; any more are refused. */
export class CheckSlots {
  private readonly slots: Semaphore;

  constructor(
    limit: number,
    private readonly maxWaiting: number,
  ) {
    this.slots = new Semaphore(limit);
  }

  /** Throws `TooMany` when the queue is full. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.slots.isFull && this.slots.waiting >= this.maxWaiting)
      throw new TooMany('too many password checks at once', { retryAfterSeconds: 1 });
    return this.slots.run(work);
  }
}
