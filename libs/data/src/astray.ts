import type { Clock, Logger } from '@platform/runtime';
import type { Sql } from './database.types';

const MOST_SECONDS = 60;

/**
 * Whether the clock of this process is off by more than a minute from the database's, which all processes share. Then nothing may be ended
 * or deleted by it: a pod a day ahead would cancel every unpaid order. It is logged as an error; another process does the work.
 */
export const isAstray = async (
  sql: Pick<Sql, 'query'>,
  { clock, logger }: { readonly clock: Clock; readonly logger: Logger },
): Promise<boolean> => {
  const off = 'SELECT extract(epoch FROM $1::timestamptz - clock_timestamp())::float8 AS seconds';
  const [{ seconds } = { seconds: 0 }] = await sql.query<{ seconds: number }>(off, [clock.now()]);
  if (Math.abs(seconds) <= MOST_SECONDS) return false;
  logger.error('the clock of this process is astray: nothing is ended by it', { seconds: Math.round(seconds) });
  return true;
};
