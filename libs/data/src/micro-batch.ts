import { Unavailable } from '@platform/errors';

export interface MicroBatchOptions<Row, Result> {
  /** Concurrent writes; 2 to 4 were measured best. */
  writers: number;
  /** Most rows of one write. */
  maxBatch: number;
  /** Most rows that may wait; beyond that callers get `Unavailable` at once. */
  maxQueue: number;
  /** Writes all rows or none, durably, and resolves to one result per row in the same order. */
  write: (rows: readonly Row[]) => Promise<readonly Result[]>;
}

export interface MicroBatch<Row, Result> {
  /** Resolves to the row's own result after the commit that contains it; rejects with the row's own failure. */
  add(row: Row): Promise<Result>;
  /** Rows that wait for a writer; for metrics. */
  readonly waiting: number;
  /** Accepts no more rows and resolves when all accepted ones are settled. */
  stop(): Promise<void>;
}

interface Waiting<Row, Result> {
  row: Row;
  resolve: (result: Result) => void;
  reject: (reason: unknown) => void;
}

const settle = async <Row, Result>(
  batch: readonly Waiting<Row, Result>[],
  write: MicroBatchOptions<Row, Result>['write'],
): Promise<void> => {
  try {
    const results = await write(batch.map(({ row }) => row));
    if (results.length !== batch.length)
      throw new Error(`The write of a micro-batch answered ${results.length} results for ${batch.length} rows.`);
    batch.forEach(({ resolve }, index) => resolve(results[index] as Result));
  } catch (failure) {
    // Without a server every row would fail alike, each after its own wait.
    if (batch.length === 1 || failure instanceof Unavailable) for (const { reject } of batch) reject(failure);
    else for (const one of batch) await settle([one], write);
  }
};

const refuse = (reason: string): Promise<never> =>
  Promise.reject(new Unavailable(`${reason} Try again shortly.`, { retryAfterSeconds: 1 }));

class Batches<Row, Result> implements MicroBatch<Row, Result> {
  private queue: Waiting<Row, Result>[] = [];
  private busy = 0;
  private scheduled = false;
  private stopped: (() => void) | undefined;

  constructor(private readonly options: MicroBatchOptions<Row, Result>) {}

  get waiting(): number {
    return this.queue.length;
  }

  add(row: Row): Promise<Result> {
    const { maxQueue, writers } = this.options;
    if (this.stopped) return refuse('This service is stopping.');
    if (this.queue.length >= maxQueue) return refuse(`${maxQueue} writes are waiting already.`);
    if (!this.scheduled && this.busy < writers) {
      this.scheduled = true;
      // Rows of the same turn of the event loop share the first batch.
      setImmediate(() => this.pump());
    }
    return new Promise((resolve, reject) => this.queue.push({ row, resolve, reject }));
  }

  stop(): Promise<void> {
    return new Promise((resolve) => {
      this.stopped = resolve;
      this.pump();
    });
  }

  private pump(): void {
    const { writers, maxBatch, write } = this.options;
    this.scheduled = false;
    while (this.busy < writers && this.queue.length > 0) {
      const batch = this.queue.splice(0, maxBatch);
      this.busy += 1;
      void settle(batch, write).then(() => {
        this.busy -= 1;
        this.pump();
      });
    }
    if (this.busy === 0 && this.queue.length === 0) this.stopped?.();
  }
}

/**
 * Rows that arrive during a write share the next one (architecture section 10): no timer, so a lone
 * row is written at once, and under load the batches grow by themselves. A failed batch is rewritten row by row, so
 * that a bad row fails alone. Rows of different batches may commit in any order.
 */
export const microBatch = <Row, Result>(options: MicroBatchOptions<Row, Result>): MicroBatch<Row, Result> =>
  new Batches(options);
