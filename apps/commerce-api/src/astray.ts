import type { Sql } from '@platform/data';
import type { JobContext } from '@platform/jobs';
import type { Clock, Logger } from '@platform/runtime';

const MOST_SECONDS = 60;

interface Clocked {
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * Whether the clock of this process is off by more than a minute from the database's, which all processes share. Then nothing may be ended
 * or deleted by it: a pod a day ahead would cancel every unpaid order. It is logged as an error; another process does the work.
 */
export const isAstray = async (sql: Sql, { clock, logger }: Clocked) => {
  const off = 'SELECT extract(epoch FROM $1::timestamptz - clock_timestamp())::float8 AS seconds';
  const [{ seconds } = { seconds: 0 }] = await sql.query<{ seconds: number }>(off, [clock.now()]);
  if (Math.abs(seconds) <= MOST_SECONDS) return false;
  logger.error('the clock of this process is astray: nothing is ended by it', { seconds: Math.round(seconds) });
  return true;
};

/** The run of a job that ends or deletes what time has passed over. */
export const unlessAstray =
  (sql: Sql, clocked: Clocked, work: (signal: AbortSignal) => Promise<unknown>) =>
  async (_payload: object, { signal }: Pick<JobContext, 'signal'>): Promise<void> => {
    if (!(await isAstray(sql, clocked))) await work(signal);
  };
