import { retry } from '@platform/runtime';
import type { QueryRunner } from 'typeorm';
import { isTransient, sqlState } from './postgres.errors';

/** A statement that waits for a table makes everybody wait who comes behind it, so it waits no longer than this, and tries again. */
export const LOCK_TIMEOUT = '300ms';
export const BETWEEN_TRIES_MS = 1_000;
export const PATIENCE_MS = 10 * 60_000;

const isLocked = (cause: unknown): boolean => sqlState(cause) === '55P03';

/** Tables of the schema that a VACUUM, an ANALYZE or a concurrent index of another session works on. */
const VACUUMED = `
  SELECT DISTINCT c.oid::regclass::text AS name FROM pg_locks l JOIN pg_class c ON c.oid = l.relation
  WHERE l.mode = 'ShareUpdateExclusiveLock' AND l.granted AND l.pid <> pg_backend_pid()
    AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())
    AND c.relkind = 'r' AND c.relnamespace = current_schema()::regnamespace ORDER BY 1`;

/** Runs `work` in a transaction that begins with `setting` (SET LOCAL). */
export const withSetting = async <T>(runner: QueryRunner, setting: string, work: () => Promise<T>): Promise<T> => {
  await runner.startTransaction();
  try {
    await runner.query(setting);
    const result = await work();
    await runner.commitTransaction();
    return result;
  } catch (error) {
    await runner.rollbackTransaction().catch(() => undefined);
    throw error;
  }
};

/**
 * Waits for their end, if there are any, however long it takes, with a lock that no writer comes behind. PostgreSQL ends an
 * autovacuum for whoever waits as long as `deadlock_timeout` (1 s), which a step that writers come behind never does.
 */
const untilVacuumed = async (runner: QueryRunner): Promise<boolean> => {
  const tables = (await runner.query(VACUUMED)) as { name: string }[];
  for (const { name } of tables)
    await withSetting(runner, 'SET LOCAL lock_timeout = 0', () =>
      runner.query(`LOCK TABLE ${name} IN SHARE UPDATE EXCLUSIVE MODE`),
    );
  return tables.length > 0;
};

/** Again when the lock was not to be had in time; what was begun is undone then. */
export const patiently = <T>(runner: QueryRunner, work: () => Promise<T>): Promise<T> => {
  const attempt = async (): Promise<T> => {
    try {
      return await work();
    } catch (cause) {
      // At once, before the next autovacuum comes
      if (isLocked(cause) && (await untilVacuumed(runner))) return work();
      throw cause;
    }
  };
  return retry(attempt, {
    limitMs: PATIENCE_MS,
    pauseMs: BETWEEN_TRIES_MS,
    isFinal: (cause) => !isLocked(cause) && !isTransient(cause),
    givingUp: () => undefined,
  });
};
