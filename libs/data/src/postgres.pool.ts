import { setTimeout as delay } from 'node:timers/promises';
import type { Logger, Measures } from '@platform/runtime';
import { Pool, type Client, type ClientBase, type ClientConfig, type PoolClient } from 'pg';
import type { Sql } from './database.types';
import { isConnectionLost, isSilence, isStalePlan, isTransient, translated } from './postgres.errors';
import { PreparedQuery } from './prepared.query';
import type { PreparedStatements } from './prepared.statements';

const ACQUIRE_TIMEOUT_MS = 5_000;
const RETRIES = 3;

interface ConnectionOptions {
  readonly url: string;
  /** `application_name` in pg_stat_activity. */
  readonly name: string;
  /** Start-up options of every session, overriding the role's. A pooler refuses them: for direct addresses only. */
  readonly settings?: Readonly<Record<string, string>>;
  /** A statement that has no answer for so long is given up, and its connection with it; never when left out. */
  readonly silenceMs?: number | undefined;
}

const startUpOptions = (settings: Readonly<Record<string, string>>): string =>
  Object.entries(settings)
    .map(([setting, value]) => `-c ${setting}=${value.replaceAll(/[\\ ]/g, '\\$&')}`)
    .join(' ');

export const connectionConfig = ({ url, name, settings, silenceMs }: ConnectionOptions): ClientConfig => ({
  connectionString: url,
  application_name: name,
  query_timeout: silenceMs,
  connectionTimeoutMillis: ACQUIRE_TIMEOUT_MS,
  keepAlive: true,
  ...(settings ? { options: startUpOptions(settings) } : {}),
});

/**
 * Ends the connection when a statement has no answer in time: who gave the statement up may know nothing of connections, as
 * graphile-worker, and hand this one to the next; and a rollback would be waited for just as long.
 */
export const endWithSilence = (client: ClientBase): void => {
  const query = client.query.bind(client) as (...statement: unknown[]) => unknown;
  const guarded = (...statement: unknown[]): unknown => {
    const asked = query(...statement);
    const answer = asked instanceof PreparedQuery ? asked.answer : asked;
    if (answer instanceof Promise)
      answer.catch((error: unknown) => isSilence(error) && void (client as Client).end().catch(() => undefined));
    return asked;
  };
  Object.assign(client, { query: guarded });
};

export interface PoolOptions extends ConnectionOptions {
  readonly size: number;
  readonly logger: Logger;
}

export const createPool = (options: PoolOptions): Pool => {
  const { size, logger } = options;
  const pool = new Pool({ ...connectionConfig(options), max: size, idleTimeoutMillis: 60_000 });
  pool.on('error', (error) => logger.warn('an idle database connection was lost', { error: error.message }));
  pool.on('connect', (client) => {
    // While checked out a client has no listener of the pool's; its loss must fail the statement, not the process.
    client.on('error', () => undefined);
    endWithSilence(client);
  });
  return pool;
};

/** A caller that waits is the first sign of too few connections, or of transactions that take too long. */
export const measuresOf = (pool: Pool): Measures => ({
  help: {
    db_pool_size: 'Connections to the database that this pool may open',
    db_pool_busy: 'Connections to the database that are in use',
    db_pool_waiting: 'Callers that wait for a connection to the database',
  },
  read: async () => ({
    db_pool_size: pool.options.max,
    db_pool_busy: pool.totalCount - pool.idleCount,
    // Also counted are those who get an idle connection a moment later
    db_pool_waiting: pool.idleCount === 0 && pool.totalCount >= pool.options.max ? pool.waitingCount : 0,
  }),
});

/** Closes idle connections, so that the next callers get new sessions. */
export const dropIdle = async (pool: Pool): Promise<void> => {
  const idle = await Promise.all(Array.from({ length: pool.idleCount }, () => pool.connect()));
  for (const client of idle) client.release(true);
};

/**
 * Retries `work` from its beginning after deadlocks, serialization failures and stale plans; random pauses let rivals
 * pass.
 */
export const retried = async <T>(work: () => Promise<T>): Promise<T> => {
  for (let repeated = 0; ;)
    try {
      return await work();
    } catch (error) {
      if (!(isTransient(error) || isStalePlan(error)) || repeated === RETRIES) throw error;
      repeated += 1;
      await delay(Math.random() * 10 * repeated);
    }
};

/** Unlike `pool.query` it keeps the connection, and its prepared statements, after an ordinary error. */
const withClient = async <T>(pool: Pool, work: (client: PoolClient) => Promise<T>): Promise<T> => {
  const client = await pool.connect();
  let broken = false;
  try {
    return await work(client);
  } catch (error) {
    broken = isConnectionLost(error);
    throw error;
  } finally {
    client.release(broken);
  }
};

/** SQL on any client of the pool, where each statement is its own transaction. */
export const sqlOnPool = (pool: Pool, statements: PreparedStatements): Sql => {
  const run = async <T>(work: (client: ClientBase) => Promise<T>): Promise<T> => {
    try {
      return await retried(() => withClient(pool, work));
    } catch (error) {
      throw translated(error);
    }
  };
  const prepared: Sql['prepared'] = (name, text, values) =>
    run((client) => statements.run(client, [{ name, text, values }]));
  return {
    query: <Row>(text: string, values?: readonly unknown[]) =>
      run(async (client) => (await client.query(text, values as unknown[])).rows as Row[]),
    prepared,
    later: async (...asked) => void (await prepared(...asked)),
  };
};
