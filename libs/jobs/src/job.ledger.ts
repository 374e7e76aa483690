import type { Sql } from '@platform/data';
import type { Measures } from '@platform/runtime';
import type { Job } from 'graphile-worker';
import { wakeEverybody } from './job.wakeups';
import type { DeadJob, JobBacklog } from './jobs.types';

const READY = 'attempts < max_attempts AND locked_at IS NULL AND run_at <= now()';
const DEAD = 'attempts >= max_attempts AND locked_at IS NULL';

export const measureBacklog = async (sql: Sql, schema: string): Promise<JobBacklog> => {
  const [row] = (await sql.query(
    `SELECT count(*) FILTER (WHERE ${READY}) AS ready, count(*) FILTER (WHERE ${DEAD}) AS dead,
       coalesce(extract(epoch FROM now() - min(run_at) FILTER (WHERE ${READY})), 0) AS "oldestSeconds" FROM ${schema}.jobs`,
  )) as [Record<keyof JobBacklog, string>];
  return { ready: Number(row.ready), oldestSeconds: Number(row.oldestSeconds), dead: Number(row.dead) };
};

/** The same for /metrics: every process on the schema shows the same. */
export const backlogMeasures = (sql: Sql, schema: string): Measures => ({
  help: {
    jobs_ready: 'Jobs that are due and that no worker has taken, of all processes',
    jobs_oldest_seconds: 'For how long the oldest of the jobs that are due has been due, of all processes',
    jobs_dead: 'Jobs that failed for good, of all processes',
  },
  read: async () => {
    const { ready, oldestSeconds, dead } = await measureBacklog(sql, schema);
    return { jobs_ready: ready, jobs_oldest_seconds: oldestSeconds, jobs_dead: dead };
  },
});

/** Jobs of these tasks that would run now. */
export const countHeld = async (sql: Sql, schema: string, tasks: readonly string[]): Promise<number> => {
  const [{ held }] = (await sql.query(
    `SELECT count(*) AS held FROM ${schema}.jobs WHERE task_identifier = ANY ($1) AND ${READY}`,
    [tasks],
  )) as [{ held: string }];
  return Number(held);
};

export const deadJobs = (sql: Sql, schema: string, limit: number): Promise<DeadJob[]> =>
  sql.query<DeadJob>(
    `SELECT id, task_identifier AS task, attempts, last_error AS error, key, created_at AS "createdAt" FROM ${schema}.jobs WHERE ${DEAD} ORDER BY id DESC LIMIT $1`,
    [limit],
  );

/**
 * Whether a newer job was added under the key of this one, which runs: graphile-worker has taken its key and its further attempts, and would
 * leave it dead when it fails, although the newer does what it was to do.
 */
export const isOvertaken = async (sql: Sql, schema: string, { id, key }: Pick<Job, 'id' | 'key'>): Promise<boolean> => {
  if (key === null) return false;
  // Locked, so that a transaction that is about to add the newer one is waited for
  const rows = await sql.query<Pick<Job, 'key'>>(`SELECT key FROM ${schema}._private_jobs WHERE id = $1 FOR UPDATE`, [
    id,
  ]);
  return rows.some((row) => row.key === null);
};

/**
 * Returns a job that was taken and not begun, as if nobody had taken it, with a flag when one is given, unless a newer one has its key
 * by now. It gets a new id: its worker will report it failed or done, and by then another worker of the same pool, whose lock looks the
 * same, may have it.
 */
export const putBack = (
  sql: Sql,
  schema: string,
  job: Pick<Job, 'id' | 'locked_by' | 'key'>,
  flag?: string,
): Promise<unknown> =>
  sql.query(
    `WITH job AS (SELECT id, key FROM ${schema}._private_jobs WHERE id = $1 AND locked_by = $2 FOR UPDATE), overtaken AS (
       DELETE FROM ${schema}._private_jobs j USING job WHERE j.id = job.id AND job.key IS DISTINCT FROM $4)
     UPDATE ${schema}._private_jobs j SET id = DEFAULT, attempts = j.attempts - 1, locked_by = NULL, locked_at = NULL,
       flags = CASE WHEN $3::text IS NULL THEN j.flags ELSE coalesce(j.flags, '{}') || jsonb_build_object($3::text, true) END
     FROM job WHERE j.id = job.id AND job.key IS NOT DISTINCT FROM $4`,
    [job.id, job.locked_by, flag ?? null, job.key],
  );

/** Needed because graphile-worker's own function sends no notification. */
export const replayJob = async (sql: Sql, schema: string, id: string): Promise<boolean> => {
  const replayed = await sql.query(
    `SELECT job.id, ${wakeEverybody(schema)}
     FROM ${schema}.reschedule_jobs(ARRAY(SELECT id FROM ${schema}.jobs WHERE id = $1 AND ${DEAD}), run_at => now(), attempts => 0) job`,
    [id],
  );
  return replayed.length > 0;
};
