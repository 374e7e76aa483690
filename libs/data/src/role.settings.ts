import { escapeIdentifier, escapeLiteral } from 'pg';
import type { Sql } from './database.types';
import { refuseOldServer } from './server.version';

const STATEMENT_TIMEOUT = '15s';
/** Locks of a vanished machine's transaction are released after this time, not after TCP's two hours. */
const IDLE_TRANSACTION_TIMEOUT = '60s';

export interface RoleOfDatabase {
  /** The connected role by default. */
  readonly role?: string;
  readonly database: string;
  readonly schema: string;
}

/** `public` comes second: the operators of the extensions live there. */
export const searchPath = (schema: string): string => `${schema}, public`;

/**
 * SQL that gives every later session of the role in this database the settings a service relies on. They belong to the role
 * because a pooler in transaction mode refuses start-up options, and passes what a session sets on to the next client (ADR 33).
 * A role may set them for itself; for others it takes an administrator. Safe to repeat.
 */
export const roleSettings = ({ role, database, schema }: RoleOfDatabase): string => {
  const target = `${role === undefined ? 'CURRENT_USER' : escapeIdentifier(role)} IN DATABASE ${escapeIdentifier(database)}`;
  return [
    `ALTER ROLE ${target} SET search_path = ${escapeIdentifier(schema)}, public;`,
    `ALTER ROLE ${target} SET statement_timeout = ${escapeLiteral(STATEMENT_TIMEOUT)};`,
    `ALTER ROLE ${target} SET idle_in_transaction_session_timeout = ${escapeLiteral(IDLE_TRANSACTION_TIMEOUT)};`,
  ].join('\n');
};

interface Session {
  readonly role: string;
  readonly database: string;
  readonly path: string;
  readonly limit: string;
  readonly idle: string;
  readonly server: string;
}

const SESSION = `SELECT current_user AS role, current_database() AS database, current_setting('search_path') AS path,
  current_setting('statement_timeout') AS "limit", current_setting('idle_in_transaction_session_timeout') AS idle, pg_postmaster_start_time()::text AS server`;

const sessionOf = async (sql: Sql): Promise<Session> => (await sql.query<Session>(SESSION))[0] as Session;

const missingIn = ({ path, limit }: Session, schema: string): string[] => [
  ...(path.replaceAll(/["\s]/g, '') === `${schema},public`
    ? []
    : [`search_path is ${path} instead of ${searchPath(schema)}`]),
  ...(limit === '0' ? [`statement_timeout is 0 (none) instead of ${STATEMENT_TIMEOUT}`] : []),
];

const isSameDatabase = (one: Session, other: Session): boolean =>
  one.role === other.role && one.database === other.database && one.server === other.server;

/** True when new sessions at this address begin with the settings of the role; a service also starts without the last one. */
export const hasRoleSettings = async (sql: Sql, schema: string): Promise<boolean> => {
  const session = await sessionOf(sql);
  return missingIn(session, schema).length === 0 && session.idle !== '0';
};

/** Checks a session of each address; throws what is missing and what to do. `pooled` is absent when there is one address. */
export const refuseMissingRoleSettings = async (schema: string, direct: Sql, pooled?: Sql): Promise<void> => {
  await refuseOldServer((sql) => direct.query(sql));
  const own = await sessionOf(direct);
  const { role, database } = own;
  const missing = missingIn(own, schema);
  if (missing.length > 0)
    throw new Error(
      `The role "${role}" lacks settings in the database "${database}": ${missing.join('; ')}. Run the migrate command of this service, which sets them, or as an administrator:\n${roleSettings({ role, database, schema })}`,
    );
  if (!pooled) return;
  const other = await sessionOf(pooled);
  if (!isSameDatabase(own, other))
    throw new Error(
      `DATABASE_POOL_URL leads to the role "${other.role}" in the database "${other.database}", DATABASE_URL to "${role}" in "${database}" or to another server: both must name the same.`,
    );
  const stale = missingIn(other, schema);
  if (stale.length > 0)
    throw new Error(
      `The role "${role}" has its settings, but DATABASE_POOL_URL leads to sessions without them: ${stale.join('; ')}. They were opened before: RECONNECT on the pooler's console (or restart it), and start again.`,
    );
};
