import { outage, type Logger, type Outage } from '@platform/runtime';
import type { WorkerEvents } from 'graphile-worker';

/** After this long without one successful look a runner counts as not working. */
const STALE_MS = 10_000;

/**
 * Whether the free places of a runner reach their jobs. graphile-worker looks again when a look has failed and tells only who
 * debugs it. A pool whose first look failed is ended here, for another one to begin: graphile-worker 0.17.3 keeps the numbers of
 * its tasks for good, and so the failure to read them, and never takes a job.
 */
export class Reach {
  private readonly outage: Outage;
  private failingSince: number | undefined;

  constructor(
    private readonly runner: string,
    logger: Logger,
  ) {
    const texts = { failed: 'a job runner cannot take jobs', answered: 'the job runner takes jobs again' };
    this.outage = outage(texts, logger);
  }

  /** Hears of a pool what its places see, until it ends. */
  watch(events: WorkerEvents): void {
    let [hasLooked, isOver, isUseless] = [false, false, false];
    const looked = () => {
      if (isOver) return; // a pool that ends looks no more, and calls that having found nothing
      hasLooked = true;
      this.failingSince = undefined;
      this.outage.answered();
    };
    events.once('pool:gracefulShutdown', () => (isOver = true));
    events.on('worker:getJob:empty', looked);
    events.on('job:start', looked);
    events.on('worker:getJob:error', ({ error, worker }) => {
      if (isOver) return;
      this.failingSince ??= Date.now();
      this.outage.failed({ runner: this.runner, error: (error as Error).message });
      if (hasLooked || isUseless) return;
      isUseless = true;
      // The places that failed with it are at rest by then; one that fails after the end is told on stderr
      setImmediate(() => void worker.workerPool.gracefulShutdown());
    });
  }

  check(): void {
    if (this.failingSince !== undefined && Date.now() - this.failingSince > STALE_MS)
      throw new Error(`The job runner ${this.runner} cannot take jobs: see the log for the reason.`);
  }
}
