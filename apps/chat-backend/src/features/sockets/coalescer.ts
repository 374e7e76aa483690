import type { Component, Logger } from '@platform/runtime';

/** One thing of a store that changed: a team or a user. */
export interface Changed {
  readonly store: string;
  readonly id: string;
}

export interface CoalescerOptions {
  readonly name: string;
  /** Shortest time between two tellings, milliseconds. */
  readonly everyMs: number;
  /** Tells of everything that changed since the last time, in one go. */
  readonly flush: (changed: readonly Changed[]) => Promise<void>;
  readonly logger: Logger;
}

/**
 * Collects what changed and tells it at once, then at most every `everyMs`, each thing once: counters are read when they
 * are told, so a burst costs one statement and the last telling is never older than the last change.
 */
export class Coalescer implements Component {
  readonly name: string;
  private readonly waiting = new Map<string, Changed>();
  private timer: NodeJS.Timeout | undefined;
  private lastMs = 0;
  private running: Promise<void> | undefined;

  constructor(private readonly options: CoalescerOptions) {
    this.name = options.name;
  }

  add(store: string, id: string): void {
    this.waiting.set(`${store}\n${id}`, { store, id });
    if (this.timer || this.running) return;
    const pause = Math.max(0, this.lastMs + this.options.everyMs - Date.now());
    this.timer = setTimeout(() => this.flush(), pause).unref();
  }

  /** What was not told yet is not told any more: clients ask again when they reconnect. */
  async stop(): Promise<void> {
    clearTimeout(this.timer);
    this.waiting.clear();
    await this.running;
  }

  private flush(): void {
    const changed = [...this.waiting.values()];
    this.waiting.clear();
    this.timer = undefined;
    this.lastMs = Date.now();
    this.running = this.options
      .flush(changed)
      .catch((cause: unknown) =>
        this.options.logger.warn('counters were not told', { name: this.name, cause: String(cause) }),
      )
      .then(() => {
        this.running = undefined;
        const [next] = this.waiting.values();
        if (next) this.add(next.store, next.id);
      });
  }
}
