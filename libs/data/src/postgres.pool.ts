import { setTimeout as delay } from 'node:timers/promises';
import { Pool, type ClientBase, type ClientConfig, type PoolClient } from 'pg';
import type { DatabaseOptions, Sql } from './database.types';
import { isConnectionLost, isStalePlan, isTransient, translated } from './postgres.errors';

const STATEMENT_TIMEOUT_MS = 15_000;
const ACQUIRE_TIMEOUT_MS = 5_000;
const RETRIES = 3;

interface ConnectionOptions extends Pick<DatabaseOptions, 'url' | 'schema' | 'name'> {
  /** Of every session, over those that all have. */
  readonly settings?: Readonly<Record<string, string>>;
}

/** `public` comes second: the operators of the extensions live there. */
export const connectionConfig = ({ url, schema, name = schema, settings }: ConnectionOptions): ClientConfig => ({
  connectionString: url,
  application_name: name,
  connectionTimeoutMillis: ACQUIRE_TIMEOUT_MS,
  keepAlive: true,
  options: Object.entries({
    search_path: `${schema},public`,
    statement_timeout: `${STATEMENT_TIMEOUT_MS}`,
    ...settings,
  })
    .map(([setting, value]) => `-c ${setting}=${value.replaceAll(/[\\ ]/g, '\\$&')}`)
    .join(' '),
});

export const createPool = (options: DatabaseOptions & ConnectionOptions): Pool => {
  const pool = new Pool({ ...connectionConfig(options), max: options.poolSize ?? 10, idleTimeoutMillis: 60_000 });
  pool.on('error', (error) => options.logger.warn('an idle database connection was lost', { error: error.message }));
  // While checked out a client has no listener of the pool's; its loss must fail the statement, not the process.
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
};

/**
 * Does `work` again, from its beginning, after deadlocks and serialization failures; random pauses let rivals pass.
 * A stale plan does not count: it costs its connection, so there are at most as many as connections.
 */
export const retried = async <T>(work: () => Promise<T>): Promise<T> => {
  for (let repeated = 0; ;)
    try {
      return await work();
    } catch (error) {
      if (isStalePlan(error)) continue;
      if (!isTransient(error) || repeated === RETRIES) throw error;
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
    broken = isConnectionLost(error) || isStalePlan(error);
    throw error;
  } finally {
    client.release(broken);
  }
};

/** SQL on one client, or on any of the pool where each statement is a transaction of its own. */
export const sqlOn = (run: <T>(work: (client: ClientBase) => Promise<T>) => Promise<T>): Sql => ({
  query: <Row>(text: string, values?: readonly unknown[]) =>
    run(async (client) => (await client.query(text, values as unknown[])).rows as Row[]),
  prepared: <Row>(name: string, text: string, values: readonly unknown[]) =>
    run(async (client) => (await client.query({ name, text, values: values as unknown[] })).rows as Row[]),
});

export const sqlOnPool = (pool: Pool): Sql =>
  sqlOn(async (work) => {
    try {
      return await retried(() => withClient(pool, work));
    } catch (error) {
      throw translated(error);
    }
  });
