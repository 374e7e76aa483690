import type { Database } from '@platform/data';
import type { Logger } from '@platform/runtime';
import type { WorkerEvents } from 'graphile-worker';
import { wakeEverybody } from './job.wakeups';

/** Where statements may be silent for as long as they like, an answer is not waited for longer than this. */
const LONGEST_ANSWER_MS = 300_000;

interface OrphansOptions {
  readonly database: Database;
  readonly schema: string;
  readonly runner: string;
  readonly logger: Logger;
}

/**
 * Jobs that a living worker has locked and does not have: the database took them for it, and the answer was lost on its way.
 * graphile-worker asks again and gets others; these stay locked, for 4 hours, unless they are released here.
 */
export class Orphans {
  /** Jobs at work; those that have ended until their end is surely recorded. */
  private readonly had = new Map<string, number>();
  /** Twice the longest that an answer may take: later nothing is on its way to us, nor an end to the database. */
  private readonly graceMs: number;

  constructor(private readonly options: OrphansOptions) {
    this.graceMs = 2 * (options.database.direct.options.query_timeout || LONGEST_ANSWER_MS);
  }

  watch(events: WorkerEvents): void {
    events.on('job:start', ({ job }) => this.had.set(job.id, Infinity));
    events.on('job:complete', ({ job }) => this.had.set(job.id, Date.now() + this.graceMs));
  }

  /** They were never begun, so the try does not count; one that was overtaken meanwhile stays known as such (`overtakenTriggers`). */
  async release(worker: string): Promise<void> {
    const { database, schema, runner, logger } = this.options;
    const now = Date.now();
    for (const [id, until] of this.had) if (until < now) this.had.delete(id);
    const released = await database.query<{ id: string }>(
      `WITH orphans AS (
         UPDATE ${schema}._private_jobs SET locked_by = NULL, locked_at = NULL,
           attempts = CASE WHEN attempts > max_attempts THEN attempts ELSE greatest(attempts - 1, 0) END
         WHERE locked_by = $1 AND locked_at < now() - $2 * interval '1 millisecond' AND id <> ALL ($3::bigint[]) RETURNING id)
       SELECT id, ${wakeEverybody(schema)} FROM orphans`,
      [worker, this.graceMs, [...this.had.keys()]],
    );
    if (released.length > 0)
      logger.warn('jobs whose taking was never answered were released', { runner, jobs: released.map(({ id }) => id) });
  }
}
