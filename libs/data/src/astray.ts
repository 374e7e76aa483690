import type { Clock, Logger } from '@platform/runtime';
import type { Sql } from './database.types';

const MOST_SECONDS = 60;

interface Clocked {
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Seconds that the clock of this process is ahead of the database's, which all processes share. */
const aheadBy = async (sql: Pick<Sql, 'query'>, clock: Clock): Promise<number> => {
  const off = 'SELECT extract(epoch FROM $1::timestamptz - clock_timestamp())::float8 AS seconds';
  return (await sql.query<{ seconds: number }>(off, [clock.now()]))[0]?.seconds ?? 0;
};

/**
 * Whether the clock of this process is off by more than a minute from the database's. Then nothing may be deleted by it. It is logged as an
 * error; another process does the work.
 */
export const isAstray = async (sql: Pick<Sql, 'query'>, { clock, logger }: Clocked): Promise<boolean> => {
  const seconds = await aheadBy(sql, clock);
  if (Math.abs(seconds) <= MOST_SECONDS) return false;
  logger.error('the clock of this process is astray: nothing is ended by it', { seconds: Math.round(seconds) });
  return true;
};

/**
 * The clock of this process, put back by as much as it is ahead now: a pod a day ahead would cancel every unpaid order, and one that left them
 * alone because it is two minutes off would do so for ever where it is the only one. More than a minute is logged as an error.
 */
export const notAhead = async (sql: Sql, { clock, logger }: Clocked): Promise<Clock> => {
  const seconds = await aheadBy(sql, clock);
  if (seconds <= 0) return clock;
  if (seconds > MOST_SECONDS) logger.error('the clock of this process is ahead', { seconds: Math.round(seconds) });
  return { now: () => new Date(clock.now().getTime() - seconds * 1000) };
};
