import { setTimeout as delay } from 'node:timers/promises';
import type { Database } from '@platform/data';
import type { Logger } from '@platform/runtime';
import {
  parseCronItems,
  run,
  type CronItem,
  type Logger as GraphileLogger,
  type Runner,
  type RunnerOptions,
  type TaskList,
} from 'graphile-worker';
import type { Heartbeat } from './heartbeat';

const RESTART_MS = 1_000;
/** Between the abort of running jobs and the moment they are given up. */
const ABORT_MS = 1_000;

export interface RunnerSetup {
  name: string;
  database: Database;
  heartbeat: Heartbeat;
  logger: Logger;
  graphileLogger: GraphileLogger;
  schema: string;
  taskList: TaskList;
  cron: CronItem[];
  concurrency: number;
  pollSeconds: number;
  stopSeconds: number;
}

/** One graphile-worker pool and its life: registered before its first job, started anew when it breaks down, retired at its end. */
export class JobRunner {
  private runner: Runner | undefined;
  private worker: string | undefined;
  private stopping = false;

  constructor(private readonly setup: RunnerSetup) {}

  async start(): Promise<void> {
    const runner = await run(this.options());
    this.runner = runner;
    // A pool that could not record the end of a job shuts itself down, with the job still locked.
    void runner.promise.catch(() => undefined).then(() => this.ended(runner));
  }

  /** Takes nothing new, waits for running jobs, then aborts them; what still runs is freed for others. */
  async stop(): Promise<void> {
    this.stopping = true;
    const { runner, worker } = this;
    if (!runner) return;
    const limit = new AbortController();
    const landed = runner.stop().then(
      () => true,
      () => true,
    );
    const inTime = await Promise.race([
      landed,
      delay(this.setup.stopSeconds * 1000, false, { signal: limit.signal }).catch(() => true),
    ]);
    limit.abort();
    if (!inTime)
      this.setup.logger.warn('jobs still running at the stop were left to others', { runner: this.setup.name });
    if (worker) await this.setup.heartbeat.retire(worker);
  }

  check(): void {
    if (!this.runner) throw new Error(`The job runner ${this.setup.name} is not running: see the log for the reason.`);
  }

  private options(): RunnerOptions {
    const {
      database,
      graphileLogger: logger,
      schema,
      taskList,
      cron,
      concurrency,
      pollSeconds,
      stopSeconds,
      heartbeat,
    } = this.setup;
    const startWorker = async (_: unknown, event: { worker: { workerPool: { id: string } } }): Promise<void> => {
      this.worker = event.worker.workerPool.id; // what locked_by of its jobs says
      await heartbeat.register(this.worker);
    };
    // Without a batch delay graphile-worker 0.17.3 does not await the statement that ends a job: a lost connection is an
    // unhandled rejection then, and the job stays locked by a living worker. With one, the pool shuts itself down.
    const batches = { completeJobBatchDelay: 0, failJobBatchDelay: 0 };
    return {
      pgPool: database.pool,
      schema,
      logger,
      taskList,
      parsedCronItems: parseCronItems(cron),
      concurrency,
      pollInterval: pollSeconds * 1000,
      noHandleSignals: true,
      gracefulShutdownAbortTimeout: Math.max(0, stopSeconds * 1000 - ABORT_MS),
      preset: {
        worker: batches,
        plugins: [{ name: 'heartbeat', version: '1.0.0', worker: { hooks: { startWorker } } }],
      },
    };
  }

  private async ended(runner: Runner): Promise<void> {
    if (this.stopping || this.runner !== runner) return;
    this.runner = undefined;
    const { logger, heartbeat, name } = this.setup;
    logger.error('job runner broke down; it starts anew', { runner: name });
    while (!this.stopping && !this.runner) {
      await delay(RESTART_MS, undefined, { ref: false });
      try {
        if (this.worker) await heartbeat.retire(this.worker);
        if (!this.stopping) await this.start();
      } catch (error) {
        logger.warn('job runner cannot start yet', { runner: name, error: (error as Error).message });
      }
    }
  }
}
