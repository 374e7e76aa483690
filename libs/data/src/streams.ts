import { Unavailable } from '@platform/errors';
import type { Pool, PoolClient } from 'pg';
import { translated } from './postgres.errors';

export interface StreamOptions {
  /** Rows per round trip, which are in memory together; 500 by default. */
  readonly batch?: number;
  /** Ends the stream at once, and PostgreSQL's work for it within a second. */
  readonly signal?: AbortSignal;
}

export interface StreamsRows {
  /**
   * Rows of one SELECT by a server-side cursor in a read-only transaction, fetched on demand. The transaction ends and its
   * connection is released when the rows end, when the consumer stops or throws, when `signal` aborts, and when nobody asks
   * for a row for a minute. Streams have a small pool of their own: they take no connection from the rest of the service,
   * and one too many throws `Unavailable` after five seconds.
   */
  stream<Row = Record<string, unknown>>(
    text: string,
    values?: readonly unknown[],
    options?: StreamOptions,
  ): AsyncGenerator<Row, void>;
}

/** Most concurrent streams. */
export const STREAMS = 3;
const BATCH = 500;
const PATIENCE_MS = 60_000;

/**
 * By default the planner expects a tenth of a cursor to be read, a busy server does not notice that its client is gone, and one
 * that waits for a slow reader to take a batch ends the session after a minute: whether that one hangs is seen here.
 */
const BEGIN = `BEGIN READ ONLY; SET LOCAL cursor_tuple_fraction = 1; SET LOCAL client_connection_check_interval = 1000;
  SET LOCAL idle_in_transaction_session_timeout = '1h'`;

/** A connection that is released once: intact, or broken and therefore closed. */
class Lease {
  private over: Error | undefined;

  constructor(private readonly client: PoolClient) {}

  readonly cut = (reason: Error): void => {
    if (this.over) return;
    this.over = reason;
    this.client.release(true);
  };

  async query<Row>(text: string, values?: readonly unknown[]): Promise<Row[]> {
    try {
      return (await this.client.query(text, values as unknown[])).rows as Row[];
    } catch (error) {
      throw this.over ?? translated(error); // a client that was aborted accepts no statement
    }
  }

  async giveBack(): Promise<void> {
    const ended = await this.query('ROLLBACK').then(
      () => true,
      () => false,
    );
    if (this.over) return;
    this.over = new Error('The stream is over.');
    this.client.release(!ended);
  }
}

/** The implementation of `Database.stream`. */
export class Streams implements StreamsRows {
  private readonly leases = new Set<Lease>();

  constructor(
    private readonly pool: Pool,
    private readonly patienceMs = PATIENCE_MS,
  ) {}

  async *stream<Row>(
    text: string,
    values: readonly unknown[] = [],
    { batch = BATCH, signal }: StreamOptions = {},
  ): AsyncGenerator<Row, void> {
    signal?.throwIfAborted();
    const lease = await this.lease();
    const gone = () => lease.cut(signal?.reason as Error);
    signal?.addEventListener('abort', gone, { once: true });
    try {
      if (signal?.aborted) gone();
      await lease.query(BEGIN);
      await lease.query(`DECLARE listed NO SCROLL CURSOR FOR ${text}`, values);
      for (let rows: Row[] | undefined; rows === undefined || rows.length === batch;) {
        rows = await lease.query<Row>(`FETCH ${batch} FROM listed`);
        yield* this.awaited(rows, lease);
      }
    } finally {
      signal?.removeEventListener('abort', gone);
      await lease.giveBack();
      this.leases.delete(lease);
    }
  }

  /** Aborts the streams in progress. */
  async stop(): Promise<void> {
    for (const lease of this.leases) lease.cut(new Unavailable('The service is stopping.', { retryAfterSeconds: 1 }));
    if (!this.pool.ending) await this.pool.end();
  }

  private async lease(): Promise<Lease> {
    try {
      const lease = new Lease(await this.pool.connect());
      this.leases.add(lease);
      return lease;
    } catch (error) {
      throw translated(error);
    }
  }

  /** A consumer that hangs must not keep a connection and an old snapshot. */
  private *awaited<Row>(rows: readonly Row[], lease: Lease): Generator<Row, void> {
    const timer = setTimeout(
      lease.cut,
      this.patienceMs,
      new Error(`Nobody took a row of the stream for ${this.patienceMs / 1000} s.`),
    );
    try {
      for (const row of rows) {
        yield row;
        timer.refresh();
      }
    } finally {
      clearTimeout(timer);
    }
  }
}
