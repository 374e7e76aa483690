import type { Database } from '@platform/data';
import type { Logger } from '@platform/runtime';
import type { WorkerEvents } from 'graphile-worker';
import { wakeEverybody } from './job.wakeups';

/** Where statements may be silent for as long as they like, an answer is not waited for longer than this. */
const LONGEST_ANSWER_MS = 300_000;

/** Twice the longest that an answer may take: later nothing is on its way to a worker, nor an end of a job to the database. */
const graceOf = (database: Database): number => 2 * (database.direct.options.query_timeout || LONGEST_ANSWER_MS);

/** The jobs that a living worker knows of. */
export class JobsHeld {
  /** Jobs at work; those that have ended until their end is surely recorded. */
  private readonly held = new Map<string, number>();
  private readonly graceMs: number;

  constructor(
    readonly runner: string,
    database: Database,
  ) {
    this.graceMs = graceOf(database);
  }

  watch(events: WorkerEvents): void {
    events.on('job:start', ({ job }) => this.held.set(job.id, Infinity));
    events.on('job:complete', ({ job }) => this.held.set(job.id, Date.now() + this.graceMs));
  }

  ids(): string[] {
    const now = Date.now();
    for (const [id, until] of this.held) if (until < now) this.held.delete(id);
    return [...this.held.keys()];
  }
}

export interface OrphansParts {
  readonly database: Database;
  readonly schema: string;
  readonly logger: Logger;
}

/**
 * Releases jobs that a living worker has locked and does not have: the database took them for it, and the answer was lost on its way.
 * graphile-worker asks again and gets others; these would stay locked for 4 hours. They were never begun, so the try does not count; one that was
 * overtaken meanwhile stays known as such (`overtakenTriggers`). `workers` are all of this process, looked after by one statement.
 */
export const releaseOrphans = async (
  { database, schema, logger }: OrphansParts,
  workers: ReadonlyMap<string, Pick<JobsHeld, 'runner' | 'ids'>>,
): Promise<void> => {
  const known = [...workers].map(([worker, held]) => ({ worker, held: held.ids() }));
  const released = await database.query<{ id: string; worker: string }>(
    `WITH orphans AS (
       UPDATE ${schema}._private_jobs j SET locked_by = NULL, locked_at = NULL,
         attempts = CASE WHEN attempts > max_attempts THEN attempts ELSE greatest(attempts - 1, 0) END
       FROM jsonb_to_recordset($1::jsonb) AS known(worker text, held bigint[])
       WHERE j.locked_by = known.worker AND j.locked_at < now() - $2 * interval '1 millisecond' AND j.id <> ALL (known.held)
       RETURNING j.id, known.worker)
     SELECT id, worker, ${wakeEverybody(schema)} FROM orphans`,
    [JSON.stringify(known), graceOf(database)],
  );
  for (const [worker, { runner }] of workers) {
    const jobs = released.flatMap((job) => (job.worker === worker ? job.id : []));
    if (jobs.length > 0) logger.warn('jobs whose taking was never answered were released', { runner, jobs });
  }
};
