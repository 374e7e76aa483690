import { setTimeout as delay } from 'node:timers/promises';
import type { Database } from '@platform/data';
import type { Effect, Logger, Sends } from '@platform/runtime';
import {
  parseCronItems,
  run,
  type CronItem,
  type Logger as GraphileLogger,
  type Runner,
  type RunnerOptions,
  type Task,
} from 'graphile-worker';
import { PutBack } from './graphile.logger';
import type { Heartbeat } from './heartbeat';
import { addAtOnce, recallCron, watchClock } from './job.cron';
import { putBack } from './job.ledger';
import { Lookout } from './job.lookout';
import { JobsHeld } from './job.orphans';
import { Reach } from './job.reach';
import { PASS_OVER_MS, Share } from './job.share';
import type { Sleeper } from './job.wakeups';
import type { ShareOptions } from './jobs.types';

const RESTART_MS = 1_000;
/** Between the abort of running jobs and the moment they are given up. */
const ABORT_MS = 1_000;

export interface RunnerTask {
  readonly name: string;
  readonly effect: Effect;
  readonly run: Task;
  readonly cron: readonly CronItem[];
}

export interface RunnerSetup {
  name: string;
  database: Database;
  heartbeat: Heartbeat;
  logger: Logger;
  graphileLogger: GraphileLogger;
  schema: string;
  tasks: readonly RunnerTask[];
  sends: Sends;
  concurrency: number;
  share?: ShareOptions;
  pollSeconds: number;
  stopSeconds: number;
}

/**
 * Resolves when the pool has ended. graphile-worker 0.17.3 miscounts its batches after one has failed: with other jobs
 * running at that moment its own promise never settles, although it has shut itself down.
 */
const over = ({ promise, events }: Runner): Promise<void> => {
  const shutDown = new Promise<void>((resolve) => {
    events.once('pool:gracefulShutdown:complete', () => resolve());
    events.once('pool:gracefulShutdown:error', () => resolve());
  });
  return Promise.race([promise.catch(() => undefined), shutDown]);
};

/**
 * The pool for graphile-worker, which would keep a session of it for each runner to listen on (`Wakeups` has one for all): who asks
 * for a connection with a callback is about to do so, and is never called. All else asks for promises.
 */
const withoutListening = (pool: Database['direct']): Database['direct'] =>
  Object.create(pool, {
    connect: { value: (toListen?: unknown) => (toListen === undefined ? pool.connect() : undefined) },
    query: { value: pool.query.bind(pool) },
  }) as Database['direct'];

/**
 * One graphile-worker pool and its life cycle: registered before its first job, restarted when it breaks down, retired at its
 * end. The pool knows only the tasks that sends allow, so it does not touch held jobs; without any task there is no pool.
 * Jobs that it had already taken when sends were held are returned untouched.
 */
export class JobRunner implements Sleeper {
  private runner: Runner | undefined;
  /** Of the pool, if there is one. */
  private lookout: Lookout | undefined;
  private worker: string | undefined;
  /** Registered with the heartbeat: once for all places of a pool, and always before it is retired. */
  private registered: Promise<void> = Promise.resolve();
  private changes: Promise<void> = Promise.resolve();
  private changing = false;
  /** Whether the pool, if any, takes jobs with outside effects. */
  private outward: boolean | undefined;
  private unwatch = (): void => undefined;
  private readonly ending = new AbortController();
  private readonly share: Share | undefined;
  private readonly reach: Reach;

  constructor(private readonly setup: RunnerSetup) {
    const { name, database, logger, schema, share, concurrency: places } = setup;
    this.reach = new Reach(name, logger);
    this.share = share && new Share(database, schema, { ...share, places, runner: name });
  }

  async start(): Promise<void> {
    const opening = this.open();
    this.changes = opening.catch(() => undefined);
    this.unwatch = this.setup.sends.watch(() => this.change());
    await opening;
  }

  private async open(): Promise<void> {
    const tasks = this.allowed();
    this.outward = this.setup.sends.allows('outside');
    if (tasks.length === 0) return;
    if (tasks.some(({ cron }) => cron.length > 0)) await recallCron(this.setup.database, this.setup.schema);
    const lookout = (this.lookout = new Lookout({ avoided: this.share, pollMs: this.setup.pollSeconds * 1000 }));
    this.attend(lookout);
    const shut = new Promise<void>((resolve) => lookout.events.once('pool:gracefulShutdown', () => resolve()));
    const runner = await run(this.options(tasks, lookout));
    const ended = over(runner);
    await this.registered.catch(() => undefined); // the places hear of it too, and end the pool
    this.runner = runner;
    // A pool that could not record the end of a job shuts itself down, with the job still locked.
    void shut.then(() => this.brokeDown(runner, ended));
  }

  /** Takes no new job, waits for running ones, then aborts them; jobs that still run are released to others. */
  async stop(): Promise<void> {
    this.ending.abort();
    this.unwatch();
    await this.changes;
    await this.halt();
  }

  does(task: string): boolean {
    return this.setup.tasks.some(({ name }) => name === task);
  }

  wake(): void {
    this.lookout?.wake();
  }

  check(): void {
    if (!this.runner && !this.changing && this.allowed().length > 0)
      throw new Error(`The job runner ${this.setup.name} is not running: see the log for the reason.`);
    this.reach.check();
  }

  /** Sends were held or released: tasks that are no longer allowed end as at a stop, those that are allowed again begin. */
  private change(): void {
    const { tasks, sends, logger, name } = this.setup;
    if (tasks.every(({ effect }) => effect === 'inside')) return;
    this.inTurn(async () => {
      if (this.outward === sends.allows('outside')) return;
      this.changing = true;
      await this.halt().catch((error: Error) =>
        logger.warn('job runner could not free its jobs yet', { runner: name, error: error.message }),
      );
      this.changing = false;
      await this.revive();
    });
  }

  private allowed(): RunnerTask[] {
    return this.setup.tasks.filter(({ effect }) => this.setup.sends.allows(effect));
  }

  private inTurn(work: () => Promise<void>): void {
    this.changes = this.changes.then(() => (this.ending.signal.aborted ? undefined : work()));
  }

  private async halt(): Promise<void> {
    const { runner } = this;
    this.runner = undefined;
    if (runner) await this.landed(runner.stop());
    await this.retire();
  }

  /** Waits for running jobs as long as a stop does, whether the pool's end is known then or not. */
  private async landed(end: Promise<void>): Promise<void> {
    const { name, stopSeconds, logger } = this.setup;
    const limit = new AbortController();
    const inTime = await Promise.race([
      end.then(
        () => true,
        () => true,
      ),
      delay(stopSeconds * 1000, false, { signal: limit.signal }).catch(() => true),
    ]);
    limit.abort();
    if (!inTime) logger.warn('jobs still running at the stop were released to others', { runner: name });
  }

  private async retire(): Promise<void> {
    if (this.worker === undefined) return;
    await this.setup.heartbeat.retire(this.worker);
    this.worker = undefined;
  }

  /** Hears what the pool to come does, and registers it. */
  private attend(lookout: Lookout): void {
    const { events } = lookout;
    const { name, database, heartbeat, logger } = this.setup;
    const held = new JobsHeld(name, database);
    this.reach.watch(events);
    held.watch(events);
    addAtOnce(events);
    watchClock(events, logger);
    events.once('pool:create', ({ workerPool }) => {
      this.worker = workerPool.id; // the value of locked_by of its jobs
      this.registered = heartbeat.register(workerPool.id, held);
      this.registered.catch(() => undefined);
    });
  }

  private options(tasks: readonly RunnerTask[], lookout: Lookout): RunnerOptions {
    const { database, graphileLogger: logger, schema, concurrency, pollSeconds, stopSeconds } = this.setup;
    // Without a batch delay graphile-worker 0.17.3 does not await the statement that ends a job: a lost connection is an
    // unhandled rejection then, and the job stays locked by a living worker. With one, the pool shuts itself down.
    const batches = { completeJobBatchDelay: 0, failJobBatchDelay: 0 };
    const startWorker = (): Promise<void> => this.registered;
    return {
      pgPool: withoutListening(database.direct),
      schema,
      logger,
      taskList: Object.fromEntries(tasks.map((task) => [task.name, this.gated(task, lookout)])),
      parsedCronItems: parseCronItems(tasks.flatMap(({ cron }) => cron)),
      concurrency,
      events: lookout.events,
      forbiddenFlags: () => lookout.turn(),
      pollInterval: pollSeconds * 1000,
      noHandleSignals: true,
      gracefulShutdownAbortTimeout: Math.max(0, stopSeconds * 1000 - ABORT_MS),
      preset: {
        worker: batches,
        plugins: [{ name: 'heartbeat', version: '1.0.0', worker: { hooks: { startWorker } } }],
      },
    };
  }

  /** A worker may be taking a job at the instant of a hold: asked again where nothing lies between the answer and the job. */
  private gated({ effect, run: task }: RunnerTask, lookout: Lookout): Task {
    const { sends, database, schema } = this.setup;
    const shared = this.shared(task, lookout);
    if (effect === 'inside') return shared;
    return async (payload, helpers) => {
      if (sends.allows(effect)) return shared(payload, helpers);
      await putBack(database, schema, helpers.job);
      throw new PutBack('sends are held');
    };
  }

  private shared(task: Task, lookout: Lookout): Task {
    const { share } = this;
    if (!share) return task;
    return async (payload, helpers) => {
      const work = async () => void (await task(payload, helpers));
      // Its place may be another's of the same key, and who has found nothing sleeps
      const done = await share.run(helpers.job, work).finally(() => lookout.ease());
      if (done) return;
      lookout.wake();
      // A place that another process frees for its key wakes nobody here
      setTimeout(() => lookout.wake(), PASS_OVER_MS).unref();
      throw new PutBack('others with its key have their share');
    };
  }

  /** It takes no job from now on; how long those that it has may still run is the same as at a stop. */
  private brokeDown(runner: Runner, ended: Promise<void>): void {
    if (this.runner !== runner) return;
    this.runner = undefined;
    void runner.stop().catch(() => undefined); // or its cron would go on
    this.setup.logger.error('job runner broke down; it restarts', { runner: this.setup.name });
    this.inTurn(async () => {
      await this.landed(ended);
      await this.pause();
      await this.revive();
    });
  }

  /** Retries until there is a pool again, or none is needed. */
  private async revive(): Promise<void> {
    const { logger, name } = this.setup;
    while (!this.ending.signal.aborted && !this.runner && this.allowed().length > 0) {
      try {
        await this.retire();
        await this.open();
      } catch (error) {
        logger.warn('job runner cannot start yet', { runner: name, error: (error as Error).message });
        await this.pause();
      }
    }
  }

  private pause(): Promise<void> {
    return delay(RESTART_MS, undefined, { ref: false, signal: this.ending.signal }).catch(() => undefined);
  }
}
