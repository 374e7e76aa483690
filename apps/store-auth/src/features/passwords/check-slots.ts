import { TooMany } from '@platform/errors';

/** At most so many at once, and so many more waiting; beyond that work is refused instead of piled up. */
export class CheckSlots {
  private running = 0;
  private readonly waiting: (() => void)[] = [];

  constructor(
    private readonly limit: number,
    private readonly maxWaiting: number,
  ) {}

  /** Throws `TooMany` when the queue is full. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    await this.enter();
    try {
      return await work();
    } finally {
      this.leave();
    }
  }

  private enter(): Promise<void> {
    if (this.running < this.limit) {
      this.running += 1;
      return Promise.resolve();
    }
    if (this.waiting.length >= this.maxWaiting)
      throw new TooMany('too many password checks at once', { retryAfterSeconds: 1 });
    return new Promise((resolve) => this.waiting.push(resolve));
  }

  /** The slot goes straight to the next in line. */
  private leave(): void {
    const next = this.waiting.shift();
    if (next) next();
    else this.running -= 1;
  }
}
