import type { Component } from './component';
import type { Logger } from './logger';

export interface CoalescerOptions<T> {
  readonly name: string;
  /** Shortest time between two announcements, milliseconds. */
  readonly everyMs: number;
  /** Items with the same key are the same. */
  readonly keyOf: (changed: T) => string;
  /** Announces everything that changed since the last time, in one go. */
  readonly flush: (changed: readonly T[]) => Promise<void>;
  readonly logger: Logger;
}

/**
 * Collects changes and announces them at once, then at most every `everyMs`, each item once: counters are read when they
 * are announced, so a burst costs one statement and the last announcement is never older than the last change. A `flush` that fails
 * is logged and not repeated.
 */
export class Coalescer<T> implements Component {
  readonly name: string;
  private readonly waiting = new Map<string, T>();
  private timer: NodeJS.Timeout | undefined;
  /** Of a clock that nobody sets. */
  private lastMs = -Infinity;
  private running: Promise<void> | undefined;

  constructor(private readonly options: CoalescerOptions<T>) {
    this.name = options.name;
  }

  add(changed: T): void {
    this.waiting.set(this.options.keyOf(changed), changed);
    this.schedule();
  }

  /** Drops what was not announced yet: clients ask again when they reconnect. */
  async stop(): Promise<void> {
    clearTimeout(this.timer);
    this.waiting.clear();
    await this.running;
  }

  private schedule(): void {
    if (this.timer || this.running) return;
    const pause = Math.max(0, this.lastMs + this.options.everyMs - performance.now());
    this.timer = setTimeout(() => this.flush(), pause).unref();
  }

  private flush(): void {
    const changed = [...this.waiting.values()];
    this.waiting.clear();
    this.timer = undefined;
    this.lastMs = performance.now();
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
