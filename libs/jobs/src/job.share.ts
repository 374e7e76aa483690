import type { Database } from '@platform/data';
import { Mutex, SharedPlaces, type SharedPlacesOptions } from '@platform/runtime';
import type { Job } from 'graphile-worker';
import { putBack } from './job.ledger';
import type { ShareOptions } from './jobs.types';

/** After so many begins of others a key that had its turn may have another one, even while there are some that had none. */
const LONGEST_ROUND = 1_000;

/** How long a key whose share is used by other processes is skipped here before it is checked again. */
export const PASS_OVER_MS = 1_000;

/**
 * Notes that a job begins, when its key has a place left. `begun` names the lock under which it runs: of a killed process it
 * means nothing any more. Of our own worker we know better than the table, which still has jobs whose end is on its way.
 * $1 job  $2 worker  $3 flag  $4 most  $5 of it, running here
 */
const enter = (schema: string): string => `
  UPDATE ${schema}._private_jobs SET flags = jsonb_build_object($3::text, true, 'begun', extract(epoch FROM locked_at))
  WHERE id = $1 AND locked_by = $2 AND $4 > $5 + (
    SELECT count(*) FROM ${schema}._private_jobs
    WHERE locked_by <> $2 AND flags ? $3 AND flags->'begun' = to_jsonb(extract(epoch FROM locked_at)))
  RETURNING id`;

/**
 * Further waiting jobs of a key get its flag too, which graphile-worker skips while the key is not to have a place: of a long backlog
 * each job would be taken once just to be returned.
 * $1 task  $2 member  $3 key  $4 flag
 */
const flagged = (schema: string): string => `
  UPDATE ${schema}._private_jobs SET flags = jsonb_build_object($4::text, true) WHERE id IN (
    SELECT id FROM ${schema}._private_jobs WHERE task_id = (SELECT id FROM ${schema}._private_tasks WHERE identifier = $1)
      AND locked_at IS NULL AND flags IS NULL AND payload->>$2 IS NOT DISTINCT FROM $3 ORDER BY priority, run_at LIMIT 1000 FOR UPDATE SKIP LOCKED)`;

type SharedJob = Pick<Job, 'id' | 'locked_by' | 'key' | 'payload' | 'task_identifier'>;

/**
 * The share of a runner's places that one key may have, counted over all processes that have this runner: every begin is recorded under a
 * lock. Keys take turns in a process: one whose job has ended rests until nobody else waits, so that some with a long backlog do not
 * keep everybody else waiting behind it.
 */
export class Share {
  private readonly running: SharedPlaces;
  private readonly passedOver = new Map<string, number>();
  /** Keys that had their turn, with the number of begins until which they rest. */
  private readonly resting = new Map<string, number>();
  private begins = 0;
  /** One connection at a time, or waiters for the lock of a busy key would take them all. */
  private readonly entries = new Mutex();

  constructor(
    private readonly database: Database,
    private readonly schema: string,
    private readonly options: ShareOptions & SharedPlacesOptions & { readonly runner: string },
  ) {
    this.running = new SharedPlaces(options);
  }

  /** Flags of keys that have their share: jobs that carry one must not be taken. */
  full(): string[] {
    const now = Date.now();
    for (const [flag, until] of this.passedOver) if (until <= now) this.passedOver.delete(flag);
    for (const [flag, until] of this.resting) if (until <= this.begins) this.resting.delete(flag);
    return [...new Set([...this.running.full(), ...this.passedOver.keys(), ...this.resting.keys()])];
  }

  /** Nobody waits but who rests, if anybody does: true when somebody may have a turn now who rested. */
  nextRound(): boolean {
    const isOver = this.resting.size > 0;
    this.resting.clear();
    return isOver;
  }

  /** Does the work when the key has a place left. False: it has none, and the job was returned with a flag that graphile-worker skips. */
  async run(job: SharedJob, work: () => Promise<void>): Promise<boolean> {
    const flag = `share ${this.options.runner} ${String(this.keyOf(job))}`;
    const before = this.running.heldBy(flag);
    const leave = this.resting.has(flag) ? undefined : this.running.take(flag);
    try {
      if (!leave || !(await this.entered(job, flag, before))) {
        await this.returned(job, flag);
        return false;
      }
      await this.turn(flag, work);
      return true;
    } finally {
      leave?.();
    }
  }

  private async turn(flag: string, work: () => Promise<void>): Promise<void> {
    this.begins += 1;
    try {
      await work();
      this.passedOver.delete(flag);
    } finally {
      this.resting.set(flag, this.begins + LONGEST_ROUND);
    }
  }

  private keyOf({ payload }: SharedJob): unknown {
    return (payload as Record<string, unknown>)[this.options.by];
  }

  private async returned(job: SharedJob, flag: string): Promise<void> {
    const { database, schema, options } = this;
    await putBack(database, schema, job, flag);
    const key = this.keyOf(job);
    await database.query(flagged(schema), [job.task_identifier, options.by, key == null ? null : String(key), flag]);
  }

  private async entered({ id, locked_by }: SharedJob, flag: string, before: number): Promise<boolean> {
    const { database, schema } = this;
    const rows = await this.entries.run(() =>
      database.tx(async (tx) => {
        await tx.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [`${schema} ${flag}`]);
        return tx.query(enter(schema), [id, locked_by, flag, this.options.most, before]);
      }),
    );
    if (rows.length > 0) return true;
    this.passedOver.set(flag, Date.now() + PASS_OVER_MS);
    return false;
  }
}
