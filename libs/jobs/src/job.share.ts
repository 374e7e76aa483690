import type { Database } from '@platform/data';
import { Mutex, SharedPlaces, type SharedPlacesOptions } from '@platform/runtime';
import type { Job } from 'graphile-worker';
import { putBack } from './job.ledger';
import type { ShareOptions } from './jobs.types';

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

type SharedJob = Pick<Job, 'id' | 'locked_by' | 'payload'>;

/** The share of a runner's places that one key may have, counted over all processes that have this runner: every begin is recorded under a lock. */
export class Share {
  private readonly running: SharedPlaces;
  private readonly passedOver = new Map<string, number>();
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
    return [...new Set([...this.running.full(), ...this.passedOver.keys()])];
  }

  /** Does the work when the key has a place left. False: it has none, and the job was returned with a flag that graphile-worker skips. */
  async run(job: SharedJob, work: () => Promise<void>): Promise<boolean> {
    const { runner, by } = this.options;
    const flag = `share ${runner} ${String((job.payload as Record<string, unknown>)[by])}`;
    const before = this.running.heldBy(flag);
    const leave = this.running.take(flag);
    try {
      if (!leave || !(await this.entered(job, flag, before))) {
        await putBack(this.database, this.schema, job, flag);
        return false;
      }
      await work();
      this.passedOver.delete(flag);
      return true;
    } finally {
      leave?.();
    }
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
