import type { Sql } from '@platform/data';
import type { Logger } from '@platform/runtime';
import type { JobAndCronIdentifier, WorkerEvents, WorkerPool } from 'graphile-worker';

/** What clocks may differ by; cron works by the minute. */
const TOLERANCE = "interval '1 minute'";

const LAST_MINUTE = `date_trunc('minute', now()) - ${TOLERANCE}`;

/**
 * graphile-worker remembers for all processes until when a cron item has run, by the clock of whoever ran it, and lets nobody run it for an
 * earlier time. A process whose clock is an hour ahead for a moment would silence every cron of the service for an hour. So a time that is not
 * yet by the database's clock, which all processes share, counts as its last minute: who is ahead has the present one only where nobody else does.
 */
export const inTimeTrigger = (schema: string): string => `
  CREATE OR REPLACE FUNCTION ${schema}.in_time() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    IF NEW.known_since > now() + ${TOLERANCE} THEN NEW.known_since := ${LAST_MINUTE}; END IF;
    IF NEW.last_execution > now() + ${TOLERANCE} THEN NEW.last_execution := ${LAST_MINUTE}; END IF;
    RETURN NEW;
  END $$;
  CREATE OR REPLACE TRIGGER in_time BEFORE INSERT ON ${schema}._private_known_crontabs
    FOR EACH ROW EXECUTE FUNCTION ${schema}.in_time()`;

/** The same for what was remembered before the trigger was there, or while the database's own clock was ahead. */
export const recallCron = async (sql: Sql, schema: string): Promise<void> => {
  await sql.query(
    `UPDATE ${schema}._private_known_crontabs SET last_execution = least(last_execution, now()), known_since = least(known_since, now())
     WHERE last_execution > now() + ${TOLERANCE} OR known_since > now() + ${TOLERANCE}`,
  );
};

/** What cron adds is due at once: its minute is that of whoever adds it, and may be an hour away by the clock of the database. */
const dueAtOnce = (added: readonly JobAndCronIdentifier[]): void => {
  for (const { job } of added) delete (job as Partial<typeof job>).runAt;
};

export const addAtOnce = (events: WorkerEvents): void => {
  events.on('cron:schedule', ({ jobsAndIdentifiers }) => dueAtOnce(jobsAndIdentifiers));
  events.on('cron:backfill', ({ itemsToBackfill }) => dueAtOnce(itemsToBackfill));
};

const MINUTE_MS = 60_000;

/**
 * Ends a pool whose clock was set back, for another one to begin: what a pool waits for next is in its memory, and it would do nothing until
 * that time has come once more.
 */
export const watchClock = (events: WorkerEvents, logger: Pick<Logger, 'warn'>): void => {
  let pool: WorkerPool | undefined;
  events.once('pool:create', ({ workerPool }) => (pool = workerPool));
  events.on('cron:prematureTimer', ({ currentTimestamp, expectedTimestamp }) => {
    const seconds = Math.round((expectedTimestamp - currentTimestamp) / 1_000);
    if (!pool || expectedTimestamp - currentTimestamp <= MINUTE_MS) return;
    logger.warn('the clock of this process was set back: its cron begins anew', { seconds });
    void pool.gracefulShutdown();
    pool = undefined;
  });
};
