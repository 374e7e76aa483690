import { inspect } from 'node:util';
import type { Sql } from '@platform/data';
import { until } from './until';

/** `pg_locks` is looked at anew by each statement; `pg_stat_activity` would stay as it was in the transaction. */
const WAITERS = `
  WITH RECURSIVE waiting AS MATERIALIZED (
    SELECT pid, pg_blocking_pids(pid) AS ahead FROM (SELECT DISTINCT pid FROM pg_locks WHERE NOT granted) AS waiters
  ), behind AS (
    SELECT pg_backend_pid() AS pid UNION SELECT w.pid FROM waiting AS w JOIN behind AS b ON b.pid = ANY (w.ahead)
  )
  SELECT count(*)::int - 1 AS count FROM behind`;

/** Sessions that wait for what the holder's transaction has locked, or for others that do; nobody else's waits count. */
export const lockWaiters = async (holder: Sql): Promise<number> => {
  const [row] = await holder.query<{ count: number }>(WAITERS);
  return row?.count ?? 0;
};

/**
 * Resolves when all these calls wait behind the holder's transaction: it may go on, and they have looked at what was before.
 * Rejects when one of them ends instead.
 */
export const untilWaiting = async (holder: Sql, ...calls: readonly Promise<unknown>[]): Promise<void> => {
  const ends: unknown[] = [];
  for (const call of calls)
    call.then(
      (answer) => ends.push(answer),
      (error: unknown) => ends.push(error),
    );
  const look = async () => {
    const waiting = await lockWaiters(holder);
    if (ends.length > 0) throw new Error(`a call did not wait for the lock, or no longer: ${inspect(ends[0])}`);
    return waiting;
  };
  await until(look, (waiting) => waiting >= calls.length);
};
