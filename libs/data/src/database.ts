import { untilNothingLacks, type Sessions } from '@platform/runtime';
import { DataSource, type QueryRunner, type ReplicationMode } from 'typeorm';
import type { Pool } from 'pg';
import type { AsideOptions, Database, DatabaseOptions, Sql } from './database.types';
import { LOCK_TIMEOUT } from './migration.patience';
import { differences, lackOf, migrateSchema } from './migrations';
import { translated } from './postgres.errors';
import { Listener } from './postgres.listener';
import { connectionConfig, createPool, dropIdle, measuresOf, sqlOnPool } from './postgres.pool';
import { transactions } from './postgres.transaction';
import { PreparedStatements } from './prepared.statements';
import { hasRoleSettings, refuseMissingRoleSettings, roleSettings, searchPath } from './role.settings';
import { refuseOldServer } from './server.version';
import { Streams, STREAMS } from './streams';
import { typeOrmLogger } from './typeorm.logger';

const CHECK_TIMEOUT_MS = 2_000;
/** A server that vanished would be waited for until TCP gives up, after a quarter of an hour. */
const SILENCE_MS = 60_000;
/** Used beside a pooler, unless the service says how many: graphile-worker takes and ends jobs on them. */
const DIRECT_SESSIONS = 3;
/** Or the migration's lock would be kept for hours when its machine is gone, and every other one would wait. */
const NOTICES_A_LOST_CLIENT = {
  tcp_keepalives_idle: '30',
  tcp_keepalives_interval: '10',
  tcp_keepalives_count: '3',
  tcp_user_timeout: '60s',
};
/** Listening connections are idle all the time. */
const LISTENING = { idle_session_timeout: '0' };

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
  // TypeORM creates its pool with `new driver.Pool()`; an object that a constructor returns is the result of `new`.
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

const createPools = (options: DatabaseOptions) => {
  const { url, poolUrl, poolSize: size = 10, schema, name = schema, logger, silenceMs = SILENCE_MS } = options;
  const pool = createPool({ url: poolUrl ?? url, name, size, logger, silenceMs });
  const { directSessions } = options;
  if (poolUrl === undefined && directSessions === undefined) return { pool, direct: pool };
  return {
    pool,
    direct: createPool({ url, name: `${name} direct`, size: directSessions ?? DIRECT_SESSIONS, logger, silenceMs }),
  };
};

const endPools = async (...pools: readonly Pool[]): Promise<void> => {
  for (const pool of pools) if (!pool.ending) await pool.end();
};

/** A separate pool at the server itself, where a session may have settings. */
const openAside = (
  { url, schema, logger, name = schema, silenceMs = SILENCE_MS }: DatabaseOptions,
  { name: purpose, poolSize: size, settings }: AsideOptions,
  statements: PreparedStatements,
): ReturnType<Database['aside']> => {
  // Whose statements may take as long as they like may be silent for as long
  const silence = settings.statement_timeout === '0' ? {} : { silenceMs };
  const pool = createPool({ url, name: `${name} ${purpose}`, size, settings, logger, ...silence });
  const sessions = { direct: size, pooled: 0 };
  const measures = measuresOf(pool);
  return { name: purpose, sessions, measures, ...sqlOnPool(pool, statements), stop: () => endPools(pool) };
};

/** What the pools, the streams and the one who listens open together. */
const sessionsOfDatabase = ({ pool, direct }: Pick<Database, 'pool' | 'direct'>, isPooled: boolean): Sessions => {
  const [size, LISTENER] = [pool.options.max + STREAMS, 1];
  const own = (pool === direct ? 0 : direct.options.max) + LISTENER;
  return isPooled ? { direct: own, pooled: size } : { direct: size + own, pooled: 0 };
};

/** What it tells of its pools. */
const toldOf = (pools: Pick<Database, 'pool' | 'direct'>, isPooled: boolean) => ({
  sessions: sessionsOfDatabase(pools, isPooled),
  measures: measuresOf(pools.pool),
});

const openStreams = ({
  url,
  poolUrl = url,
  schema,
  logger,
  name = schema,
  silenceMs = SILENCE_MS,
}: DatabaseOptions): Streams =>
  new Streams(createPool({ url: poolUrl, name: `${name} streams`, size: STREAMS, logger, silenceMs }));

/** Creates runners of the source, which connects at the first of them. */
const runnersOf = (source: DataSource): (() => Promise<QueryRunner>) => {
  let connecting: Promise<unknown> | undefined;
  return async () => {
    try {
      if (!source.isInitialized) await (connecting ??= source.initialize().finally(() => (connecting = undefined)));
    } catch (error) {
      throw translated(error);
    }
    return source.createQueryRunner();
  };
};

/**
 * A GIN index collects new entries, 4 MB of them by default, and who comes then sorts them in: for up to a second, while the
 * rows of its portion are locked.
 */
const GIN_PENDING = '64kB';

/** Runs `work` on its own session with the server itself, closed afterwards: schema on the search path, no statement timeout, locks waited for briefly. */
const onOwnSession = async <T>(options: DatabaseOptions, work: (runner: QueryRunner) => Promise<T>): Promise<T> => {
  const { url, schema, logger, name = schema } = options;
  const settings = {
    search_path: searchPath(schema),
    statement_timeout: '0',
    lock_timeout: LOCK_TIMEOUT,
    ...NOTICES_A_LOST_CLIENT,
    gin_pending_list_limit: GIN_PENDING,
  };
  const pool = createPool({ url, name: `${name} migrate`, size: 1, settings, logger });
  const source = createDataSource(options, pool);
  try {
    await source.initialize();
    const runner = source.createQueryRunner();
    const checked = refuseOldServer((sql) => runner.query(sql) as never).then(() => work(runner));
    return await checked.finally(() => runner.release());
  } catch (error) {
    throw translated(error);
  } finally {
    await pool.end();
  }
};

/** What every session to come needs, when it lacks it; the idle ones began without it. */
const giveRoleSettings = async (runner: QueryRunner, schema: string, of: { pool: Pool; sql: Sql }): Promise<void> => {
  if (await hasRoleSettings(of.sql, schema)) return;
  const [row] = (await runner.query('SELECT current_database() AS database')) as [{ database: string }];
  await runner.query(roleSettings({ ...row, schema }));
  await dropIdle(of.pool);
};

/** Silence is that of LISTEN itself; between two notifications there is no limit. */
const openListener = ({ url, schema, logger, name = schema, silenceMs = SILENCE_MS }: DatabaseOptions): Listener =>
  new Listener(connectionConfig({ url, name: `${name} listener`, settings: LISTENING, silenceMs }), logger);

/** Checked because it is put into SQL where no parameter can be. */
const demandPlainName = (schema: string): void => {
  if (!/^[a-z_][a-z0-9_]*$/.test(schema))
    throw new Error(`The schema "${schema}" is not a plain lower case name: letters, digits and underscores only.`);
};

/** The connection to one service's schema. Nothing connects before the first use; see `Database` for the guarantees. */
export const openDatabase = (options: DatabaseOptions): Database => {
  const { schema, logger, name = schema } = options;
  demandPlainName(schema);
  const pools = createPools(options);
  const { pool, direct } = pools;
  const statements = new PreparedStatements(options.prepared ?? true, options.poolUrl !== undefined);
  const source = createDataSource(options, pool);
  const createRunner = runnersOf(source);
  const onRunner = <T>(work: (runner: QueryRunner) => Promise<T>): Promise<T> =>
    createRunner().then((runner) => work(runner).finally(() => runner.release()));
  const [listener, streams] = [openListener(options), openStreams(options)];
  const [sql, directSql] = [sqlOnPool(pool, statements), sqlOnPool(direct, statements)];

  return {
    name,
    ...sql,
    ...pools,
    ...toldOf(pools, options.poolUrl !== undefined),
    entities: source.manager,
    stream: (text, values, how) => streams.stream(text, values, how),
    tx: transactions(createRunner, statements, logger),
    listen: (channel, handler) => listener.listen(channel, handler),
    aside: (more) => openAside(options, more, statements),
    migrate: () =>
      onOwnSession(options, (runner) =>
        migrateSchema(runner, options, () => giveRoleSettings(runner, schema, { pool: direct, sql: directSql })),
      ),
    pending: () => onRunner(async (runner) => (await differences(runner, schema)).pending),
    start: async (starting) => {
      const waited = await untilNothingLacks(() => onRunner((runner) => lackOf(runner, schema, logger)), starting);
      // A session that began before the first migration began without the settings of the role
      if (waited) for (const each of new Set([pool, direct])) await dropIdle(each);
      await refuseMissingRoleSettings(schema, directSql, pool === direct ? undefined : sql);
    },
    check: async () => void (await within(CHECK_TIMEOUT_MS, sql.query('SELECT 1'))),
    stop: async () => {
      await listener.stop();
      await streams.stop();
      await endPools(pool, direct);
    },
  };
};
