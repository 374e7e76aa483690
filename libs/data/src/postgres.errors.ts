import { Unavailable } from '@platform/errors';

const UNREACHABLE = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
]);
/** SQLSTATE class 08, shutdown and crash (57P01..57P03), too many connections (53300). */
const REFUSED = /^(08...|57P0[123]|53300)$/;
/** The server's certificate is not trusted, of another name, or has expired (Node's codes). */
const UNTRUSTED = /^(CERT_|ERR_TLS_|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_)/;
/** node-postgres and pg-pool give these no code. */
const CODELESS =
  /^(Connection terminated|Query read timeout|timeout exceeded when trying to connect|timeout expired|Client has encountered a connection error|Client was closed|Cannot use a pool after calling end|The server does not support SSL connections)/;

interface DriverError {
  code?: unknown;
  /** What Node.js asked of the system. */
  syscall?: unknown;
  message?: unknown;
  constraint?: unknown;
  table?: unknown;
  routine?: unknown;
  driverError?: DriverError;
}

/** TypeORM wraps the driver's error; the facts are in the innermost one. */
const driverError = (error: unknown): DriverError => {
  const outer: DriverError = typeof error === 'object' && error !== null ? error : {};
  return outer.driverError ?? outer;
};

/** SQLSTATE of a failed statement, or the system's code (`ECONNREFUSED`) when there was no statement. */
export const sqlState = (error: unknown): string | undefined => {
  const code = driverError(error).code;
  return typeof code === 'string' ? code : undefined;
};

export const isConnectionLost = (error: unknown): boolean => {
  const code = sqlState(error);
  // Whatever the reason: a Unix socket has others than TCP
  if (driverError(error).syscall === 'connect') return true;
  if (code !== undefined) return UNREACHABLE.has(code) || REFUSED.test(code) || UNTRUSTED.test(code);
  return CODELESS.test(String(driverError(error).message));
};

/** The connection broke, or fell silent, after it had been there: what was asked last may have been done. */
const BROKEN = /^(ECONNRESET|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|08...|57P0[12])$/;
const BROKEN_CODELESS = /^(Connection terminated(?! due to connection timeout)|Query read timeout)/;

/**
 * Whether what failed with this, as `Database` throws it, may have been committed all the same: nobody has heard the answer. Until that is known
 * nothing is to be taken back that it may need.
 */
export const mayBeCommitted = (failure: unknown): boolean => {
  if (!(failure instanceof Unavailable)) return false;
  const { message, syscall } = driverError(failure.cause);
  const code = sqlState(failure.cause);
  return code === undefined ? BROKEN_CODELESS.test(String(message)) : BROKEN.test(code) && syscall !== 'connect';
};

/** A statement had no answer within `silenceMs`; node-postgres gives up the statement and keeps the connection. */
export const isSilence = (error: unknown): boolean => driverError(error).message === 'Query read timeout';

/** Serialization failure and deadlock: the same work may well succeed when it is done again from its beginning. */
export const isTransient = (error: unknown): boolean => ['40001', '40P01'].includes(sqlState(error) ?? '');

/** A migration changed a table under a prepared statement ("cached plan must not change result type"). */
export const isStalePlan = (error: unknown): boolean =>
  sqlState(error) === '0A000' && driverError(error).routine === 'RevalidateCachedQuery';

const violates =
  (state: string) =>
  (error: unknown, constraint?: string): boolean =>
    sqlState(error) === state && (constraint === undefined || driverError(error).constraint === constraint);

/** True for a violated unique or primary key, of the named constraint or index when one is named. */
export const isUniqueViolation = violates('23505');
/** True for a violated CHECK, of the named constraint when one is named. */
export const isCheckViolation = violates('23514');

/** True for a NULL that a column of this table refuses. */
export const isNotNullViolation = (error: unknown, table: string): boolean =>
  sqlState(error) === '23502' && driverError(error).table === table;

/**
 * The server refuses this row now and on every retry: its content cannot be read, breaks a constraint or is too large
 * (SQLSTATE 22, 23, 54). Such a row is reported and skipped; nothing waits behind it (architecture section 6).
 */
export const isRefusedForEver = (error: unknown): boolean => /^(22|23|54)/.test(sqlState(error) ?? '');

/** PgBouncer's error for a session that asks for settings. */
const refusesOptions = (error: unknown): boolean =>
  sqlState(error) === '08P01' && /unsupported startup parameter/.test(String(driverError(error).message));

const poolersAddress = (cause: unknown): Error =>
  new Error(
    'DATABASE_URL leads to a pooler, but LISTEN, migrations and asides need the server itself. Set DATABASE_URL to the server and DATABASE_POOL_URL to the pooler.',
    { cause },
  );

/** `Unavailable` when the server could not be reached, anything else unchanged; reports a pooler that answered in place of the server. */
export const translated = (error: unknown): unknown =>
  refusesOptions(error)
    ? poolersAddress(error)
    : isConnectionLost(error)
      ? new Unavailable('The database cannot be reached. Try again shortly.', { cause: error, retryAfterSeconds: 1 })
      : error;
