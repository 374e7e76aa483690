import type { Database } from '@platform/data';
import { Mutex, SharedPlaces, type SharedPlacesOptions } from '@platform/runtime';
import type { Job } from 'graphile-worker';
import { putBack } from './job.ledger';
import { tenantFlag } from './job.tenant';
import type { ShareOptions } from './jobs.types';

/** After so many begins of others a key that had its turn may have another one, even while there are some that had none. */
const LONGEST_ROUND = 1_000;

/** So long a key goes on that had the last round for itself: to see after each job that nobody else waits costs more than the job. */
const TURN_MS = 100;

/**
 * To pass over long backlogs of many keys is dear: each of their jobs is compared with each flag. After a look that took so long jobs are taken
 * by their age for as long as it took, whoever rests; after one that took the longer time a new round begins, too.
 */
const DEAR_LOOK_MS = 10;
const LONGEST_LOOK_MS = 100;

/** How long a key whose share is used by other processes is skipped here before it is checked again. */
export const PASS_OVER_MS = 1_000;

/**
 * Notes that a job begins, when its key has a place left. `begun` names the lock under which it runs: of a killed process it
 * means nothing any more. Of our own worker we know better than the table, which still has jobs whose end is on its way.
 * A function, so that the count sees what was committed before the lock was had. A server that crashes may forget the note: then
 * it has ended what the note is to limit, or a key has a place too much until that ends. Counted in an index of jobs that run: without
 * it each begin would read whatever waits.
 */
export const beginsFunction = (schema: string): string => `
  CREATE OR REPLACE FUNCTION ${schema}.begins(job bigint, worker text, flag text, most integer, here integer) RETURNS boolean LANGUAGE plpgsql AS $$ BEGIN
    PERFORM set_config('synchronous_commit', 'off', true), pg_advisory_xact_lock(hashtextextended('${schema} ' || flag, 0));
    UPDATE ${schema}._private_jobs j SET flags = coalesce(j.flags, '{}') || jsonb_build_object(flag, true, 'begun', extract(epoch FROM j.locked_at))
    WHERE j.id = job AND j.locked_by = worker AND most > here + (
      SELECT count(*) FROM ${schema}._private_jobs o
      WHERE o.locked_by <> worker AND o.flags ? flag AND o.flags->'begun' = to_jsonb(extract(epoch FROM o.locked_at)));
    RETURN FOUND;
  END $$;
  CREATE INDEX running ON ${schema}._private_jobs (locked_by) WHERE locked_by IS NOT NULL`;

type SharedJob = Pick<Job, 'id' | 'locked_by' | 'key' | 'payload'>;

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
  /**
   * Of these another job was seen, until nobody waits. Only they are passed over while they rest: each flag costs with every job that is looked
   * through, and of a thousand keys that rest most have no other job.
   */
  private readonly waiting = new Set<string>();
  /** Who had the last round for itself, and until when it goes on. */
  private alone: { readonly key: string; readonly until: number } | undefined;
  private begins = 0;
  /** Until when nobody rests, because it is dear to pass them over. */
  private byAgeUntil = -Infinity;
  /** Whether the last look began before that: the job that it found begins in the same tick. */
  private foundByAge = false;
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
    const now = performance.now();
    for (const [key, until] of this.passedOver) if (until <= now) this.passedOver.delete(key);
    for (const [key, until] of this.resting) if (until <= this.begins) this.resting.delete(key);
    const keys = new Set([...this.running.full(), ...this.passedOver.keys(), ...this.heldBack()]);
    return [...keys].map((key) => tenantFlag(this.options.by, key));
  }

  /** How long a look took that passed over `full`. One that began by age passed over nobody who rests: it was dear for another reason. */
  looked(ms: number): void {
    const now = performance.now();
    this.foundByAge = now - ms < this.byAgeUntil;
    if (ms < DEAR_LOOK_MS || this.foundByAge || this.heldBack().length === 0) return;
    this.byAgeUntil = now + ms;
    if (ms >= LONGEST_LOOK_MS) this.resting.clear();
  }

  /** Nobody waits but who rests, if anybody does: true when somebody may have a turn now who rested. */
  nextRound(): boolean {
    if (this.full().length === 0) this.waiting.clear();
    const [key, ...others] = this.heldBack();
    this.resting.clear();
    this.alone = key !== undefined && others.length === 0 ? { key, until: performance.now() + TURN_MS } : undefined;
    return key !== undefined;
  }

  /** Does the work when the key has a place left. False: it has none, and the job was returned with a flag that graphile-worker skips. */
  async run(job: SharedJob, work: () => Promise<void>): Promise<boolean> {
    const key = this.keyOf(job);
    const before = this.running.heldBy(key);
    const rests = this.resting.has(key);
    // Of whoever is served by age it is seen, too, that more of its jobs wait: or it would have the turns that follow as well
    if (rests) this.waiting.add(key);
    const leave = rests && !this.isByAge() && !this.foundByAge ? undefined : this.running.take(key);
    try {
      if (!leave || !(await this.entered(job, key, before))) {
        this.waiting.add(key);
        // With the flag that it lacks when an older release has added it, or when it has no tenant
        await putBack(this.database, this.schema, job, tenantFlag(this.options.by, key));
        return false;
      }
      await this.turn(key, work);
      return true;
    } finally {
      leave?.();
    }
  }

  private async turn(key: string, work: () => Promise<void>): Promise<void> {
    this.begins += 1;
    if (this.alone?.key !== key) this.alone = undefined;
    try {
      await work();
      this.passedOver.delete(key);
    } finally {
      if (!this.goesOn(key)) this.resting.set(key, this.begins + LONGEST_ROUND);
    }
  }

  /** Who rests while more of its jobs wait. */
  private heldBack(): string[] {
    return this.isByAge() ? [] : [...this.resting.keys()].filter((key) => this.waiting.has(key));
  }

  private isByAge(): boolean {
    return performance.now() < this.byAgeUntil;
  }

  private goesOn(key: string): boolean {
    return this.alone?.key === key && performance.now() < this.alone.until;
  }

  private keyOf({ payload }: SharedJob): string {
    return String((payload as Record<string, unknown>)[this.options.by]);
  }

  /** Of jobs that have begun. */
  private flagOf(key: string): string {
    return `share ${this.options.runner} ${key}`;
  }

  private async entered({ id, locked_by }: SharedJob, key: string, before: number): Promise<boolean> {
    const { database, schema } = this;
    const begins = `SELECT ${schema}.begins($1, $2, $3, $4, $5) AS begins`;
    const values = [id, locked_by, this.flagOf(key), this.options.most, before];
    const rows = await this.entries.run(() =>
      database.prepared<{ begins: boolean }>(`${schema} begins`, begins, values),
    );
    if (rows[0]?.begins) return true;
    this.passedOver.set(key, performance.now() + PASS_OVER_MS);
    return false;
  }
}
