import type { Database, Sql } from '@platform/data';
import type { Component, Effect, Logger, Sends } from '@platform/runtime';
import type { TenantMember } from './job.tenant';

export interface JobContext {
  readonly id: string;
  /** Number of this attempt, from 1. A killed process has spent its attempt. */
  readonly attempt: number;
  readonly maxAttempts: number;
  /** Aborts shortly before `stop` gives up waiting; a task that throws then runs again, here or elsewhere. */
  readonly signal: AbortSignal;
  readonly logger: Logger;
}

/** Does one job. Runs at least once, so it must be idempotent. Throwing makes it run again after e^attempt seconds. */
export type Task<Payload> = (payload: Payload, job: JobContext) => Promise<void>;

/** A planned time of a job; it has the job's effect. */
export interface Cron {
  /** Five fields, UTC: minute, hour, day of month, month, day of week. */
  pattern: string;
  /** The task also finds the planned time in `_cron.ts` of its payload. */
  payload?: Record<string, unknown>;
  /** Runs that were missed while no worker lived, or the task was held, are made up for within this time; 0 by default. */
  backfillSeconds?: number;
}

/** One job: what it does, its effect, and when it runs by itself. */
export interface JobDefinition<Payload> {
  readonly effect: Effect;
  readonly run: Task<Payload>;
  readonly cron?: readonly Cron[];
}

/** `Payloads` names every task and the JSON that it takes. */
export type Tasks<Payloads> = { readonly [Name in keyof Payloads]: JobDefinition<Payloads[Name]> };

export type TaskName<Payloads> = keyof Payloads & string;

/**
 * What happens when a job with the same key already waits: `replace` takes the new payload and time, `preserve_run_at` the
 * new payload but the old time (debounce). `unsafe_dedupe` leaves the old job as it is, even when it is running.
 */
export type KeyMode = 'replace' | 'preserve_run_at' | 'unsafe_dedupe';

export interface JobOptions {
  /** At most one waiting job per key. One that runs is overtaken by the next: it is not tried again, and no dead job when it fails. */
  key?: string;
  mode?: KeyMode;
  /** A moment that was said; now by default. */
  runAt?: Date;
  /** So long from now, by the clock of the database: that of a process may be off, and the job would come as much too late. */
  afterSeconds?: number;
  /** 10 by default: the last attempt then comes about 3.6 h after the first. */
  maxAttempts?: number;
}

/** SQL expressions instead of values, for a statement of the caller; they are put into the text as they are. */
export interface JobExpressions {
  /** Of type json or jsonb. */
  payload: string;
  key?: string;
  mode?: KeyMode;
  runAt?: string;
  maxAttempts?: number;
}

/** Adds jobs; needs no started worker. */
export interface JobQueue<Payloads> {
  /** One statement in the caller's transaction, which waits for no answer (`Sql.later`). The job may run as soon as that commits. */
  enqueue<Name extends TaskName<Payloads>>(
    tx: Sql,
    task: Name,
    payload: Payloads[Name],
    options?: JobOptions,
  ): Promise<void>;
  /** Adds a dead job with its reason: it never runs by itself, is listed among the dead and can be replayed. */
  bury<Name extends TaskName<Payloads>>(tx: Sql, task: Name, payload: Payloads[Name], reason: string): Promise<string>;
  /**
   * The same as `enqueue` as an SQL expression of a composite type, for a statement of the caller: `SELECT (<expression>).id FROM added`.
   * PostgreSQL does not run a WITH query that nothing reads, so use its result.
   */
  expression(task: TaskName<Payloads>, expressions: JobExpressions): string;
}

/**
 * Jobs whose payloads have the same value in the member `by` never have more places than `most`, over all processes. The
 * last quarter of a runner's places is reserved for values that have none.
 */
export interface ShareOptions {
  by: TenantMember;
  most: number;
}

/** Tasks with their own workers, so that long ones never keep short ones waiting. */
export interface RunnerOptions<Payloads> {
  name: string;
  tasks: readonly TaskName<Payloads>[];
  concurrency: number;
  /** So that one tenant's long jobs leave places to the others. A job that waits for its share spends no attempt and holds no place. */
  share?: ShareOptions;
}

export interface JobsOptions<Payloads> {
  database: Database;
  logger: Logger;
  /** For logs; the schema by default. */
  name?: string;
  /** graphile-worker's own schema, for instance `chat_backend_jobs`. */
  schema: string;
  tasks: Tasks<Payloads>;
  /** While they are held, jobs whose effect is `outside` are not taken and their crons do not tick. */
  sends: Sends;
  /** Concurrent jobs of the tasks that no runner names, 5 by default. Free places need no connection. */
  concurrency?: number;
  /** The share of one key in these; jobs without the member are those of one key together. */
  share?: ShareOptions;
  runners?: readonly RunnerOptions<Payloads>[];
  /** A worker beats every 5 s; the jobs of one that was silent for 20 s are freed. */
  heartbeat?: { everySeconds: number; silentSeconds: number };
  /** How soon a job that falls due is noticed, 1 by default; new jobs are noticed at once. */
  pollSeconds?: number;
  /** How long `stop` waits for running jobs, 8 by default. */
  stopSeconds?: number;
}

export interface JobBacklog {
  /** Jobs that are due and not taken by a worker. */
  ready: number;
  /** For how long the oldest of them has been due. */
  oldestSeconds: number;
  /** Jobs that have failed for good; `replay` runs them again. */
  dead: number;
}

export interface DeadJob {
  id: string;
  task: string;
  attempts: number;
  /** Null when every attempt ended with the death of its process. */
  error: string | null;
  key: string | null;
  createdAt: Date;
}

/**
 * Durable jobs: one that was committed with `enqueue` runs at least once or stays as a dead job. LISTEN/NOTIFY starts it at
 * once; a failed attempt is repeated after e^attempt seconds; the jobs of a killed process run again elsewhere. While sends
 * are held a job with an outside effect waits and no attempt is counted; a running one may end, within `stopSeconds`.
 */
export interface Jobs<Payloads> extends JobQueue<Payloads>, Component {
  /** Creates or updates the schema. `start` refuses to run before. Safe to repeat and to call in several processes. */
  migrate(): Promise<void>;
  /** What `migrate` would do; empty when the schema is up to date. */
  pending(): Promise<string[]>;
  backlog(): Promise<JobBacklog>;
  /** Newest first. */
  dead(limit?: number): Promise<DeadJob[]>;
  /** Runs a dead job again with fresh attempts. False when it is not dead. */
  replay(id: string): Promise<boolean>;
}
