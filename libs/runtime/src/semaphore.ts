/** A counting semaphore: admits up to its limit; the others wait in order of arrival. */
export class Semaphore {
  private readonly queue: (() => void)[] = [];
  private held = 0;

  constructor(private readonly permits: number) {}

  /** How many wait for a permit. */
  get waiting(): number {
    return this.queue.length;
  }

  /** Whether the next one would have to wait. */
  get isFull(): boolean {
    return this.held >= this.permits;
  }

  /** Resolves, when there is room, to the function that releases the permit; calling it again does no harm. */
  async acquire(): Promise<() => void> {
    // A released permit goes straight to the next in the queue: `held` stays as it is
    if (this.isFull) await new Promise<void>((resolve) => this.queue.push(resolve));
    else this.held += 1;
    let released = false;
    return () => {
      if (released) return;
      released = true;
      const next = this.queue.shift();
      if (next) next();
      else this.held -= 1;
    };
  }

  /** Resolves or rejects as `work` does, which holds a permit meanwhile. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    const release = await this.acquire();
    try {
      return await work();
    } finally {
      release();
    }
  }
}
