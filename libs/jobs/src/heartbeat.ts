import type { Database } from '@platform/data';
import type { Logger } from '@platform/runtime';
import { releaseOrphans, type JobsHeld } from './job.orphans';
import { wakeEverybody } from './job.wakeups';

/** Rows of workers that ended without retiring are kept this long, for inspection. */
const FORGET_AFTER = '1 hour';

export interface HeartbeatOptions {
  database: Database;
  logger: Logger;
  schema: string;
  everySeconds: number;
  silentSeconds: number;
}

/** Workers that retire together. */
interface Leave {
  readonly workers: string[];
  readonly done: Promise<void>;
}

/**
 * graphile-worker leaves the jobs of a killed worker locked for 4 hours. Every living worker has a row here, renewed every
 * few seconds; whoever beats also frees jobs that were locked a while ago by a worker without a fresh row, and those that its own do not know of.
 */
export class Heartbeat {
  /** With the jobs that each of them knows of. */
  private readonly workers = new Map<string, Pick<JobsHeld, 'runner' | 'ids'>>();
  private leaving: Leave | undefined;
  private lastLeave: Promise<void> = Promise.resolve();
  private timer: NodeJS.Timeout | undefined;
  private beating: Promise<void> | undefined;
  private lastBeat = 0;

  constructor(private readonly options: HeartbeatOptions) {}

  start(): void {
    this.lastBeat = Date.now();
    this.timer = setInterval(() => this.tick(), this.options.everySeconds * 1000);
  }

  async stop(): Promise<void> {
    clearInterval(this.timer);
    await this.beating;
  }

  /** To be awaited before the worker takes its first job. */
  async register(worker: string, held: Pick<JobsHeld, 'runner' | 'ids'>): Promise<void> {
    this.workers.set(worker, held);
    await this.renew();
  }

  /** The worker has ended: releases whatever it still has locked. Those that end together do so in one statement, on one session. */
  retire(worker: string): Promise<void> {
    this.workers.delete(worker);
    const { workers, done } = (this.leaving ??= this.nextLeave());
    workers.push(worker);
    return done;
  }

  /** Takes in who leaves until the one before is over. */
  private nextLeave(): Leave {
    const workers: string[] = [];
    const { schema } = this.options;
    const first = `retired AS (DELETE FROM ${schema}.worker_heartbeat WHERE worker = ANY ($1::text[])),`;
    const done = this.lastLeave.then(() => {
      this.leaving = undefined;
      return this.unlock(first, workers);
    });
    this.lastLeave = done.catch(() => undefined);
    return { workers, done };
  }

  check(): void {
    const silent = (Date.now() - this.lastBeat) / 1000;
    if (silent > this.options.silentSeconds)
      throw new Error(
        `The job workers have not reached the database for ${Math.round(silent)} s: see the log for the reason.`,
      );
  }

  private tick(): void {
    this.beating ??= this.beat()
      .catch((error: Error) =>
        this.options.logger.warn('job workers could not renew their heartbeat', { error: error.message }),
      )
      .finally(() => (this.beating = undefined));
  }

  private async beat(): Promise<void> {
    const gap = Date.now() - this.lastBeat;
    await this.renew();
    // After an interruption of this process or of the database, others may not have had time to beat either.
    if (gap >= (this.options.silentSeconds * 1000) / 2) return;
    await this.freeSilent();
    await releaseOrphans(this.options, this.workers);
  }

  private async renew(): Promise<void> {
    const { database, schema } = this.options;
    await database.query(
      `INSERT INTO ${schema}.worker_heartbeat (worker, seen_at) SELECT worker, now() FROM unnest($1::text[]) worker ORDER BY worker
       ON CONFLICT (worker) DO UPDATE SET seen_at = excluded.seen_at`,
      [[...this.workers.keys()]],
    );
    this.lastBeat = Date.now();
  }

  private async freeSilent(): Promise<void> {
    const { database, logger, schema, silentSeconds } = this.options;
    const silent = await database.query<{ worker: string }>(
      `WITH forgotten AS (DELETE FROM ${schema}.worker_heartbeat WHERE seen_at < now() - interval '${FORGET_AFTER}')
       SELECT DISTINCT j.locked_by AS worker FROM ${schema}.jobs j
       WHERE j.locked_at < now() - $1 * interval '1 second' AND NOT EXISTS (
         SELECT 1 FROM ${schema}.worker_heartbeat h WHERE h.worker = j.locked_by AND h.seen_at > now() - $1 * interval '1 second')`,
      [silentSeconds],
    );
    if (silent.length === 0) return;
    const workers = silent.map(({ worker }) => worker);
    await this.unlock('', workers);
    logger.warn('jobs of silent workers released', { workers });
  }

  /**
   * What has nothing locked, as nearly each that ends, wakes nobody. Jobs get a new id, so that a worker that only hung, and ends its
   * job after all, ends nothing that was made of it meanwhile: graphile-worker's end of a job asks for nothing but the id.
   */
  private async unlock(first: string, workers: string[]): Promise<void> {
    const { database, schema } = this.options;
    const free = 'locked_at = NULL, locked_by = NULL WHERE locked_by = ANY ($1::text[]) RETURNING id';
    await database.query(
      `WITH ${first} freed AS (UPDATE ${schema}._private_jobs SET id = DEFAULT, ${free}),
         queues AS (UPDATE ${schema}._private_job_queues SET ${free})
       SELECT ${wakeEverybody(schema)} WHERE EXISTS (SELECT FROM freed) OR EXISTS (SELECT FROM queues)`,
      [workers],
    );
  }
}
