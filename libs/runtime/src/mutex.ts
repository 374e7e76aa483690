/** Mutual exclusion as a queue: tasks run one at a time, in the order in which they were added. */
export class Mutex {
  private last: Promise<unknown> = Promise.resolve();

  /** Resolves or rejects as `work` does. It begins when the one before it has ended, however that ended. */
  run<T>(work: () => Promise<T>): Promise<T> {
    const result = this.last.then(work);
    this.last = result.catch(() => undefined);
    return result;
  }
}
