import { DataSource, type QueryRunner, type ReplicationMode } from 'typeorm';
import type { Pool } from 'pg';
import type { Database, DatabaseOptions } from './database.types';
import { differences, migrateSchema, refuseUnknownSchema } from './migrations';
import { translated } from './postgres.errors';
import { Listener } from './postgres.listener';
import { connectionConfig, createPool, sqlOnPool } from './postgres.pool';
import { transactions } from './postgres.transaction';
import { typeOrmLogger } from './typeorm.logger';

const CHECK_TIMEOUT_MS = 2_000;

/** TypeORM on the service's own pool; what its entity manager throws is translated like everything else. */
class PooledDataSource extends DataSource {
  override createQueryRunner(mode?: ReplicationMode): QueryRunner {
    const runner = super.createQueryRunner(mode);
    const query = runner.query.bind(runner) as (...statement: unknown[]) => Promise<unknown>;
    const guarded = (...statement: unknown[]) =>
      query(...statement).catch((error: unknown) => Promise.reject(translated(error)));
    return Object.assign(runner, { query: guarded });
  }
}

const createDataSource = (
  { url, schema, entities = [], migrations = [], logger }: DatabaseOptions,
  pool: Pool,
): DataSource => {
  // TypeORM makes its pool with `new driver.Pool()`; the object a constructor returns is what `new` gives.
  const driver = {
    Pool: function existingPool() {
      return pool;
    },
  };
  const ours = { driver, poolErrorHandler: () => undefined, installExtensions: false, logger: typeOrmLogger(logger) };
  return new PooledDataSource({ type: 'postgres', url, schema, entities, migrations, ...ours });
};

const within = async <T>(milliseconds: number, work: Promise<T>): Promise<T> => {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () =>
        reject(
          Object.assign(new Error(`The database did not answer within ${milliseconds} ms.`), { code: 'ETIMEDOUT' }),
        ),
      milliseconds,
    );
  });
  try {
    return await Promise.race([work, limit]);
  } catch (error) {
    throw translated(error);
  } finally {
    clearTimeout(timer);
  }
};

/** The connection to one service's schema. Nothing connects before the first use; see `Database` for the guarantees. */
export const openDatabase = (options: DatabaseOptions): Database => {
  const { schema, logger } = options;
  if (!/^[a-z_][a-z0-9_]*$/.test(schema))
    throw new Error(`The schema "${schema}" is not a plain lower case name: letters, digits and underscores only.`);
  const pool = createPool(options);
  const source = createDataSource(options, pool);
  const listener = new Listener(connectionConfig({ ...options, name: `${options.name ?? schema} listener` }), logger);
  const sql = sqlOnPool(pool);

  let connecting: Promise<unknown> | undefined;
  const onRunner = async <T>(work: (runner: QueryRunner) => Promise<T>): Promise<T> => {
    try {
      if (!source.isInitialized) await (connecting ??= source.initialize().finally(() => (connecting = undefined)));
    } catch (error) {
      throw translated(error);
    }
    const runner = source.createQueryRunner();
    return work(runner).finally(() => runner.release());
  };

  return {
    name: options.name ?? schema,
    ...sql,
    pool,
    entities: source.manager,
    tx: transactions(() => source.createQueryRunner(), logger),
    listen: (channel, handler) => listener.listen(channel, handler),
    aside: ({ name, ...more }) => {
      const other = createPool({ ...options, ...more, name: `${options.name ?? schema} ${name}` });
      return { name, ...sqlOnPool(other), stop: async () => void (other.ending || (await other.end())) };
    },
    migrate: () => onRunner((runner) => migrateSchema(runner, schema)),
    pending: () => onRunner(async (runner) => (await differences(runner)).pending),
    start: () => onRunner((runner) => refuseUnknownSchema(runner, schema)),
    check: async () => void (await within(CHECK_TIMEOUT_MS, sql.query('SELECT 1'))),
    stop: async () => {
      await listener.stop();
      if (!pool.ending) await pool.end();
    },
  };
};
