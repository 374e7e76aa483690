import { EventEmitter } from 'node:events';
import type { WorkerEvents, WorkerPool } from 'graphile-worker';

/** How many free workers look for jobs; more would query the database for nothing. */
const LOOKOUTS = 4;

/**
 * Lets few of a pool's free workers look for jobs: each place of a graphile-worker pool queries the database on its own, so two
 * hundred free places would query two hundred times at the start and at every poll. The others wait here, at no cost. Whoever
 * finds a job sends the next one to look, so that all places fill up as long as there are jobs.
 */
export class Lookout {
  /** Passed to the pool, which emits what its workers do. */
  readonly events: WorkerEvents = new EventEmitter();
  /** Free workers that look, or sleep until they look again. */
  private looking = 0;
  private readonly waiting: (() => void)[] = [];
  /** Set when a worker was just created or has finished a job and is about to look; any other already has its turn. */
  private newcomer = false;
  private closed = false;
  private pool: WorkerPool | undefined;

  constructor() {
    this.events.once('pool:create', ({ workerPool }) => (this.pool = workerPool));
    this.events.on('worker:create', () => (this.newcomer = true));
    this.events.on('job:complete', () => (this.newcomer = true));
    this.events.on('job:start', () => this.leave());
    this.events.on('worker:release', () => this.close());
  }

  /** Undefined: look now. Workers call it before they look, in the same tick as the event that made them free. */
  turn(): Promise<void> | undefined {
    const { newcomer } = this;
    this.newcomer = false;
    if (!newcomer || this.closed) return undefined;
    if (this.looking >= LOOKOUTS) return new Promise((resolve) => this.waiting.push(resolve));
    this.looking += 1;
    return undefined;
  }

  /** Jobs that nobody was to take may be taken now: who sleeps until its next look does not know. */
  wake(): void {
    if (!this.closed) this.pool?.nudge(1);
  }

  private leave(): void {
    const next = this.waiting.shift();
    if (next) next();
    else this.looking -= 1;
  }

  /** Lets everybody look, because a pool that ends waits for all its workers. */
  private close(): void {
    this.closed = true;
    for (const next of this.waiting.splice(0)) next();
  }
}
