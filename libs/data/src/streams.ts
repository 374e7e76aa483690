import { Unavailable } from '@platform/errors';
import { SharedPlaces } from '@platform/runtime';
import type { Pool, PoolClient } from 'pg';
import { translated } from './postgres.errors';

export interface StreamOptions {
  /** Rows per round trip, which are in memory together; 500 by default. */
  readonly batch?: number;
  /** Ends the stream at once, and PostgreSQL's work for it within a second. */
  readonly signal?: AbortSignal;
  /** Whose rows they are: a tenant has one stream at a time, so that its slow readers leave the others theirs. */
  readonly tenant?: string;
}

export interface StreamsRows {
  /**
   * Rows of one SELECT by a server-side cursor in a read-only transaction, fetched on demand. The transaction ends and its
   * connection is released when the rows end, when the consumer stops or throws, when `signal` aborts, and when nobody asks
   * for a row for a minute, and in any case after a quarter of an hour. Streams have a small pool of their own: they take no
   * connection from the rest of the service, and one too many throws `Unavailable` after five seconds.
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
const LONGEST_MS = 15 * 60_000;
/** As long as a connection is waited for. */
const TURN_MS = 5_000;

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
  private readonly turns = new SharedPlaces({ places: STREAMS, most: 1 });

  constructor(
    private readonly pool: Pool,
    private readonly limits: {
      readonly patienceMs?: number;
      readonly longestMs?: number;
      readonly turnMs?: number;
    } = {},
  ) {}

  async *stream<Row>(
    text: string,
    values: readonly unknown[] = [],
    { batch = BATCH, signal, tenant }: StreamOptions = {},
  ): AsyncGenerator<Row, void> {
    signal?.throwIfAborted();
    const leave = tenant === undefined ? undefined : await this.turn(tenant);
    const lease = await this.lease().catch((error: unknown) => {
      leave?.();
      throw error;
    });
    const gone = () => lease.cut(signal?.reason as Error);
    signal?.addEventListener('abort', gone, { once: true });
    const { longestMs = LONGEST_MS } = this.limits;
    const end = setTimeout(lease.cut, longestMs, new Error(`A stream has ${longestMs / 1000} s.`)).unref();
    try {
      if (signal?.aborted) gone();
      await lease.query(BEGIN);
      await lease.query(`DECLARE listed NO SCROLL CURSOR FOR ${text}`, values);
      for (let rows: Row[] | undefined; rows === undefined || rows.length === batch;) {
        rows = await lease.query<Row>(`FETCH ${batch} FROM listed`);
        yield* this.awaited(rows, lease);
      }
    } finally {
      clearTimeout(end);
      signal?.removeEventListener('abort', gone);
      await lease.giveBack();
      this.leases.delete(lease);
      leave?.();
    }
  }

  /** Aborts the streams in progress. */
  async stop(): Promise<void> {
    for (const lease of this.leases) lease.cut(new Unavailable('The service is stopping.', { retryAfterSeconds: 1 }));
    if (!this.pool.ending) await this.pool.end();
  }

  private turn(tenant: string): Promise<() => void> {
    return this.turns.acquire(tenant, AbortSignal.timeout(this.limits.turnMs ?? TURN_MS)).catch((cause: unknown) => {
      throw new Unavailable('The exports that are running have to end first.', { retryAfterSeconds: 5, cause });
    });
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
    const { patienceMs = PATIENCE_MS } = this.limits;
    const hangs = new Error(`Nobody took a row of the stream for ${patienceMs / 1000} s.`);
    const timer = setTimeout(lease.cut, patienceMs, hangs);
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
