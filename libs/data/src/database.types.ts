import type { Component, Logger } from '@platform/runtime';
import type { Pool } from 'pg';
import type { EntityManager, MigrationInterface } from 'typeorm';
import type { StreamsRows } from './streams';

/** SQL with `$1` parameters. `bigint` and `numeric` columns arrive as text, as `pg` delivers them (see `bigintNumber`). */
export interface Sql {
  /** One statement; without `values` it may also be several, separated by semicolons. */
  query<Row = Record<string, unknown>>(text: string, values?: readonly unknown[]): Promise<Row[]>;
  /** A named prepared statement: parsed and planned once per connection. A name belongs to one text. */
  prepared<Row = Record<string, unknown>>(name: string, text: string, values: readonly unknown[]): Promise<Row[]>;
  /**
   * The same for a statement whose rows nobody reads and which has no failure of its own: in a transaction it goes with the next one, or with
   * the commit, in one write, and they fail in its place. What it locks is locked no longer than that takes. Elsewhere it is done at once.
   */
  later(name: string, text: string, values: readonly unknown[]): Promise<void>;
}

/** Everything done through it commits or rolls back together. Use it only inside the `work` it was given to. */
export interface Transaction extends Sql {
  readonly entities: EntityManager;
  /** Runs after the commit in the order of registration, never after a rollback. A failing hook is only logged. */
  afterCommit(hook: () => void | Promise<void>): void;
}

/**
 * One service's PostgreSQL: one TypeORM data source on one `pg` pool. Sessions see the service's own schema and end
 * statements after 15 s by the settings of its role (`roleSettings`), without which `start` refuses.
 *
 * With a `poolUrl` statements and transactions go through a pooler in transaction mode, where every statement may have
 * another session: `SET LOCAL` and `pg_advisory_xact_lock` inside `tx` work as usual, `SET` and session locks do not.
 *
 * Throws `Unavailable` when the server cannot be reached, shuts down or has no connection left. After an `Unavailable`
 * that interrupted a commit the outcome is unknown (`mayBeCommitted`): what may be sent again must be idempotent.
 */
export interface Database extends Sql, StreamsRows, Component {
  readonly entities: EntityManager;
  /** The connections of statements and transactions, for metrics. */
  readonly pool: Pool;
  /** Lasting sessions on the server itself; the same as `pool` without a pooler and `directSessions`. For graphile-worker only. */
  readonly direct: Pool;
  /**
   * Runs `work` in one transaction (read committed). After a serialization failure or a deadlock the whole `work` runs
   * again, at most 3 times, so it must have no effects outside the transaction; those belong in `afterCommit`.
   */
  tx<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;
  /**
   * Calls `handler` for every NOTIFY on `channel`; resolves once the server listens, to the function that ends it.
   * The connection renews itself; notifications in between are lost, so a listener also polls now and then.
   */
  listen(channel: string, handler: (payload: string) => void): Promise<() => Promise<void>>;
  /**
   * A separate pool to the same schema, whose sessions have other settings: slow work takes no connection from the rest,
   * and needs no transaction for its settings. It goes to the server itself, past a pooler, whose connections everybody
   * shares. Nothing connects before the first use.
   */
  aside(options: AsideOptions): Sql & Component;
  /**
   * Creates the schema when missing, runs pending migrations and sets the role's settings when it lacks them. Replicas may
   * call it concurrently: one works, the others wait.
   */
  migrate(): Promise<void>;
  /** Names of the migrations that this build knows and the database has not run. */
  pending(): Promise<string[]>;
}

export type MigrationClass = new () => MigrationInterface;

export interface AsideOptions {
  /** Appended to the database's own name in pg_stat_activity. */
  name: string;
  poolSize: number;
  /** PostgreSQL's settings of every session, such as `statement_timeout`. */
  settings: Readonly<Record<string, string>>;
}

export interface DatabaseOptions {
  /** The server itself. */
  url: string;
  /** A pooler in transaction mode before the same database. */
  poolUrl?: string | undefined;
  /** Whether `prepared` names its statements; true by default. */
  prepared?: boolean;
  /** The service's own schema; lower case letters, digits and underscores. */
  schema: string;
  entities?: Function[];
  migrations?: MigrationClass[];
  /** Most connections, 10 by default: more are slower (architecture section 10). */
  poolSize?: number;
  /**
   * Sessions of graphile-worker at the server itself, for all runners to take and end jobs with. Left out, they are 3 beside a pooler,
   * and without one those of the pool.
   */
  directSessions?: number;
  /** A statement without any answer for so long is given up with its connection; 60 s when left out, statements end by themselves before. 0: never. */
  silenceMs?: number;
  logger: Logger;
  /** `application_name` in pg_stat_activity; the schema by default. */
  name?: string;
}
