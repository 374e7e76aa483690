import { Unavailable } from '@platform/errors';

export interface MicroBatchOptions<Row, Result> {
  /** Concurrent writes; 2 to 4 were measured best. */
  writers: number;
  /** Most rows of one write. */
  maxBatch: number;
  /** Most rows that may wait, of one queue half as many; beyond that callers get `Unavailable` at once. */
  maxQueue: number;
  /** Rows with the same text never share a write: a later one goes with the next. Rows of which this is undefined share with any. */
  apart?: (row: Row) => string | undefined;
  /** What rows with the same text wait for: they are in one write at a time, so that one that hangs leaves the other writers to the others. */
  queueOf?: (row: Row) => string;
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
  readonly row: Row;
  /** Those of one queue are in one write at a time; those of none in any. */
  readonly queue: unknown;
  /** It was in a write that failed: it is to succeed, or to fail, by itself. */
  readonly alone: boolean;
  readonly resolve: (result: Result) => void;
  readonly reject: (reason: unknown) => void;
}

const refuse = (reason: string): Promise<never> =>
  Promise.reject(new Unavailable(`${reason} Try again shortly.`, { retryAfterSeconds: 1 }));

class Batches<Row, Result> implements MicroBatch<Row, Result> {
  private queue: Waiting<Row, Result>[] = [];
  private busy = 0;
  private scheduled = false;
  /** The queues of the rows that are being written. */
  private readonly inWork = new Set<unknown>();
  private stopped: (() => void) | undefined;

  constructor(private readonly options: MicroBatchOptions<Row, Result>) {}

  get waiting(): number {
    return this.queue.length;
  }

  add(row: Row): Promise<Result> {
    const { writers, queueOf } = this.options;
    const queue = queueOf?.(row);
    if (this.stopped) return refuse('This service is stopping.');
    if (this.isFull(queue)) return refuse(`${this.queue.length} writes are waiting already.`);
    if (!this.scheduled && this.busy < writers) {
      this.scheduled = true;
      // Rows of the same turn of the event loop share the first batch.
      setImmediate(() => this.pump());
    }
    return new Promise((resolve, reject) => this.queue.push({ row, queue, alone: false, resolve, reject }));
  }

  stop(): Promise<void> {
    return new Promise((resolve) => {
      this.stopped = resolve;
      this.pump();
    });
  }

  /** One queue, which may be held for long, takes no more than half of the room. */
  private isFull(queue: string | undefined): boolean {
    const { maxQueue } = this.options;
    const waiting = this.queue.length;
    if (queue === undefined || waiting < maxQueue / 2) return waiting >= maxQueue;
    return waiting >= maxQueue || this.queue.filter((one) => one.queue === queue).length >= maxQueue / 2;
  }

  private pump(): void {
    this.scheduled = false;
    while (this.busy < this.options.writers) {
      const batch = this.next();
      if (batch.length === 0) break;
      const queues = new Set(batch.flatMap(({ queue }) => queue ?? []));
      for (const queue of queues) this.inWork.add(queue);
      this.busy += 1;
      void this.settle(batch).then(() => {
        for (const queue of queues) this.inWork.delete(queue);
        this.busy -= 1;
        this.pump();
      });
    }
    if (this.busy === 0 && this.queue.length === 0) this.stopped?.();
  }

  private async settle(batch: readonly Waiting<Row, Result>[]): Promise<void> {
    try {
      const results = await this.options.write(batch.map(({ row }) => row));
      if (results.length !== batch.length)
        throw new Error(`The write of a micro-batch answered ${results.length} results for ${batch.length} rows.`);
      batch.forEach(({ resolve }, index) => resolve(results[index] as Result));
    } catch (failure) {
      // Without a server every row would fail alike, each after its own wait.
      if (batch.length === 1 || failure instanceof Unavailable) for (const { reject } of batch) reject(failure);
      else this.rewrite(batch);
    }
  }

  /** Before all others, each alone: one that hangs leaves the other writers to those of other queues. Those of none stay in their order. */
  private rewrite(batch: readonly Waiting<Row, Result>[]): void {
    const together = Symbol('rows of a failed write');
    this.queue.unshift(...batch.map((one) => ({ ...one, queue: one.queue ?? together, alone: true })));
  }

  private hasRoom(batch: readonly Waiting<Row, Result>[], { alone }: Waiting<Row, Result>): boolean {
    return alone ? batch.length === 0 : batch.length < this.options.maxBatch && !batch[0]?.alone;
  }

  /** Takes the rows of the next write, which are the first that may share one; none when all must wait for others. */
  private next(): Waiting<Row, Result>[] {
    const { maxBatch, apart, queueOf } = this.options;
    if (!apart && !queueOf && !this.queue[0]?.alone) return this.queue.splice(0, maxBatch);
    const [batch, rest, taken]: [Waiting<Row, Result>[], Waiting<Row, Result>[], Set<string>] = [[], [], new Set()];
    for (const one of this.queue) {
      const key = apart?.(one.row);
      const fits = this.hasRoom(batch, one) && !this.inWork.has(one.queue) && (key === undefined || !taken.has(key));
      if (fits && key !== undefined) taken.add(key);
      (fits ? batch : rest).push(one);
    }
    this.queue = rest;
    return batch;
  }
}

/**
 * Rows that arrive during a write share the next one (architecture section 10): no timer, so a lone
 * row is written at once, and under load the batches grow by themselves. A failed batch is rewritten row by row, so
 * that a bad row fails alone. Rows of different batches may commit in any order.
 */
export const microBatch = <Row, Result>(options: MicroBatchOptions<Row, Result>): MicroBatch<Row, Result> =>
  new Batches(options);
