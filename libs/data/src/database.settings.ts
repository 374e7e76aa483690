import { databaseUrl, flag, integer, optional, type ConfigOf } from '@platform/runtime';
import type { DatabaseOptions } from './database.types';

/** How a service reaches its database, for its `config.ts`; `databaseOptions` passes them to `openDatabase`. */
export const databaseSettings = () => ({
  /** The server itself, never a pooler: LISTEN, jobs, migrations and session locks need a lasting session. */
  DATABASE_URL: databaseUrl(),
  /** A pooler in transaction mode (PgBouncer), for everything else; DATABASE_URL when empty. */
  DATABASE_POOL_URL: optional(databaseUrl()),
  /** `off` for a pooler that does not keep named statements: PgBouncer before 1.21, or without max_prepared_statements. */
  DB_PREPARED: flag({ fallback: true }),
  /** Most connections for ordinary statements; more than about 10 are slower (architecture section 10). */
  DB_POOL: integer(1, 200, { fallback: 10 }),
});

type DatabaseConfig = ConfigOf<ReturnType<typeof databaseSettings>>;

export const databaseOptions = (
  config: DatabaseConfig,
): Pick<DatabaseOptions, 'url' | 'poolUrl' | 'prepared' | 'poolSize'> => ({
  url: config.DATABASE_URL,
  poolUrl: config.DATABASE_POOL_URL,
  prepared: config.DB_PREPARED,
  poolSize: config.DB_POOL,
});
