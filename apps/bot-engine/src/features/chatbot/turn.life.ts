import { setMaxListeners } from 'node:events';
import { Unavailable } from '@platform/errors';
import type { Component } from '@platform/runtime';

/** A turn that the process cannot finish: its messages are another one's, and its caller asks again. */
export const stoppingNow = (): Unavailable => new Unavailable('the service is stopping', { retryAfterSeconds: 2 });

/**
 * Turns from the start of the process to its end. When that begins no new one starts, and running ones have the grace; then
 * they are aborted. `stop` waits for the last one, so that everything that they use still runs.
 */
export class TurnLife implements Component {
  readonly name = 'turns';
  private readonly begun = new AbortController();
  private readonly over = new AbortController();
  private readonly running = new Set<Promise<unknown>>();

  constructor(private readonly graceMs: number) {
    // Every turn listens
    setMaxListeners(0, this.begun.signal, this.over.signal);
  }

  /** Aborts when the end begins: nobody waits for further messages. */
  get ending(): AbortSignal {
    return this.begun.signal;
  }

  /** Aborts when the grace is over. */
  get stopping(): AbortSignal {
    return this.over.signal;
  }

  /** Throws `Unavailable` once the end has begun. */
  refuseWhenEnding(): void {
    if (this.begun.signal.aborted) throw stoppingNow();
  }

  async during<T>(turn: Promise<T>): Promise<T> {
    this.running.add(turn);
    try {
      return await turn;
    } finally {
      this.running.delete(turn);
    }
  }

  drain(): void {
    if (this.begun.signal.aborted) return;
    this.begun.abort();
    setTimeout(() => this.over.abort(), this.graceMs).unref();
  }

  async stop(): Promise<void> {
    this.drain();
    while (this.running.size > 0) await Promise.allSettled(this.running);
  }
}
