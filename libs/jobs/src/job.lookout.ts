import { EventEmitter } from 'node:events';
import type { WorkerEvents, WorkerPool } from 'graphile-worker';

/** How many free workers look for jobs; more would query the database for nothing. */
const LOOKOUTS = 4;

/** A look follows so soon on one that failed: graphile-worker's own would come with the next poll, and where one looks at a time nobody else does. */
const AGAIN_MS = 1_000;

/** What of the jobs must not be taken. */
export interface Avoided {
  /** Flags of jobs that must not be taken now. */
  full(): string[];
  /** So long a look took that passed over them. */
  looked(ms: number): void;
  /** Nothing else waits: true when there is less to pass over now. */
  nextRound(): boolean;
}

export interface LookoutOptions {
  /** With it one looks at a time, or others would take what it has just taken the last place for. */
  readonly avoided?: Avoided | undefined;
  /** So often it is looked for jobs of which nobody told. */
  readonly pollMs: number;
}

interface Look {
  readonly avoided: readonly string[];
  /** What had been told until it began. */
  readonly told: number;
  readonly at: number;
}

/**
 * Lets few of a pool's free workers look for jobs: each place of a graphile-worker pool queries the database on its own, so two
 * hundred free places would query two hundred times at the start and at every poll. The others wait here, at no cost. Whoever
 * finds a job sends the next one to look, so that all places fill up as long as there are jobs. Where some jobs must not be taken
 * nobody looks a second time through the same backlog: not before there is news, or less to pass over.
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
  private told = 0;
  private look: Look | undefined;
  /** The last one, when it found nothing. */
  private vain: Look | undefined;
  private readonly sleepers = new Set<() => void>();

  constructor(private readonly options: LookoutOptions) {
    this.events.once('pool:create', ({ workerPool }) => (this.pool = workerPool));
    this.events.on('worker:create', () => (this.newcomer = true));
    this.events.on('job:complete', () => (this.newcomer = true));
    this.events.on('job:start', () => this.leave());
    this.events.on('worker:getJob:empty', () => this.foundNothing());
    this.events.on('worker:getJob:error', () => setTimeout(() => this.ease(), AGAIN_MS).unref());
    this.events.on('worker:release', () => this.close());
  }

  /** Resolves, when it is the worker's turn, to the flags that it must pass over. Called in the same tick as the event that made it free. */
  async turn(): Promise<string[]> {
    await this.ownTurn();
    const { avoided } = this.options;
    if (!avoided) return [];
    for (;;) {
      const flags = avoided.full();
      const vainFor = this.vainFor(flags);
      if (this.closed || vainFor <= 0) {
        this.look = { avoided: flags, told: this.told, at: performance.now() };
        return flags;
      }
      if (!avoided.nextRound()) await this.sleep(vainFor);
    }
  }

  /** There may be another job. */
  wake(): void {
    this.told += 1;
    this.ease();
  }

  /** Jobs that nobody was to take may be taken now: who sleeps until its next look does not know. */
  ease(): void {
    if (this.closed) return;
    this.stir();
    this.pool?.nudge(1);
  }

  private foundNothing(): void {
    this.vain = this.look;
    if (this.options.avoided?.nextRound()) this.ease();
  }

  private ownTurn(): Promise<void> | undefined {
    const { newcomer } = this;
    this.newcomer = false;
    if (!newcomer || this.closed) return undefined;
    if (this.looking >= (this.options.avoided ? 1 : LOOKOUTS))
      return new Promise((resolve) => this.waiting.push(resolve));
    this.looking += 1;
    return undefined;
  }

  /** For so many milliseconds a look that passes over these flags would find as little as the last one. */
  private vainFor(flags: readonly string[]): number {
    const { vain, told, options } = this;
    const isSame = vain?.told === told && vain.avoided.every((flag) => flags.includes(flag));
    return isSame ? vain.at + options.pollMs - performance.now() : 0;
  }

  /** Resolves after so many milliseconds, or with the next news. An `AbortSignal` would cost each job more than its look. */
  private sleep(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const wakeUp = (): void => {
        clearTimeout(timer);
        this.sleepers.delete(wakeUp);
        resolve();
      };
      const timer = setTimeout(wakeUp, ms).unref();
      this.sleepers.add(wakeUp);
    });
  }

  private stir(): void {
    for (const wakeUp of this.sleepers) wakeUp();
  }

  private leave(): void {
    if (this.look) this.options.avoided?.looked(performance.now() - this.look.at);
    const next = this.waiting.shift();
    if (next) next();
    else this.looking -= 1;
  }

  /** Lets everybody look, because a pool that ends waits for all its workers. */
  private close(): void {
    this.closed = true;
    this.stir();
    for (const next of this.waiting.splice(0)) next();
  }
}
