import type { Sql } from '@platform/data';
import { until } from './until';

/** Sessions of this database that wait for a lock. */
export const lockWaiters = async (database: Sql): Promise<number> => {
  const [row] = await database.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
  );
  return row?.count ?? 0;
};

/** Resolves when so many wait: whoever holds the lock may go on, and they have looked at what was before. */
export const untilWaiting = async (database: Sql, many = 1): Promise<void> => {
  await until(
    () => lockWaiters(database),
    (count) => count >= many,
  );
};
