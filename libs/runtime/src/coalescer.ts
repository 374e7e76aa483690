import type { Component } from './component';
import type { Logger } from './logger';

export interface CoalescerOptions<T> {
  readonly name: string;
  /** Shortest time between two tellings, milliseconds. */
  readonly everyMs: number;
  /** What counts as the same thing. */
  readonly keyOf: (changed: T) => string;
  /** Tells of everything that changed since the last time, in one go. */
  readonly flush: (changed: readonly T[]) => Promise<void>;
  readonly logger: Logger;
}

/**
 * Collects what changed and tells it at once, then at most every `everyMs`, each thing once: counters are read when they
 * are told, so a burst costs one statement and the last telling is never older than the last change. A `flush` that fails
 * is logged and not repeated.
 */
export class Coalescer<T> implements Component {
  readonly name: string;
  private readonly waiting = new Map<string, T>();
  private timer: NodeJS.Timeout | undefined;
  private lastMs = 0;
  private running: Promise<void> | undefined;

  constructor(private readonly options: CoalescerOptions<T>) {
    this.name = options.name;
  }

  add(changed: T): void {
    this.waiting.set(this.options.keyOf(changed), changed);
    this.schedule();
  }

  /** What was not told yet is not told any more: clients ask again when they reconnect. */
  async stop(): Promise<void> {
    clearTimeout(this.timer);
    this.waiting.clear();
    await this.running;
  }

  private schedule(): void {
    if (this.timer || this.running) return;
    const pause = Math.max(0, this.lastMs + this.options.everyMs - Date.now());
    this.timer = setTimeout(() => this.flush(), pause).unref();
  }

  private flush(): void {
    const changed = [...this.waiting.values()];
    this.waiting.clear();
    this.timer = undefined;
    this.lastMs = Date.now();
    this.running = this.options
      .flush(changed)
      .catch((cause: unknown) =>
        this.options.logger.warn('a change was not announced', { name: this.name, cause: String(cause) }),
      )
      .then(() => {
        this.running = undefined;
        if (this.waiting.size > 0) this.schedule();
      });
  }
}
